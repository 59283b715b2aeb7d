#include "ui/workbench/session_file.h"

#include "core/base/each.h"
#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "ui/plot/colour_map.h"
#include "ui/figure/analysis_charts.h"

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace attnscope {

namespace {

constexpr qint64 largestFile = 4 << 20;

/// The names in it are those of this window.
Result<Session> known(Session session)
{
    TRY(findColourMap(session.look.maps.colourMap));
    const auto ids = eachOnce(dispersionKinds(), [](const DispersionKind& kind) { return kind.id.toStdString(); });
    if (std::ranges::find(ids, session.look.dispersion) == ids.end())
        return failure(ErrorKind::UnknownName, "session.look.dispersion: there is no '" + session.look.dispersion +
                                                   "'; known: " + joined(ids, ", "));
    return session;
}

Result<Session> readBack(std::string_view text)
{
    if (std::ssize(text) > largestFile)
        return failure(ErrorKind::UnknownFormat, "too large to be a session");
    return readSession(text).and_then(known);
}

}  // namespace

QString stateFolder() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation); }

Result<Session> loadSession(const QString& path)
{
    const auto because = [&](ErrorKind kind, const std::string& why) {
        return failure(kind, path.toStdString() + ": " + why);
    };
    const QFileInfo info(path);
    if (info.exists() && !info.isFile())
        return because(ErrorKind::NotRegularFile, "this is no regular file");
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return because(ErrorKind::NotReadable, file.errorString().toStdString());
    auto session = readBack(file.read(largestFile + 1).toStdString());
    if (!session)
        return because(session.error().kind, session.error().message);
    return session;
}

Result<void> saveSession(const Session& session, const QString& path)
{
    const std::string text = writeSession(session);
    const auto read = readBack(text);
    if (!read)
        return failure(read.error().kind, "{}: not saved, since it would not open again: {}", path.toStdString(),
                       read.error().message);
    return replaceFile(path.toStdString(), text);
}

}  // namespace attnscope

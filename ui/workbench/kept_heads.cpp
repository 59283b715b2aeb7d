#include "ui/workbench/kept_heads.h"

#include "core/base/replace_file.h"
#include "core/model/head_recorder.h"
#include "ui/plot/qt_text.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int hashDigits = 16;
constexpr qint64 secondsOfADay = 24 * 60 * 60, longestSession = 1 << 26;
const QString suffix = u".safetensors"_s;

QString nameOf(const Model& model, qsizetype tokens, const std::vector<std::byte>& bytes)
{
    const QByteArrayView view(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArray::fromRawData(view.data(), view.size()));
    QString label = QDir(QString::fromStdString(model.folder)).dirName();
    label.replace(QRegularExpression(u"[^A-Za-z0-9.-]+"_s), u"-"_s);
    return u"%1_%2_%3"_s.arg(label).arg(tokens).arg(QString::fromLatin1(hash.result().toHex().left(hashDigits))) +
           suffix;
}

/// As if it were written now.
bool renewed(const QString& path, qint64 size)
{
    QFile file(path);
    return file.size() == size && file.open(QIODevice::ReadWrite) &&
           file.setFileTime(QDateTime::currentDateTime(), QFileDevice::FileModificationTime);
}

}  // namespace

Result<QString> keepHeadsIn(const QString& folder, const Model& model, const CapturedHeads& heads)
{
    TRY(makeFolder(folder.toStdString()));
    HeadRecorder recorder(model);
    for (int layer = 0; layer < std::ssize(heads.layers); ++layer)
        if (heads.has(layer))
            TRY(recorder.take({layer, heads.layers[static_cast<std::size_t>(layer)], 0}));
    const auto bytes = TRY(recorder.bytes(folder.toStdString(), heads.window.inputs));
    const QString path = folder + QLatin1Char('/') + nameOf(model, std::ssize(heads.window.inputs), bytes);
    if (renewed(path, std::ssize(bytes)))
        return path;
    const std::span<const std::byte> part(bytes);
    TRY(replaceFile(path.toStdString(), std::span(&part, 1)));
    return path;
}

void pruneKeptHeads(const QString& folder, qint64 most, const QStringList& mentions)
{
    const QDateTime yesterday = QDateTime::currentDateTime().addSecs(-secondsOfADay);
    QFileInfoList files = QDir(folder).entryInfoList({QLatin1Char('*') + suffix}, QDir::Files | QDir::NoSymLinks,
                                                     QDir::Time | QDir::Reversed);  // the oldest first
    qint64 all = 0;
    for (const QFileInfo& file : files)
        all += file.size();
    for (const QFileInfo& file : files) {
        const bool isMentioned = std::ranges::any_of(
            mentions, [name = file.fileName()](const QString& text) { return text.contains(name); });
        if (all > most && file.lastModified() < yesterday && !isMentioned && QFile::remove(file.filePath()))
            all -= file.size();
    }
}

QStringList mentionsInState(const QString& stateFolder, const QStringList& recent)
{
    const QString ofSession = u".attnscope"_s;
    QStringList mentions = recent, sessions;
    for (const QFileInfo& left : QDir(stateFolder).entryInfoList({QLatin1Char('*') + ofSession}, QDir::Files))
        sessions << left.filePath();
    for (const QString& path : recent)
        if (path.endsWith(ofSession))
            sessions << path;
    for (const QString& path : sessions)
        if (QFile file(path); file.size() <= longestSession && file.open(QIODevice::ReadOnly))
            mentions << QString::fromUtf8(file.readAll());
    return mentions;
}

}  // namespace attnscope

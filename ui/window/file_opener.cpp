#include "ui/window/file_opener.h"

#include "core/base/thrown.h"
#include "core/model/gguf_model.h"
#include "core/sweep/sweep_folder.h"
#include "core/tensor/byte_source.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_file.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/message_bar.h"

#include <QFileInfo>
#include <QTimer>

#include <chrono>
#include <thread>
#include <utility>

namespace attnscope {

namespace {

constexpr std::chrono::milliseconds atOnce{150};     // nobody sees a window wait for less
constexpr std::chrono::milliseconds askedEvery{20};  // whether it is found

Result<FoundFile> modelAt(const QString& folder, const FileOpener::Check& check, const std::stop_token& stop)
{
    TRY(check(folder.toStdString(), stop));
    return FoundFile{FoundFile::Kind::Model, folder, {}};
}

Result<FoundFile> figureAt(const QString& path)
{
    constexpr std::uint64_t longestFigure = 1ULL << 28;  // bytes
    const std::string name = path.toStdString();
    const std::string file = TRY(readText(name, longestFigure));
    const std::string recipe = TRY(embeddedRecipe(QByteArray::fromRawData(file.data(), std::ssize(file)), name));
    return FoundFile{FoundFile::Kind::Figure, path, TRY(recipeFromText(recipe, name))};
}

Result<FoundFile> lookAt(const QString& path, const FileOpener::Check& check, const std::stop_token& stop)
{
    if (isGgufFile(path.toStdString()))
        return modelAt(path, check, stop);
    const QFileInfo given(path);
    const bool ofSweep = given.isFile() && (given.fileName() == QLatin1String(sweepSpecName) ||
                                            given.fileName() == QLatin1String(sweepJournalName) ||
                                            given.fileName() == QLatin1String(sweepRowsName));
    const QString folder = ofSweep ? given.absolutePath() : path;
    if (isSweepFolder(folder.toStdString()))
        return FoundFile{FoundFile::Kind::Sweep, folder, {}};
    if (given.isDir())
        return modelAt(path, check, stop);
    const auto ends = [&](const char* ending) { return path.endsWith(QLatin1String(ending), Qt::CaseInsensitive); };
    if (ends(".pdf") || ends(".svg") || ends(".png"))
        return figureAt(path);
    return FoundFile{ends(".attnscope") ? FoundFile::Kind::Session : FoundFile::Kind::Tensors, path, {}};
}

}  // namespace

FileOpener::FileOpener(MessageBar& messages, Check check, QObject* parent)
    : QObject(parent), m_messages(messages), m_check(std::move(check)), m_asking(new QTimer(this))
{
    m_asking->setInterval(askedEvery);
    connect(m_asking, &QTimer::timeout, this, &FileOpener::takeWhenFound);
}

FileOpener::~FileOpener() { m_stop.request_stop(); }

void FileOpener::open(const QString& path, std::function<void(const FoundFile&)> open)
{
    begin(
        path, [path, check = m_check](const std::stop_token& stop) { return lookAt(path, check, stop); },
        std::move(open));
}

void FileOpener::openModel(const QString& folder, std::function<void(const FoundFile&)> open)
{
    begin(
        folder, [folder, check = m_check](const std::stop_token& stop) { return modelAt(folder, check, stop); },
        std::move(open));
}

void FileOpener::begin(const QString& path, Look look, std::function<void(const FoundFile&)> open)
{
    forget();
    m_open = std::move(open);
    m_stop = std::stop_source();
    std::promise<Result<FoundFile>> found;
    m_found = found.get_future();
    const Result<void> begun = caught([&]() -> Result<void> {
        std::thread([found = std::move(found), look = std::move(look), stop = m_stop.get_token()]() mutable {
            found.set_value(caught([&] { return look(stop); }));
        }).detach();  // it has nothing of the window's
        return {};
    });
    if (!begun) {
        forget();
        return m_messages.sayOfFile(MessageBar::Kind::Error, text(begun.error().message));
    }
    m_found.wait_for(atOnce);
    takeWhenFound();
    if (!m_open)
        return;
    m_asking->start();
    m_said =
        u"Looking at %1; what is open stays until it is known that it can be read"_s.arg(QFileInfo(path).fileName());
    m_messages.sayOfFile(MessageBar::Kind::Note, m_said, {{u"Cancel"_s, u"Keep what is open"_s, [this] { forget(); }}});
}

void FileOpener::forget()
{
    m_stop.request_stop();
    m_asking->stop();
    m_found = {};
    m_open = nullptr;
    if (!m_said.isEmpty() && m_messages.message() == std::exchange(m_said, {}))
        m_messages.hide();
}

void FileOpener::takeWhenFound()
{
    if (!m_found.valid() || m_found.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        return;
    const Result<FoundFile> found = m_found.get();
    const auto open = std::exchange(m_open, nullptr);
    forget();
    if (!found)
        m_messages.sayOfFile(MessageBar::Kind::Error, text(found.error().message));
    else if (open)
        open(*found);
}

}  // namespace attnscope

#include "moc_file_opener.cpp"

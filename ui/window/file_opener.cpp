#include "ui/window/model_opener.h"

#include "core/base/thrown.h"
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

}  // namespace

ModelOpener::ModelOpener(MessageBar& messages, Check check, QObject* parent)
    : QObject(parent), m_messages(messages), m_check(std::move(check)), m_asking(new QTimer(this))
{
    m_asking->setInterval(askedEvery);
    connect(m_asking, &QTimer::timeout, this, &ModelOpener::takeWhenFound);
}

ModelOpener::~ModelOpener() { m_stop.request_stop(); }

void ModelOpener::open(const QString& folder, std::function<void()> open)
{
    forget();
    m_open = std::move(open);
    m_stop = std::stop_source();
    std::promise<Result<void>> found;
    m_found = found.get_future();
    const Result<void> begun = caught([&]() -> Result<void> {
        std::thread([found = std::move(found), check = m_check, path = folder.toStdString(),
                     stop = m_stop.get_token()]() mutable {
            found.set_value(caught([&] { return check(path, stop); }));
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
        u"Looking at %1; what is open stays until it is known that it can be read"_s.arg(QFileInfo(folder).fileName());
    m_messages.sayOfFile(MessageBar::Kind::Note, m_said, {{u"Cancel"_s, u"Keep what is open"_s, [this] { forget(); }}});
}

void ModelOpener::forget()
{
    m_stop.request_stop();
    m_asking->stop();
    m_found = {};
    m_open = nullptr;
    if (!m_said.isEmpty() && m_messages.message() == std::exchange(m_said, {}))
        m_messages.hide();
}

void ModelOpener::takeWhenFound()
{
    if (!m_found.valid() || m_found.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        return;
    const Result<void> readable = m_found.get();
    const std::function<void()> open = std::exchange(m_open, nullptr);
    forget();
    if (!readable)
        m_messages.sayOfFile(MessageBar::Kind::Error, text(readable.error().message));
    else if (open)
        open();
}

}  // namespace attnscope

#include "moc_model_opener.cpp"

#include "ui/window/model_opener.h"

#include "core/base/thrown.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/message_bar.h"

#include <QFileInfo>

#include <chrono>
#include <future>
#include <memory>
#include <utility>

namespace attnscope {

namespace {

constexpr std::chrono::milliseconds atOnce{150};  // nobody sees a window wait for less

}  // namespace

ModelOpener::ModelOpener(MessageBar& messages, Check check, QObject* parent)
    : QObject(parent), m_messages(messages), m_check(std::move(check)),
      m_job([this](const Result<void>& readable) { take(readable); },
            [](const Error& error) { return Result<void>(tl::unexpected<Error>(error)); })
{
}

void ModelOpener::open(const QString& folder, std::function<void()> open)
{
    forget();
    m_open = std::move(open);
    const auto known = std::make_shared<std::promise<Result<void>>>();
    std::future<Result<void>> soon = known->get_future();
    m_job.start([known, check = m_check, path = folder.toStdString()](const std::stop_token&, const auto& publish) {
        const Result<void> readable = caught([&] { return check(path); });
        known->set_value(readable);
        publish(readable);
    });
    if (soon.wait_for(atOnce) == std::future_status::ready) {
        m_job.cancel();  // it is told here
        return take(soon.get());
    }
    m_said =
        u"Looking at %1; what is open stays until it is known that it can be read"_s.arg(QFileInfo(folder).fileName());
    m_messages.sayOfFile(MessageBar::Kind::Note, m_said, {{u"Cancel"_s, u"Keep what is open"_s, [this] { forget(); }}});
}

void ModelOpener::forget()
{
    m_job.cancel();
    m_open = nullptr;
    if (!m_said.isEmpty() && m_messages.message() == std::exchange(m_said, {}))
        m_messages.hide();
}

void ModelOpener::take(const Result<void>& readable)
{
    const std::function<void()> open = std::exchange(m_open, nullptr);
    forget();
    if (!readable)
        m_messages.sayOfFile(MessageBar::Kind::Error, text(readable.error().message));
    else if (open)
        open();
}

}  // namespace attnscope

#include "moc_model_opener.cpp"

#pragma once
// Whether there is a model to open is looked at beside the window, since a header may be long and a disk slow: until it
// is known to be readable, what is open stays and the window answers. What is known at once opens at once.

#include "core/base/error.h"
#include "ui/job/latest_job.h"

#include <QObject>
#include <QString>

#include <functional>

namespace attnscope {

class MessageBar;

class ModelOpener : public QObject {
    Q_OBJECT
public:
    using Check = std::function<Result<void>(const std::string& folder)>;
    ModelOpener(MessageBar& messages, Check check, QObject* parent = nullptr);

    /// `open` is called once it is readable, unless something else is opened before; else the message bar says why not.
    void open(const QString& folder, std::function<void()> open);
    /// Something else is opened.
    void forget();
    bool isLooking() const { return m_open != nullptr; }
    void checkBy(Check check) { m_check = std::move(check); }

private:
    void take(const Result<void>& readable);

    MessageBar& m_messages;
    Check m_check;
    std::function<void()> m_open;  ///< what waits
    QString m_said;
    LatestJob<Result<void>> m_job;
};

}  // namespace attnscope

#pragma once
// Whether there is a model to open is looked at beside the window, since a header may be long and a disk slow: until it
// is known to be readable, what is open stays and the window answers. What is known at once opens at once. A look that
// nobody waits for any more ends between two reads; a read that hangs cannot be ended, but nothing waits for it:
// neither the next look nor the end of the program. What kind of thing a path is (a folder, the first bytes of a file)
// is asked before, in the window's thread: on a disk that hangs, that does wait.

#include "core/base/error.h"

#include <QObject>
#include <QString>

#include <functional>
#include <future>
#include <stop_token>

class QTimer;

namespace attnscope {

class MessageBar;

class ModelOpener : public QObject {
    Q_OBJECT
public:
    /// Called in a thread of its own, which may outlive the opener: it holds all that it needs.
    using Check = std::function<Result<void>(const std::string& folder, const std::stop_token& stop)>;
    ModelOpener(MessageBar& messages, Check check, QObject* parent = nullptr);
    ~ModelOpener() override;

    /// `open` is called once it is readable, unless something else is opened before; else the message bar says why not.
    void open(const QString& folder, std::function<void()> open);
    /// Something else is opened.
    void forget();
    bool isLooking() const { return m_open != nullptr; }
    void checkBy(Check check) { m_check = std::move(check); }

private:
    void takeWhenFound();

    MessageBar& m_messages;
    Check m_check;
    std::function<void()> m_open;  ///< what waits
    QString m_said;
    std::future<Result<void>> m_found;  ///< of the look that is waited for
    std::stop_source m_stop;
    QTimer* m_asking;
};

}  // namespace attnscope

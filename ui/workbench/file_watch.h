#pragma once
// Whether files are still those that were read. It looks, twice a second and beside the window's thread, rather than
// waits to be told: of a folder on another machine, where a training run writes, the system tells nobody. A look at a
// disk that hangs cannot be ended, but nothing waits for it: neither the window nor its end.

#include "core/base/file_stamp.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

class FileWatch : public QObject {
    Q_OBJECT
public:
    using Stamps = std::vector<FileStamp>;
    /// Of the files as they are now; empty: what matters is not there. Called in a thread of its own, which may outlive
    /// the watch: it holds all that it needs.
    using Look = std::function<Stamps()>;
    explicit FileWatch(QObject* parent = nullptr, std::chrono::milliseconds between = std::chrono::milliseconds(500));

    /// `what` names the files: the same again goes on. `asRead`: what is not told of; empty: as they were, or as the
    /// first look finds them.
    void watch(const std::string& what, Look look, const std::optional<Stamps>& asRead = {});
    void rest();

signals:
    /// Something is not as it was read, and was the same at two looks: whoever wrote it has paused.
    void written();

private:
    void look();
    void take(Stamps now);

    std::string m_what;
    Look m_look;
    std::optional<Stamps> m_known;  ///< that were read, or told
    std::optional<Stamps> m_last;   ///< of the look before
    std::future<Stamps> m_found;    ///< of the look that is on its way
    QTimer m_next;
};

}  // namespace attnscope

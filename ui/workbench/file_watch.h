#pragma once
// Whether files are still those that were read. It looks, twice a second and beside the window's thread, rather than
// waits to be told: of a folder on another machine, where a training run writes, the system tells nobody.

#include "core/base/file_stamp.h"
#include "ui/job/latest_job.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <string>
#include <vector>

namespace attnscope {

class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr, std::chrono::milliseconds between = std::chrono::milliseconds(500));

    /// Files, or folders with all that lies in them, as they are at the first look; none: it rests. The same again
    /// changes nothing.
    void watch(std::vector<std::string> paths);

signals:
    /// Something was written again, or is there again, and was the same at two looks: whoever wrote it has paused.
    void written();

private:
    using Stamps = std::vector<FileStamp>;
    void look();
    void take(Stamps now);

    std::vector<std::string> m_paths;
    Stamps m_known;  ///< that were told
    Stamps m_last;   ///< of the look before
    bool m_begins = false, m_looks = false;
    QTimer m_next;
    LatestJob<Stamps> m_job;
};

}  // namespace attnscope

#pragma once
// The window follows the files that it looks at: tensors that a training run or a notebook writes again are read again
// and stay what they were in the window (layer, head, methods, zoom); of a model, whose opening costs more, it is
// offered.

#include "ui/workbench/file_watch.h"

namespace attnscope {

class MessageBar;
struct Workbench;

class FileFollower : public QObject {
    Q_OBJECT
public:
    FileFollower(Workbench& bench, MessageBar& messages, QObject* parent);

    /// Kept for the next start.
    static bool isOn();
    void setOn(bool on);

private:
    void follow();
    void readTensorsAgain();
    void refit();
    void offerModel();

    Workbench& m_bench;
    MessageBar& m_messages;
    FileWatch m_ofScenario, m_ofModel;
    std::shared_ptr<const OfferedFile> m_before;  ///< the tensors' file as it was, while it is read again
    bool m_reading = false;
    std::string m_told;  ///< the file that was said to be followed
};

}  // namespace attnscope

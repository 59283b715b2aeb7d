#pragma once
// The window follows the files that it looks at: tensors that a training run or a notebook writes again are read again
// and stay what they were in the window (layer, head, methods, zoom); of a model, whose opening costs more, it is
// offered, and so is the newest file of a run where that before it is looked at.

#include "ui/workbench/file_watch.h"

#include <QString>

#include <memory>

namespace attnscope {

class MessageBar;
struct OfferedFile;
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
    void offerNewest(const OfferedFile& before, const OfferedFile& after);
    void forgetOffer();

    Workbench& m_bench;
    MessageBar& m_messages;
    FileWatch m_ofTensors, m_ofModel;
    FileWatch m_ofRest;                           ///< networks of methods, biases of positions
    FileWatch m_ofRun;                            ///< the other files of the tensors' run
    std::shared_ptr<const OfferedFile> m_before;  ///< the tensors' file as it was read last
    bool m_reading = false;
    std::string m_told;         ///< the file that was said to be followed
    std::string m_offered;      ///< the model that is offered to be opened again; empty: none
    bool m_offerWaits = false;  ///< until nothing else is said
    QString m_offer;            ///< as it is said
};

}  // namespace attnscope

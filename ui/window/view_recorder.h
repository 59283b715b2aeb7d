#pragma once
// Records a view of Explore while the player sweeps a number: asks what, keeps the frames, and puts back what moved.

#include "ui/workbench/document.h"
#include "ui/window/frame_recorder.h"

#include <QObject>

#include <optional>

namespace attnscope {

class MainWindow;
class Player;
class RecordSheet;

class ViewRecorder : public QObject {
    Q_OBJECT
public:
    ViewRecorder(MainWindow& window, Player& player);
    /// Asks what to record, and as what.
    void open();

private:
    void record(Recording asked);
    /// As the figure of the view is saved, with what is swept above it: nothing that is pointed at or chosen.
    QImage frame();
    void putBack();

    MainWindow& m_window;
    Player& m_player;
    RecordSheet* m_sheet;
    FrameRecorder* m_recorder;
    std::optional<Document::Content> m_before;  ///< while it records
    double m_height = 0;                        ///< of the frames, as the first one needs, mm
    std::function<void()> m_return;             ///< puts the document's history back as it was
};

}  // namespace attnscope

#include "ui/window/view_recorder.h"

#include "ui/window/controls/message_bar.h"
#include "ui/window/controls/player.h"
#include "ui/window/main_window.h"
#include "ui/window/views/heatmap_panel.h"
#include "ui/window/views/record_sheet.h"
#include "ui/window/workspaces.h"

#include <QFileDialog>
#include <QStatusBar>

#include <utility>

namespace attnscope {

namespace {

QString framesSaved(int frames, const QString& path)
{
    if (frames == 0)
        return ViewRecorder::tr("Recording ended before its first frame; nothing is saved in %1").arg(path);
    if (path.endsWith(QLatin1String(".gif"), Qt::CaseInsensitive))
        return ViewRecorder::tr("Saved %1, %2 frames").arg(path, QString::number(frames));
    return frames == 1
               ? ViewRecorder::tr("1 frame saved in %1, frame_0000.png").arg(path)
               : ViewRecorder::tr("%1 frames saved in %2, from frame_0000.png").arg(QString::number(frames), path);
}

}  // namespace

ViewRecorder::ViewRecorder(MainWindow& window, Player& player)
    : QObject(&window), m_window(window), m_player(player),
      m_sheet(new RecordSheet(&window, window.document(), player)),
      m_recorder(new FrameRecorder(
          player, window.bench().saves, [this] { return m_window.explore().viewPicture(m_sheet->view()); }, this))
{
    connect(m_sheet, &RecordSheet::asked, this, &ViewRecorder::record);
    connect(m_recorder, &FrameRecorder::saving, this,
            [this] { m_window.messages().say(MessageBar::Kind::Note, tr("Making the GIF\u2026")); });
    connect(m_recorder, &FrameRecorder::kept, this, [this](int frames, int of) {
        m_window.statusBar()->showMessage(tr("Frame %1 of %2").arg(frames).arg(of));
    });
    connect(m_recorder, &FrameRecorder::swept, this, &ViewRecorder::putBack);
    connect(&window, &MainWindow::closing, &player, [this] {
        if (m_recorder->isRecording())
            m_player.pause();  // what there is becomes the film
    });
    connect(m_recorder, &FrameRecorder::ended, this, [this](int frames, const QString& path) {
        if (!m_window.messages().showsError())  // why it ended, if it ended early
            m_window.messages().say(MessageBar::Kind::Done, framesSaved(frames, path));
    });
    connect(m_recorder, &FrameRecorder::failed, this, [this](const QString& message, int frames) {
        m_window.messages().say(MessageBar::Kind::Error,
                                tr("%1. Recording ended; frames saved: %2.").arg(message, QString::number(frames)));
    });
}

void ViewRecorder::open() { m_sheet->open(); }

void ViewRecorder::record(Recording asked)
{
    asked.path = asked.gif
                     ? QFileDialog::getSaveFileName(&m_window, tr("Save the recording"),
                                                    QStringLiteral("attention.gif"), tr("Animated pictures (*.gif)"))
                     : QFileDialog::getExistingDirectory(&m_window, tr("Folder for the frames"));
    if (asked.path.isEmpty())
        return;
    if (asked.gif && !asked.path.endsWith(QLatin1String(".gif"), Qt::CaseInsensitive))
        asked.path += QLatin1String(".gif");
    m_player.pause();  // of a recording before this one, which puts back what it moved
    m_window.setWorkspace(exploreWorkspace);
    m_before = {m_window.document().scenario(), m_window.document().look()};
    m_window.session().keepInstead(m_before);
    if (m_sheet->locksColours() && !m_before->look.maps.pinned)
        m_window.explore().heatmaps().pin(true);
    m_window.messages().say(MessageBar::Kind::Note, tr("\u25CF Recording %1 frames").arg(asked.sweep.frames),
                            {{tr("Stop"), tr("End it here and keep what there is"), [this] { m_player.pause(); }}});
    m_recorder->record(asked);
}

/// What moved is back where it was, and the colours are free again.
void ViewRecorder::putBack()
{
    m_window.statusBar()->clearMessage();
    const auto before = std::exchange(m_before, std::nullopt);
    if (!before)
        return;
    Document& document = m_window.document();
    if (document.scenario() != before->scenario)
        document.undo();
    document.replaceOnce(tr("Record"), before->scenario);
    document.editLook([&](Look& look) {
        look.maps.pinned = before->look.maps.pinned;
        look.maps.pinnedDifference = before->look.maps.pinnedDifference;
    });
    m_window.session().keepInstead(std::nullopt);
}

}  // namespace attnscope

#include "moc_view_recorder.cpp"

#pragma once
// Keeps the frames of one sweep of the player: as PNG files, frame_0000.png and on, each written whole or not at all,
// or as one GIF, which is made beside the window once the last frame is there. Pausing the player ends it; a frame that
// cannot be written does too. All frames are as large as the first, whatever becomes of the window.

#include "core/base/error.h"
#include "ui/job/latest_job.h"
#include "ui/window/controls/player.h"

#include <QImage>
#include <QObject>
#include <QString>
#include <QTemporaryDir>

#include <functional>
#include <memory>
#include <optional>

namespace attnscope {

struct Recording {
    QString path;  ///< a folder for the frames, or the GIF
    bool gif = false;
    double framesPerSecond = 20;  ///< of the GIF
    Sweep sweep = {};
};

class FrameRecorder : public QObject {
    Q_OBJECT
public:
    /// `picture`: what a frame is, as it is painted now.
    FrameRecorder(Player& player, std::function<QImage()> picture, QObject* parent = nullptr);

    void record(const Recording& recording);
    bool isRecording() const { return m_recording; }
    /// The GIF is being made.
    bool isSaving() const { return m_saving; }

signals:
    void ended(int frames, const QString& path);      ///< as many were kept
    void failed(const QString& message, int frames);  ///< with what to do, after as many
    void kept(int frames, int of);                    ///< so many by now
    void saving();                                    ///< all frames of a GIF are there

private:
    bool keep(int frame);
    void finish();
    QString framePath(int frame) const;

    Player& m_player;
    std::function<QImage()> m_picture;
    Recording m_asked;
    std::unique_ptr<QTemporaryDir> m_frames;  ///< of a GIF
    QSize m_size;
    bool m_recording = false, m_saving = false;
    int m_kept = 0;
    LatestJob<Result<void>> m_making;
};

}  // namespace attnscope

#pragma once
// Keeps the frames of one sweep of the player: as PNG files, frame_0000.png and on, each written whole or not at all,
// or as one GIF, which is made beside the window once the last frame is there. Pausing the player ends it; a frame that
// cannot be written does too; then what moves is free again, whatever is still being made. All frames are as large as
// the first, whatever becomes of the window.

#include "core/base/error.h"
#include "ui/job/save_queue.h"
#include "ui/views/player.h"

#include <QImage>
#include <QObject>
#include <QString>
#include <QTemporaryDir>

#include <functional>
#include <memory>

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
    FrameRecorder(Player& player, SaveQueue& saves, std::function<QImage()> picture, QObject* parent = nullptr);

    void record(const Recording& recording);
    bool isRecording() const { return m_recording; }
    int keptFrames() const { return m_kept; }  ///< of the recording that goes on, or was last

signals:
    void swept();                                 ///< no more frames are taken; ended() or failed() says how it went
    void ended(int frames, const QString& path);  ///< as many were kept
    void failed(const QString& message, int frames);  ///< with what to do, after as many
    void kept(int frames, int of);                    ///< so many by now
    void saving();                                    ///< all frames of a GIF are there

private:
    bool keep(int frame);
    void finish();
    QString framePath(int frame) const;

    void fail(const Error& error, int frames);

    Player& m_player;
    SaveQueue& m_saves;
    std::function<QImage()> m_picture;
    Recording m_asked;
    std::shared_ptr<QTemporaryDir> m_frames;  ///< of a GIF
    QSize m_size;
    bool m_recording = false;
    int m_kept = 0;
};

}  // namespace attnscope

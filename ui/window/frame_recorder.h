#pragma once
// Keeps the frames of one sweep of the player as PNG files, frame_0000.png and on, each written whole or not at all. Pausing the
// player ends it; a frame that cannot be written does too.

#include <QImage>
#include <QObject>
#include <QString>

#include <functional>

namespace attnscope {

class Player;

class FrameRecorder : public QObject {
    Q_OBJECT
public:
    /// `picture`: what a frame is, as it is painted now.
    FrameRecorder(Player& player, std::function<QImage()> picture, QObject* parent = nullptr);

    /// Into this folder, from the start of the player's range to its end.
    void record(const QString& folder);
    bool isRecording() const { return m_recording; }

signals:
    void ended(int frames, const QString& folder);                  ///< as many were kept
    void failed(const QString& message, int frames);                ///< with what to do, after as many

private:
    bool keep(int frame);

    Player& m_player;
    std::function<QImage()> m_picture;
    QString m_folder;
    bool m_recording = false;
    int m_kept = 0;
};

}  // namespace attnscope

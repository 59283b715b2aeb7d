#include "ui/window/frame_recorder.h"

#include "ui/plot/png_file.h"
#include "ui/window/controls/player.h"

#include <utility>

namespace attnscope {

FrameRecorder::FrameRecorder(Player& player, std::function<QImage()> picture, QObject* parent)
    : QObject(parent), m_player(player), m_picture(std::move(picture))
{
    connect(&player, &Player::playingChanged, this, [this](bool playing) {
        if (!playing && std::exchange(m_recording, false))
            emit ended(m_kept, m_folder);
    });
}

void FrameRecorder::record(const QString& folder)
{
    m_player.pause();
    m_folder = folder;
    m_kept = 0;
    m_recording = true;
    m_player.record([this](int frame) { return keep(frame); });
}

bool FrameRecorder::keep(int frame)
{
    const QString path = m_folder + QStringLiteral("/frame_%1.png").arg(frame, 4, 10, QLatin1Char('0'));
    if (const auto saved = savePng(m_picture(), path.toStdString()); !saved) {
        m_recording = false;
        emit failed(QString::fromStdString(saved.error().message), m_kept);
        return false;
    }
    ++m_kept;
    return true;
}

}  // namespace attnscope

#include "moc_frame_recorder.cpp"

#include "ui/window/frame_recorder.h"

#include "ui/plot/gif_file.h"
#include "ui/plot/png_file.h"

#include <utility>

namespace attnscope {

FrameRecorder::FrameRecorder(Player& player, std::function<QImage()> picture, QObject* parent)
    : QObject(parent), m_player(player), m_picture(std::move(picture)),
      m_making(
          [this](const Result<void>& made) {
              m_saving = false;
              m_frames.reset();
              if (made)
                  emit ended(m_kept, m_asked.path);
              else
                  emit failed(QString::fromStdString(made.error().message), m_kept);
          },
          [](const Error& error) { return tl::unexpected<Error>(error); })
{
    connect(&player, &Player::playingChanged, this, [this](bool playing) {
        if (!playing && std::exchange(m_recording, false))
            finish();
    });
}

void FrameRecorder::record(const Recording& recording)
{
    m_player.pause();
    m_making.cancel();
    m_saving = false;
    m_asked = recording;
    m_frames = recording.gif ? std::make_unique<QTemporaryDir>() : nullptr;
    m_kept = 0;
    m_recording = true;
    m_player.record(recording.sweep, [this](int frame) { return keep(frame); });
}

QString FrameRecorder::framePath(int frame) const
{
    return (m_frames ? m_frames->path() : m_asked.path) +
           QStringLiteral("/frame_%1.png").arg(frame, 4, 10, QLatin1Char('0'));
}

bool FrameRecorder::keep(int frame)
{
    QImage picture = m_picture();
    if (m_kept == 0)
        m_size = picture.size();
    else if (picture.size() != m_size)
        picture = picture.scaled(m_size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    if (const auto saved = savePng(picture, framePath(frame).toStdString()); !saved) {
        m_recording = false;
        emit failed(QString::fromStdString(saved.error().message), m_kept);
        return false;
    }
    emit kept(++m_kept, m_asked.sweep.frames);
    return true;
}

void FrameRecorder::finish()
{
    if (!m_frames || m_kept == 0)
        return emit ended(m_kept, m_asked.path);
    std::vector<std::string> frames;
    for (int frame = 0; frame < m_kept; ++frame)
        frames.push_back(framePath(frame).toStdString());
    m_saving = true;
    emit saving();
    m_making.start([frames = std::move(frames), rate = m_asked.framesPerSecond, path = m_asked.path.toStdString()](
                       std::stop_token stop, const auto& publish) { publish(saveGif(frames, rate, path, stop)); });
}

}  // namespace attnscope

#include "moc_frame_recorder.cpp"

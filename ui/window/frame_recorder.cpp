#include "ui/window/frame_recorder.h"

#include "ui/plot/gif_file.h"
#include "ui/plot/png_file.h"

#include <QDir>

#include <utility>

namespace attnscope {

FrameRecorder::FrameRecorder(Player& player, SaveQueue& saves, std::function<QImage()> picture, QObject* parent)
    : QObject(parent), m_player(player), m_saves(saves), m_picture(std::move(picture))
{
    connect(&player, &Player::playingChanged, this, [this](bool playing) {
        if (!playing && std::exchange(m_recording, false))
            finish();
    });
}

void FrameRecorder::record(const Recording& recording)
{
    m_player.pause();  // which ends the recording before
    m_asked = recording;
    const QString place = QDir::tempPath();  // empty: TMPDIR names a folder that is not there
    m_frames = recording.gif && !place.isEmpty() ? std::make_shared<QTemporaryDir>() : nullptr;
    m_kept = 0;
    if (recording.gif && (place.isEmpty() || !m_frames->isValid())) {
        emit swept();
        return fail({ErrorKind::NotWritable,
                     "The frames of a GIF need a folder for a while, and none can be made in " +
                         (place.isEmpty() ? qgetenv("TMPDIR").toStdString()
                                          : place.toStdString() + ", " + m_frames->errorString().toStdString())},
                    0);
    }
    m_recording = true;
    m_player.record(recording.sweep, [this](int frame) { return keep(frame); });
}

QString FrameRecorder::framePath(int frame) const
{
    return (m_frames ? m_frames->path() : m_asked.path) + u"/frame_%1.png"_s.arg(frame, 4, 10, QLatin1Char('0'));
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
        emit swept();
        fail(saved.error(), m_kept);
        return false;
    }
    emit kept(++m_kept, m_asked.sweep.frames);
    return true;
}

void FrameRecorder::fail(const Error& error, int frames) { emit failed(text(error.message), frames); }

void FrameRecorder::finish()
{
    emit swept();
    if (!m_frames || m_kept == 0)
        return emit ended(m_kept, m_asked.path);
    std::vector<std::string> paths;
    for (int frame = 0; frame < m_kept; ++frame)
        paths.push_back(framePath(frame).toStdString());
    emit saving();
    m_saves.add(
        m_asked.path, this,
        [frames = std::exchange(m_frames, nullptr), paths, rate = m_asked.framesPerSecond,
         path = m_asked.path.toStdString()] { return saveGif(paths, rate, path, {}); },
        [this, count = m_kept, path = m_asked.path](const Result<void>& made) {
            if (made)
                emit ended(count, path);
            else
                fail(made.error(), count);
        },
        SaveQueue::Line::Long);
}

}  // namespace attnscope

#include "moc_frame_recorder.cpp"
#include "ui/plot/qt_text.h"

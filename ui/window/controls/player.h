#pragma once
// Plays one number of the scenario up and down again: a step is taken when the picture of the step before is shown, but not
// sooner than the speed allows. Frames can be kept as PNG files on the way.

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <span>

namespace attnscope {

class Analyser;
class Document;
struct Scenario;

/// What can be played: a name and how to move the scenario to a place between 0 and 1.
struct Playable {
    QString id, label;
    std::function<double(const Scenario&)> place;
    std::function<void(Scenario&, double)> move;
};
std::span<const Playable> playables();

class Player : public QObject {
    Q_OBJECT
public:
    static constexpr int stepsPerSweep = 120;

    Player(Document& document, Analyser& analyser, QObject* parent = nullptr);

    bool isPlaying() const { return m_playing; }
    void setPlayable(int index) { m_playable = index; }
    int playable() const { return m_playable; }
    /// 1: a sweep takes about eight seconds.
    void setSpeed(double speed) { m_speed = speed; }
    double speed() const { return m_speed; }
    void play();
    void pause();

    /// Plays one sweep from the start of the range; `keep` is called with every frame's number once it is shown.
    void record(std::function<void(int frame)> keep);

signals:
    void playingChanged(bool playing);

private:
    void step();
    void arrived();

    Document& m_document;
    Analyser& m_analyser;
    QTimer m_timer;
    bool m_playing = false;
    bool m_stepShown = true;
    int m_playable = 0;
    double m_speed = 1;
    double m_place = 0;
    int m_direction = 1;
    int m_frame = 0;
    std::function<void(int)> m_keep;
};

}  // namespace attnscope

#pragma once
// Plays one number of the scenario up and down again: a step is taken when the picture of the step before is shown, but
// not sooner than the speed allows. Frames can be kept as PNG files on the way.

#include "ui/plot/qt_text.h"
#include "ui/widgets/number_scale.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <vector>

namespace attnscope {

class Analyser;
class Document;
struct Scenario;

/// What can be played: a name and how to move the scenario to a place between 0 and 1.
struct Playable {
    QString id, label;
    NumberScale scale;  ///< of the number, from its value at 0 to that at 1
    std::function<double(const Scenario&)> place;
    std::function<void(Scenario&, double)> move;
    std::function<QString(const Scenario&)> said = {};  ///< where it is, as a picture of it says; empty: "n = 321"
    QString words(const Scenario& scenario) const;
};

/// What the scenario's file allows.
struct PlayableFile {
    double longest = 0;                 ///< no n is larger; 0: nothing says so
    std::vector<std::string> run = {};  ///< the paths of the files of its run
};
/// The numbers of the scenario, which file of its run it is of, and every parameter of what is picked in it: of the
/// source, the kernel, ..., the ticked methods.
std::vector<Playable> playables(const Scenario& scenario, const PlayableFile& file = {});

/// From one place of a number's range to another, both among the frames.
struct Sweep {
    double from = 0, to = 1;
    int frames = 121;
};

class Player : public QObject {
    Q_OBJECT
public:
    static constexpr int stepsPerSweep = 120;

    Player(Document& document, Analyser& analyser, QObject* parent = nullptr);

    bool isPlaying() const { return m_playing; }
    /// Asked before a number is moved.
    void setFile(std::function<PlayableFile()> file) { m_file = std::move(file); }
    /// Of the document's scenario as it is now.
    std::vector<Playable> playablesNow() const;
    /// By its id; what the scenario no longer has is the first of playables() once it is played.
    void setPlayable(const QString& id);
    const QString& playable() const { return m_playable; }
    /// 1: a sweep takes about eight seconds. Takes effect at once.
    void setSpeed(double speed);
    double speed() const { return m_speed; }
    /// Ends what was recorded. What is played pauses when the scenario has it no longer.
    void play();
    void pause();

    /// Plays one sweep; `keep` is called with every frame's number, from 0, once it is shown exactly,
    /// and says whether to go on.
    void record(const Sweep& sweep, std::function<bool(int frame)> keep);

signals:
    void playingChanged(bool playing);
    void chosen();  ///< another number, or another speed, or there are others to choose from

private:
    void begin(const Playable& played);
    void step();
    void arrived();
    void pauseIfGone();
    int interval() const;

    Document& m_document;
    Analyser& m_analyser;
    QTimer m_timer;
    bool m_playing = false;
    bool m_stepShown = true;
    bool m_keeping = false;  ///< a frame is about to be kept
    int m_run = 0;           ///< counts play() and record()
    QString m_playable = u"n"_s;
    Playable m_played;
    double m_speed = 1;
    double m_place = 0;
    int m_direction = 1;
    int m_frame = 0;
    Sweep m_sweep;
    std::function<bool(int)> m_keep;
    std::function<PlayableFile()> m_file;
};

}  // namespace attnscope

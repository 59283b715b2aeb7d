#include "ui/views/player.h"

#include "core/analysis/scenario.h"
#include "core/analysis/source.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/scaling/scale_method.h"
#include "ui/workbench/analyser.h"
#include "ui/workbench/document.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double sweepMilliseconds = 8000;

template <class Member>
Playable playable(const QString& id, const QString& label, NumberScale scale, Member member)
{
    return {
        id, label, scale,
        [scale, member](const Scenario& s) { return scale.toFraction(static_cast<double>(std::invoke(member, s))); },
        [scale, member](Scenario& s, double place) {
            auto& field = std::invoke(member, s);
            field = static_cast<std::remove_reference_t<decltype(field)>>(scale.fromFraction(place));
        }};
}

/// Three doublings to either side of the usual value, as far as it may go; all of a range that has no usual size.
NumberScale sweepOf(const Parameter& parameter)
{
    NumberScale scale{.minimum = parameter.minimum, .maximum = parameter.maximum};
    scale.whole = parameter.kind == Parameter::Kind::Integer;
    if (parameter.byDefault > 0 && parameter.minimum >= 0) {
        scale.minimum = std::max({parameter.minimum, parameter.byDefault / 8, scale.whole ? 1.0 : 0.0});
        scale.maximum = std::min(parameter.maximum, parameter.byDefault * 8);
        scale.logarithmic = true;
        if (scale.whole) {
            scale.minimum = std::ceil(scale.minimum);
            scale.maximum = std::floor(scale.maximum);
        }
    } else if (parameter.maximum - parameter.minimum > 100) {
        scale.minimum = std::max(parameter.minimum, parameter.byDefault - 10);
        scale.maximum = std::min(parameter.maximum, parameter.byDefault + 10);
    }
    return scale;
}

/// The parameters of one pick. `pick` finds it in a scenario, or is null where the scenario has it no longer.
void addParameters(std::vector<Playable>& all, const Entry& entry, const QString& where, const QString& label,
                   const std::function<Choice*(Scenario&)>& pick)
{
    for (const Parameter& parameter : entry.parameters) {
        const NumberScale scale = sweepOf(parameter);
        if (parameter.kind == Parameter::Kind::Switch || !(scale.minimum < scale.maximum))
            continue;
        const auto place = [scale, pick, parameter](const Scenario& scenario) {
            Scenario copy = scenario;
            const Choice* choice = pick(copy);
            const double usual = parameter.followsN ? scenario.nTrain : parameter.byDefault;
            return scale.toFraction(
                choice && choice->values.contains(parameter.id) ? choice->values.find(parameter.id)->second : usual);
        };
        const auto move = [scale, pick, parameter](Scenario& scenario, double to) {
            if (Choice* choice = pick(scenario))
                choice->values[parameter.id] = scale.fromFraction(to);
        };
        all.push_back({where + QLatin1Char('/') + text(parameter.id), u"%1: %2"_s.arg(label, text(parameter.label)),
                       scale, place, move});
    }
}

template <class Row>
void addPick(std::vector<Playable>& all, const Scenario& scenario, std::span<const Row> rows, const QString& where,
             const std::function<Choice&(Scenario&)>& pick)
{
    Scenario copy = scenario;
    const Choice choice = pick(copy);
    if (const auto row = findRow(rows, choice.id, "row"))
        addParameters(all, **row, where + QLatin1Char('/') + text(choice.id), text((*row)->label),
                      [pick, id = choice.id](Scenario& s) {
                          Choice& now = pick(s);
                          return now.id == id ? &now : nullptr;
                      });
}

/// The n-th file of a run, from 1.
Playable fileOfRun(const std::vector<std::string>& run)
{
    const NumberScale scale{.minimum = 1, .maximum = double(run.size()), .whole = true};
    return {.id = u"file"_s,
            .label = u"File of the run"_s,
            .scale = scale,
            .place =
                [scale, run](const Scenario& now) {
                    return scale.toFraction(double(std::ranges::find(run, now.tensors.path) - run.begin()) + 1);
                },
            .move =
                [scale, run](Scenario& now, double place) {
                    now.tensors.path = run[static_cast<std::size_t>(scale.fromFraction(place)) - 1];
                },
            .said =
                [run](const Scenario& now) {
                    const QFileInfo file(text(now.tensors.path));
                    const bool sameNames = QFileInfo(text(run.front())).fileName() == file.fileName();
                    return sameNames ? file.dir().dirName() : file.completeBaseName();
                }};
}

}  // namespace

QString Playable::words(const Scenario& scenario) const
{
    if (said)
        return said(scenario);
    const QString name = label.contains(u':') ? label : label.section(u' ', -1);
    return u"%1 = %2"_s.arg(name, scale.write(scale.fromFraction(place(scenario))));
}

std::vector<Playable> playables(const Scenario& scenario, const PlayableFile& file)
{
    constexpr double usual = 4096, least = 16;
    const double most = file.longest > 0 ? std::min(file.longest, usual) : usual,
                 first = std::min(least, std::floor(most / 2));
    std::vector<Playable> all{
        playable(u"n"_s, u"Length n"_s, {std::max(1.0, first), most, true, true}, &Scenario::n),
        playable(u"temperature"_s, u"Temperature \u03C4"_s, {0.1, 10, true}, &Scenario::temperature),
        playable(u"nTrain"_s, u"Trained at N"_s, {16, 4096, true, true}, &Scenario::nTrain)};
    if (!scenario.ofFile())
        all.push_back(playable(u"d"_s, u"Head size d"_s, {2, 256, true, true}, &Scenario::d));
    if (scenario.ofFile() && file.run.size() > 1 && std::ranges::count(file.run, scenario.tensors.path))
        all.push_back(fileOfRun(file.run));
    if (!scenario.ofFile() && !scenario.ofTheory())
        all.push_back(playable(u"seed"_s, u"Seed"_s, {0, 120, false, true}, &Scenario::seed));
    for (const Entry& entry : sourceEntries())
        if (entry.id == scenario.source.id)
            addParameters(all, entry, u"source/"_s + text(entry.id), text(entry.label),
                          [id = entry.id](Scenario& s) { return s.source.id == id ? &s.source : nullptr; });
    addPick<Kernel>(all, scenario, kernels(), u"kernel"_s, [](Scenario& s) -> Choice& { return s.attention.kernel; });
    addPick<Position>(all, scenario, positions(), u"position"_s,
                      [](Scenario& s) -> Choice& { return s.attention.position; });
    addPick<Mask>(all, scenario, masks(), u"mask"_s, [](Scenario& s) -> Choice& { return s.attention.mask; });
    addPick<Normaliser>(all, scenario, normalisers(), u"normaliser"_s,
                        [](Scenario& s) -> Choice& { return s.attention.normaliser; });
    for (std::size_t i = 0; i < scenario.methods.size(); ++i)
        if (const auto row = findRow(scaleMethods(), scenario.methods[i].id, "scale method"))
            addParameters(all, **row, u"method%1/%2"_s.arg(i).arg(text((*row)->id)), text((*row)->label),
                          [i, id = (*row)->id](Scenario& s) {
                              return i < s.methods.size() && s.methods[i].id == id ? &s.methods[i] : nullptr;
                          });
    return all;
}

std::vector<Playable> Player::playablesNow() const
{
    return playables(m_document.scenario(), m_file ? m_file() : PlayableFile{});
}

Player::Player(Document& document, Analyser& analyser, QObject* parent)
    : QObject(parent), m_document(document), m_analyser(analyser)
{
    connect(&m_timer, &QTimer::timeout, this, &Player::step);
    connect(&analyser, &Analyser::arrived, this, &Player::arrived);
    connect(&analyser, &Analyser::busyChanged, this, &Player::arrived);
    connect(&analyser, &Analyser::failed, this, &Player::pause);
    connect(&analyser, &Analyser::cancelled, this, &Player::pause);
    connect(&document, &Document::changed, this, &Player::pauseIfGone);
    connect(&document, &Document::leaving, this, &Player::pause);  // another session does not move
}

void Player::setPlayable(const QString& id)
{
    if (id == m_playable)
        return;
    m_playable = id;
    if (m_playing && !m_keep)
        play();
    emit chosen();
}

void Player::setSpeed(double speed)
{
    m_speed = speed;
    if (m_playing)
        m_timer.setInterval(interval());
    emit chosen();
}

int Player::interval() const { return std::max(1, static_cast<int>(sweepMilliseconds / stepsPerSweep / m_speed)); }

void Player::play()
{
    if (m_keep)
        pause();
    const std::vector<Playable> all = playablesNow();
    const auto found =
        std::find_if(all.begin(), all.end(), [this](const Playable& one) { return one.id == m_playable; });
    begin(found == all.end() ? all.front() : *found);
}

void Player::begin(const Playable& played)
{
    m_played = played;
    m_playable = played.id;
    m_place = std::clamp(played.place(m_document.scenario()), 0.0, 1.0);
    if (m_place >= 1)
        m_direction = -1;
    m_stepShown = true;
    m_keeping = false;
    ++m_run;
    m_playing = true;
    m_document.endGesture();
    m_timer.start(interval());
    emit playingChanged(true);
}

void Player::pause()
{
    if (!m_playing)
        return;
    m_timer.stop();
    m_playing = false;
    m_keep = nullptr;
    m_document.endGesture();
    emit playingChanged(false);
}

void Player::record(const Sweep& sweep, std::function<bool(int)> keep)
{
    play();
    m_keep = std::move(keep);
    m_sweep = sweep;
    m_frame = 0;
}

void Player::step()
{
    if (!m_stepShown)
        return;
    if (m_keep && m_frame == m_sweep.frames)
        return pause();
    m_place = m_keep ? m_sweep.from + (m_sweep.to - m_sweep.from) * m_frame / std::max(1, m_sweep.frames - 1)
                     : m_place + m_direction / double(stepsPerSweep);
    if (m_place > 1 || m_place < 0) {
        m_direction = -m_direction;
        m_place = std::clamp(m_place, 0.0, 1.0);
    }
    const Scenario before = m_document.scenario();
    m_document.edit(u"Play %1"_s.arg(m_played.label), [&](Scenario& scenario) { m_played.move(scenario, m_place); });
    m_stepShown =
        m_document.scenario() == before;  // a whole number may stand still, and the first may be where the number was
    if (m_stepShown && m_keep) {          // then the frame is shown already
        m_stepShown = false;
        arrived();
    }
}

void Player::pauseIfGone()
{
    if (!m_playing)
        return;
    const std::vector<Playable> all = playablesNow();
    if (std::none_of(all.begin(), all.end(), [this](const Playable& one) { return one.id == m_played.id; }))
        pause();
}

void Player::arrived()
{
    if (!m_playing || m_stepShown || m_keeping ||
        (m_keep && !m_analyser.isSettled()))  // a kept frame is exact and whole
        return;
    if (!m_keep) {
        m_stepShown = true;
        return;
    }
    m_keeping = true;
    QTimer::singleShot(0, this, [this, run = m_run] {  // after the views, which replot from the event loop
        if (run != m_run || !m_keep)
            return;
        m_keeping = false;
        const bool on = m_keep(m_frame++);
        m_stepShown = true;  // not before: the next step would be in this frame
        if (!on)
            pause();
    });
}

}  // namespace attnscope

#include "moc_player.cpp"

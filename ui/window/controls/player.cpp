#include "ui/window/controls/player.h"

#include "core/analysis/scenario.h"
#include "ui/window/analyser.h"
#include "ui/window/controls/number_scale.h"
#include "ui/window/document.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr double sweepMilliseconds = 8000;

template <class Member>
Playable playable(const QString& id, const QString& label, NumberScale scale, Member member)
{
    return {id, label, [scale, member](const Scenario& s) { return scale.toFraction(static_cast<double>(std::invoke(member, s))); },
            [scale, member](Scenario& s, double place) {
                auto& field = std::invoke(member, s);
                field = static_cast<std::remove_reference_t<decltype(field)>>(scale.fromFraction(place));
            }};
}

}  // namespace

std::span<const Playable> playables()
{
    static const Playable all[] = {
        playable(QStringLiteral("n"), QObject::tr("Length n"), {16, 4096, true, true}, &Scenario::n),
        playable(QStringLiteral("temperature"), QObject::tr("Temperature \u03C4"), {0.1, 10, true}, &Scenario::temperature),
        playable(QStringLiteral("nTrain"), QObject::tr("Trained at N"), {16, 4096, true, true}, &Scenario::nTrain),
        playable(QStringLiteral("d"), QObject::tr("Head size d"), {2, 256, true, true}, &Scenario::d),
        playable(QStringLiteral("seed"), QObject::tr("Seed"), {0, 120, false, true}, &Scenario::seed)};
    return all;
}

Player::Player(Document& document, Analyser& analyser, QObject* parent) : QObject(parent), m_document(document), m_analyser(analyser)
{
    connect(&m_timer, &QTimer::timeout, this, &Player::step);
    connect(&analyser, &Analyser::arrived, this, &Player::arrived);
    connect(&analyser, &Analyser::busyChanged, this, &Player::arrived);
    connect(&analyser, &Analyser::failed, this, &Player::pause);
    connect(&analyser, &Analyser::cancelled, this, &Player::pause);
}

void Player::play()
{
    const Playable& played = playables()[static_cast<size_t>(m_playable)];
    m_place = std::clamp(played.place(m_document.scenario()), 0.0, 1.0);
    if (m_place >= 1)
        m_direction = -1;
    m_stepShown = true;
    m_playing = true;
    m_document.endGesture();
    m_timer.start(static_cast<int>(sweepMilliseconds / stepsPerSweep / m_speed));
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

void Player::record(std::function<void(int)> keep)
{
    play();
    m_keep = std::move(keep);
    m_place = -1.0 / stepsPerSweep;
    m_direction = 1;
    m_frame = 0;
}

void Player::step()
{
    if (!m_stepShown)
        return;
    m_place += m_direction / double(stepsPerSweep);
    if (m_place > 1 && m_keep)
        return pause();
    if (m_place > 1 || m_place < 0) {
        m_direction = -m_direction;
        m_place = std::clamp(m_place, 0.0, 1.0);
    }
    const Playable& played = playables()[static_cast<size_t>(m_playable)];
    const Scenario before = m_document.scenario();
    m_document.edit(tr("Play %1").arg(played.label), [&](Scenario& scenario) { played.move(scenario, m_place); });
    m_stepShown = m_document.scenario() == before;  // a whole number may stand still
}

void Player::arrived()
{
    if (!m_playing || m_stepShown || (m_keep && !m_analyser.isSettled()))  // a kept frame is exact and whole
        return;
    m_stepShown = true;
    if (m_keep)  // after the views, which replot from the event loop
        QTimer::singleShot(0, this, [this] {
            if (m_keep)
                m_keep(m_frame++);
        });
}

}  // namespace attnscope

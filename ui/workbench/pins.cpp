#include "ui/workbench/pins.h"

#include "core/analysis/analysis_cache.h"
#include "ui/figure/analysis_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/document.h"

#include <algorithm>

namespace attnscope {

namespace {

/// What of a scenario decides its numbers: not the part that is looked at.
Scenario withoutPlace(Scenario scenario)
{
    View view;
    view.measure = scenario.view.measure;
    view.rows = scenario.view.rows;
    scenario.view = std::move(view);
    return scenario;
}

/// What is measured, and over which rows, is that of `now` in all that is compared.
void measureAs(Scenario& scenario, const Scenario& now)
{
    scenario.view.measure = now.view.measure;
    scenario.view.rows = now.view.rows;
}

/// Null: it cannot be.
std::optional<AnalysisPtr> analysed(const Scenario& scenario, const std::stop_token& stop)
{
    AnalysisCache cache;
    auto analysis = analyseWhatCan(scenario, stop, cache);
    if (stop.stop_requested())
        return {};
    return analysis ? std::make_shared<const Analysis>(std::move(*analysis)) : AnalysisPtr();
}

bool isWhole(const Analysis& analysis)
{
    return analysis.sampledRows.empty() && !analysis.curvesCome && !analysis.theoryComes &&
           analysis.scenario.view.table;
}

}  // namespace

Pins::Pins(Document& document, Analyser& analyser, QObject* parent)
    : QObject(parent), m_document(document), m_analyser(analyser),
      m_computed([](const Scenario& scenario, const auto&, const std::stop_token& stop,
                    const auto&) { return analysed(scenario, stop); },
                 [](const Error&) { return AnalysisPtr(); }, [this] { follow(); })
{
    connect(&document, &Document::lookChanged, this, &Pins::follow);
    connect(&document, &Document::changed, this, &Pins::follow);
    connect(&analyser, &Analyser::arrived, this, [this](const AnalysisPtr& analysis) {
        if (m_analyser.isFlipped())
            return;
        take(withoutPlace(analysis->scenario), analysis);
        follow();  // the maps may have another size
    });
}

/// As charts, maps and the table compare it: with all numbers, in cells as large.
Scenario Pins::asked(std::size_t place) const
{
    Scenario scenario = m_document.look().pins[place];
    measureAs(scenario, m_document.scenario());
    scenario.view.table = true;
    if (m_analyser.pixels() > 0)
        scenario.view.pixels = m_analyser.pixels();
    return scenario;
}

void Pins::readAgain(const std::function<bool(const Scenario&)>& reads)
{
    bool any = false;
    for (std::size_t i = 0; i < m_asked.size(); ++i)
        if (reads(m_asked[i])) {
            if (m_flipped == static_cast<int>(i))
                flipBack();
            m_asked[i] = {};  // nothing is known of it
            m_analyses[i] = nullptr;
            m_failed[i] = false;
            any = true;
        }
    if (!any)
        return;
    m_computed.drop();
    follow();
}

void Pins::pin()
{
    if (isFull() || current() >= 0 || m_document.scenario().methods.empty())
        return;
    m_document.editPins(u"Pin"_s, [this](std::vector<Scenario>& pins) { pins.push_back(m_document.scenario()); });
}

void Pins::remove(int place)
{
    flipBack();
    const std::vector<Scenario> before = m_document.look().pins;
    m_document.editPins(u"Remove pin"_s, [place](std::vector<Scenario>& pins) { pins.erase(pins.begin() + place); });
    emit removed(before);
}

void Pins::removeAll()
{
    flipBack();
    const std::vector<Scenario> before = m_document.look().pins;
    m_document.editPins(u"Remove all pins"_s, [](std::vector<Scenario>& pins) { pins.clear(); });
    emit removed(before);
}

void Pins::putBack(const std::vector<Scenario>& before)
{
    m_document.editPins(u"Put pins back"_s, [&before](std::vector<Scenario>& pins) { pins = before; });
}

void Pins::goTo(int place)
{
    flipBack();
    Scenario next = m_document.look().pins[static_cast<std::size_t>(place)];
    measureAs(next, m_document.scenario());
    m_document.replaceOnce(u"Pin %1"_s.arg(place + 1), std::move(next));
}

void Pins::flipTo(int place)
{
    if (place >= std::ssize(m_analyses) || !m_analyses[static_cast<std::size_t>(place)])
        return;
    m_flipped = place;
    m_flippedTo = m_document.look().pins[static_cast<std::size_t>(place)];
    m_analyser.showInstead(m_analyses[static_cast<std::size_t>(place)]);
    emit changed();
}

void Pins::flipBack()
{
    if (m_flipped < 0)
        return;
    m_flipped = -1;
    m_analyser.showInstead(nullptr);
    emit changed();
}

bool Pins::isFull() const { return m_document.look().pins.size() >= Look::mostPins; }

int Pins::current() const
{
    const std::vector<Scenario>& pins = m_document.look().pins;
    const auto found = std::ranges::find_if(pins, [now = withoutPlace(m_document.scenario())](Scenario pin) {
        measureAs(pin, now);
        return withoutPlace(std::move(pin)) == now;
    });
    return found == pins.end() ? -1 : static_cast<int>(found - pins.begin());
}

/// Keeps what is known of the pins that there are, and asks for the first that is not.
void Pins::follow()
{
    const std::size_t count = m_document.look().pins.size();
    if (m_flipped >= 0 && (m_flipped >= std::ssize(m_document.look().pins) ||
                           m_document.look().pins[static_cast<std::size_t>(m_flipped)] != m_flippedTo))
        flipBack();  // undo took it away
    std::vector<AnalysisPtr> analyses(count);
    std::vector<Scenario> wanted(count);
    std::vector<bool> failed(count);
    const int pixels = m_analyser.pixels();
    const auto isAsWanted = [pixels](const AnalysisPtr& analysis) {
        return analysis && isWhole(*analysis) && (pixels <= 0 || analysis->scenario.view.pixels == pixels);
    };
    for (std::size_t i = 0; i < count; ++i) {
        wanted[i] = withoutPlace(asked(i));
        if (const auto known = std::ranges::find(m_asked, wanted[i]); known != m_asked.end()) {
            analyses[i] = m_analyses[static_cast<std::size_t>(known - m_asked.begin())];
            failed[i] = m_failed[static_cast<std::size_t>(known - m_asked.begin())];
        }
    }
    if (const auto& computed = m_computed.value())
        if (const auto of = std::ranges::find(wanted, withoutPlace(*m_computed.of())); of != wanted.end()) {
            const auto i = static_cast<std::size_t>(of - wanted.begin());
            failed[i] = !*computed;
            if (*computed && !isAsWanted(analyses[i]))
                analyses[i] = *computed;
        }
    const AnalysisPtr& live = m_analyser.current();
    const bool isLive = live && !m_analyser.isFlipped();
    const auto comes = [&](std::size_t i) {
        return isLive && withoutPlace(live->scenario) == wanted[i];
    };  // with what it still lacks
    for (std::size_t i = 0; i < count; ++i)
        if (!analyses[i] && comes(i))
            analyses[i] = live;
    const bool differs = analyses != m_analyses;
    std::vector<bool> missing(count);
    for (std::size_t i = 0; i < count; ++i)
        missing[i] = !failed[i] && !comes(i) && !isAsWanted(analyses[i]);
    m_analyses = std::move(analyses);
    m_asked = std::move(wanted);
    m_failed = std::move(failed);
    if (differs)
        emit changed();
    const bool isAsked =
        m_computed.isComputing() && std::ranges::find(m_asked, withoutPlace(*m_computed.asked())) != m_asked.end();
    const auto next = std::ranges::find(missing, true);
    if (!isAsked && next != missing.end())
        m_computed.ask(asked(static_cast<std::size_t>(next - missing.begin())));
}

void Pins::take(const Scenario& asked, const AnalysisPtr& analysis)
{
    const auto place = std::ranges::find(m_asked, asked) - m_asked.begin();
    if (place == std::ssize(m_asked))
        return;  // it is gone
    const auto i = static_cast<std::size_t>(place);
    if (m_analyses[i] == analysis || (m_analyses[i] && !isWhole(*analysis)))
        return;  // a preview is less than what is known
    m_analyses[i] = analysis;
    emit changed();
}

void addGhosts(ChartSpec& chart, const Pins& pins, const std::function<ChartSpec(const Analysis&)>& chartOf)
{
    for (std::size_t i = 0; i < pins.analyses().size(); ++i)
        if (const AnalysisPtr& pin = pins.analyses()[i])
            addGhost(chart, chartOf(*pin), static_cast<int>(i) + 1);
}

}  // namespace attnscope

#include "moc_pins.cpp"

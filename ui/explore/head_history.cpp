#include "ui/explore/head_history.h"

#include "core/base/text.h"
#include "ui/plot/qt_text.h"

#include <algorithm>
#include <limits>

namespace attnscope {

namespace {

constexpr std::size_t mostWritings = 4096;  // then every second one goes
constexpr double dimmed = 0.35, thin = 0.7, strong = 1.6;

std::optional<double> stepOf(const OfferedFile& file)
{
    const auto& metadata = file.file.metadata();
    const auto found = metadata.find("step");
    return found == metadata.end() ? std::nullopt : typedNumber(found->second);
}

bool areSteps(const std::vector<HeadWriting>& writings)
{
    return std::ranges::all_of(writings, [](const HeadWriting& one) { return one.step.has_value(); }) &&
           std::ranges::adjacent_find(writings, [](const HeadWriting& one, const HeadWriting& next) {
               return *one.step >= *next.step;
           }) == writings.end();
}

}  // namespace

void HeadHistory::add(const EveryHead& of, const EveryHeadNumbers& numbers)
{
    if (!numbers.error.empty())
        return;
    const bool same = m_of && m_of->scenario == of.scenario;
    if (!same)
        m_writings.clear();
    HeadWriting now{stepOf(*of.file), numbers.layers};
    if (same && m_of->file == of.file)
        m_writings.back() = std::move(now);
    else
        m_writings.push_back(std::move(now));
    m_of = of;
    if (m_writings.size() > mostWritings) {
        std::size_t place = 0;
        std::erase_if(m_writings, [&](const HeadWriting&) { return place++ % 2 == 1; });
    }
}

HeadHistoryChart chartOf(const HeadHistory& history, const HeadMeasure& measure, const QStringList& layers,
                         QPoint chosen, int style)
{
    HeadHistoryChart out;
    const std::vector<HeadWriting>& writings = history.writings();
    if (writings.empty())
        return out;
    const bool steps = areSteps(writings);
    out.chart.x.title = steps ? u"Step"_s : u"Writing of the file"_s;
    out.chart.y.title = text(measure.title);
    out.chart.legend = Legend::None;
    const auto& now = writings.back().layers;
    for (std::size_t layer = 0; layer < now.size(); ++layer)
        for (std::size_t head = 0; head < now[layer].size(); ++head)
            out.heads.emplace_back(static_cast<int>(layer), static_cast<int>(head));
    std::ranges::stable_partition(out.heads, [&](QPoint head) { return head != chosen; });
    for (const QPoint at : out.heads) {
        const auto layer = static_cast<std::size_t>(at.x()), head = static_cast<std::size_t>(at.y());
        ChartSeries line{.label = u"%1, head %2"_s.arg(layers.value(at.x())).arg(at.y()),
                         .style = style,
                         .shape = at == chosen ? ChartSeries::Shape::LinePoints : ChartSeries::Shape::Line,
                         .solid = true,
                         .emphasis = at == chosen ? strong : thin,
                         .opacity = at == chosen ? 1 : dimmed};
        for (std::size_t i = 0; i < writings.size(); ++i) {
            const auto& then = writings[i].layers;
            const bool has = layer < then.size() && head < then[layer].size();
            line.points.push_back(
                {steps ? *writings[i].step : double(i + 1),
                 has ? measure.value(then[layer][head]).value_or(std::numeric_limits<double>::quiet_NaN())
                     : std::numeric_limits<double>::quiet_NaN()});
        }
        out.chart.series.push_back(std::move(line));
    }
    return out;
}

}  // namespace attnscope

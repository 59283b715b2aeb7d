#include "ui/explore/head_history.h"

#include "core/base/text.h"
#include "ui/plot/qt_text.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace attnscope {

namespace {

constexpr std::size_t mostValues = 4'000'000;  // of all writings: beyond it every second one goes
constexpr double dimmed = 0.35, thin = 0.7, strong = 1.6;

std::optional<double> stepOf(const TensorFile& file)
{
    const auto& metadata = file.metadata();
    const auto found = metadata.find("step");
    return found == metadata.end() ? std::nullopt : typedNumber(found->second);
}

std::vector<float> valuesOf(const HeadNumbers& numbers)
{
    std::vector<float> values;
    for (const HeadMeasure& measure : modelHeadMeasures())
        values.push_back(static_cast<float>(measure.value(numbers).value_or(std::numeric_limits<double>::quiet_NaN())));
    return values;
}

bool areSteps(const std::vector<HeadWriting>& writings)
{
    return std::ranges::all_of(writings, [](const HeadWriting& one) { return one.step.has_value(); }) &&
           std::ranges::adjacent_find(writings, [](const HeadWriting& one, const HeadWriting& next) {
               return *one.step >= *next.step;
           }) == writings.end();
}

}  // namespace

HeadWriting writingOf(const TensorFile& file, const EveryHeadNumbers& numbers)
{
    HeadWriting out{.step = stepOf(file)};
    for (const std::vector<HeadNumbers>& layer : numbers.layers)
        std::ranges::transform(layer, std::back_inserter(out.layers.emplace_back()), valuesOf);
    return out;
}

void HeadHistory::add(const EveryHead& of, const EveryHeadNumbers& numbers)
{
    if (!numbers.error.empty())
        return;
    const bool same = m_of && m_of->scenario == of.scenario;
    if (!same)
        m_writings.clear();
    HeadWriting now = writingOf(of.file->file, numbers);
    now.number = m_writings.empty() ? 1 : m_writings.back().number + 1;
    m_values = 0;
    for (const std::vector<HeadNumbers>& layer : numbers.layers)
        m_values += layer.size() * modelHeadMeasures().size();
    if (m_of == of) {
        now.number = m_writings.back().number;
        m_writings.back() = std::move(now);
    } else {
        m_writings.push_back(std::move(now));
    }
    m_of = of;
    if (m_writings.size() * m_values > mostValues && m_writings.size() > 3) {
        std::size_t place = m_writings.size();  // the last stays
        std::erase_if(m_writings, [&](const HeadWriting&) { return --place % 2 == 1; });
    }
}

HeadHistoryChart chartOf(const std::vector<HeadWriting>& writings, const HeadMeasure& measure,
                         const QStringList& layers, QPoint chosen, int style)
{
    HeadHistoryChart out;
    if (writings.empty())
        return out;
    const bool steps = areSteps(writings), run = !writings.front().file.path.empty();
    const auto place = static_cast<std::size_t>(&measure - modelHeadMeasures().data());
    out.chart.x.title = steps ? u"Step"_s : run ? u"Number of the file"_s : u"Writing of the file"_s;
    if (!steps && !run) {  // whole numbers
        const int last = writings.back().number, every = 1 + last / 8;
        for (int number = every; number <= last; number += every)
            out.chart.x.ticks.push_back({double(number), QString::number(number)});
    }
    out.chart.y.title = text(measure.title);
    out.chart.legend = Legend::None;
    const auto& now = writings.back().layers;
    for (std::size_t layer = 0; layer < now.size(); ++layer)
        for (std::size_t head = 0; head < now[layer].size(); ++head)
            out.heads.emplace_back(static_cast<int>(layer), static_cast<int>(head));
    std::stable_partition(out.heads.begin(), out.heads.end(), [&](QPoint head) { return head != chosen; });
    for (const QPoint at : out.heads) {
        const auto layer = static_cast<std::size_t>(at.x()), head = static_cast<std::size_t>(at.y());
        ChartSeries line{.label = u"%1, head %2"_s.arg(layers.value(at.x())).arg(at.y()),
                         .style = style,
                         .shape = at == chosen || writings.size() == 1 ? ChartSeries::Shape::LinePoints
                                                                       : ChartSeries::Shape::Line,
                         .solid = true,
                         .emphasis = at == chosen ? strong : thin,
                         .opacity = at == chosen ? 1 : dimmed};
        for (const HeadWriting& then : writings) {
            const bool has = layer < then.layers.size() && head < then.layers[layer].size();
            line.points.push_back(
                {steps ? *then.step
                 : run ? then.file.number
                       : double(then.number),
                 has ? double(then.layers[layer][head][place]) : std::numeric_limits<double>::quiet_NaN()});
        }
        out.chart.series.push_back(std::move(line));
    }
    return out;
}

}  // namespace attnscope

#include "core/tuning/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

Search::Search(const TuneProblem& problem, const TuneRequest& request, const TuneWatch& watch, Losses& losses,
               TunedAt at)
    : m_problem(problem), m_request(request), m_watch(watch), m_losses(losses), m_at(at)
{
    m_losses.afterEach([this] { tell(); });
}

double Search::asItIs(std::size_t windows) const
{
    return windows >= 1 && windows <= m_asItIs.size() ? m_asItIs[windows - 1] : std::nan("");
}

Result<std::vector<WindowLoss>> Search::each(const Setting& setting, std::size_t windows)
{
    return m_losses.windows(policyAt(setting, m_at, m_at.n), m_at.n, std::span(m_problem.fitting).first(windows));
}

Result<std::vector<WindowLoss>> Search::slopes(const Setting& setting, std::size_t windows)
{
    return m_losses.slopes(policyAt(setting, m_at, m_at.n), m_at.n, std::span(m_problem.fitting).first(windows));
}

Result<double> Search::loss(const Setting& setting, std::size_t windows, const std::string& published)
{
    const Policy policy = policyAt(setting, m_at, m_at.n);
    const double mean = TRY(m_losses.mean(policy, m_at.n, std::span(m_problem.fitting).first(windows)));
    if (windows == all() && m_asItIs.empty() && setting == untuned(setting.policy.trainLength)) {
        const std::vector<WindowLoss> own = TRY(each(setting, windows));
        for (double sum = 0; const WindowLoss& window : own) {
            sum += window.loss;
            m_asItIs.push_back(sum / static_cast<double>(m_asItIs.size() + 1));
        }
    }
    const auto [place, isNew] = m_places.emplace(keyOf(policy), m_tried.size());
    if (isNew)
        m_tried.push_back({setting, windows, mean, published});
    TriedSetting& entry = m_tried[place->second];
    if (windows >= entry.windows) {
        entry.windows = windows;
        entry.loss = mean;
        entry.change = mean - asItIs(windows);
    }
    if (!published.empty())
        entry.published = published;
    if (windows == all() && published.empty() && mean < m_bestLoss) {
        m_bestLoss = mean;
        m_best = setting;
    }
    tell();
    return mean;
}

void Search::tell()
{
    if (!m_watch.progress || !std::isfinite(m_bestLoss))
        return;
    const TriedSetting* best = nullptr;  // published ones too
    for (const TriedSetting& one : m_tried)
        if (one.windows == all() && (!best || one.loss < best->loss))
            best = &one;
    const double done = m_losses.done(), expected = static_cast<double>(std::max<std::size_t>(m_expected, 1));
    m_watch.progress({std::min(0.99, done / std::max(expected, done * 1.05)), m_stage, best->loss, asItIs(all()),
                      best->published.empty() ? describe(best->setting, m_at) : best->published, m_tried});
}

Result<Setting> Search::along(const Line& line, const std::function<Setting(double x)>& change)
{
    const double x =
        TRY(minimise(line, [&](double here, bool exact) { return loss(change(here), exact ? all() : few()); }));
    const Setting found = change(x);
    const double edge = 0.06 * (line.to - line.from) / (line.points - 1);  // as near as a line is told apart
    if (found.policy.factors.empty() && (x - line.least < edge || line.most - x < edge))
        m_atEdges.emplace_back(found, change(line.from).policy.position != change(line.to).policy.position);
    return found;
}

bool Search::isAtEdge(const Setting& setting) const
{
    return std::ranges::any_of(m_atEdges, [&](const auto& edge) {
        const auto& [found, ofPositions] = edge;
        return setting.policy.position == found.policy.position &&
               (ofPositions || setting.multiplier == found.multiplier);
    });
}

Result<std::vector<std::size_t>>
Search::halve(std::size_t count, const std::function<Result<double>(std::size_t which, std::size_t windows)>& value)
{
    std::vector<std::size_t> left(count);
    std::iota(left.begin(), left.end(), std::size_t{0});
    for (std::size_t windows = few();; windows = std::min(2 * windows, all())) {
        std::vector<double> values(count, withoutValue);
        for (const std::size_t which : left)
            values[which] = TRY(value(which, windows));
        std::ranges::stable_sort(left, {}, [&](std::size_t which) { return values[which]; });
        if (windows == all())
            return left;
        left.resize((left.size() + 1) / 2);
    }
}

std::vector<TriedSetting> Search::tried() const { return m_tried; }

Result<Setting> searchScale(Search& search, const Setting& start)
{
    const double extreme = std::log(16.0);  // m from 1/16 to 16
    Setting best = start;
    double least = withoutValue;
    for (const std::string& id : search.request().rules) {
        const ScaleRule& rule = **findRow(scaleRules(), id, "rule");
        search.say(rule.byRow ? "m by row" : "m");
        const Setting found = TRY(
            search.along({.from = std::log(0.5), .to = std::log(2.6), .points = 7, .least = -extreme, .most = extreme},
                         [&](double x) {
                             Setting setting = start;
                             setting.rule = id;
                             setting.multiplier = rounded(std::exp(x));
                             return setting;
                         }));
        if (const double here = TRY(search.loss(found, search.all())); here < least) {
            least = here;
            best = found;
        }
    }
    return TRY(search.loss(start, search.all())) <= least ? start : best;
}

}  // namespace attnscope

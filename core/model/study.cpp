#include "core/model/study.h"

#include "core/attention/masks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace attnscope {

namespace {

/// The runs of one length.
class LengthRuns {
public:
    LengthRuns(const Model& model, std::span<const int> ids, const StudyRequest& request, std::int64_t n,
               std::span<StudyCell> cells)
        : m_model(model), m_ids(ids), m_request(request), m_n(n), m_cells(cells), m_policies(cells.size())
    {
    }

    /// Finds windows, and which policies have a value. Errors: those of resolve but Undefined.
    Result<void> prepare()
    {
        if (m_request.starts.empty()) {
            const auto spread = spreadWindows(m_model.architecture, m_ids, m_n, std::max(1, m_request.windows));
            if (!spread)
                return without(spread.error());
            m_starts = *spread;
        } else {
            m_starts = m_request.starts;
            for (const std::int64_t start : m_starts)
                if (const auto window = windowOf(m_model.architecture, m_ids, start, m_n); !window)
                    return without(window.error());
        }
        for (size_t p = 0; p < m_cells.size(); ++p) {
            const auto resolved =
                resolve(toBeMeasured(m_request.policies[p], m_model.architecture), m_model.architecture, m_n);
            if (!resolved && resolved.error().kind != ErrorKind::Undefined &&
                (m_request.strict || resolved.error().kind != ErrorKind::InvalidArgument))
                return tl::unexpected(resolved.error());
            if (resolved)
                m_valued.push_back(p);
            else
                m_cells[p].absent = resolved.error().message;
        }
        return {};
    }

    int windows() const { return static_cast<int>(m_starts.size()); }
    int runsOfWindow() const
    {
        return m_valued.empty() ? 0 : m_request.captured ? 1 : static_cast<int>(m_valued.size());
    }

    double workOfBeginning() const
    {
        const double runs = begun().empty() ? 0 : m_request.captured ? 1 : static_cast<double>(begun().size());
        return runs * workOf(m_model, m_request.beginning);
    }

    /// The first tokens of the first window under every policy that has them for a fraction of the whole window's time:
    /// it does not look ahead and has nothing to measure first. Errors: those of runWindow.
    Result<void> begin(const std::function<void(double work)>& took, const std::stop_token& stop)
    {
        for (const size_t p : begun()) {
            if (m_request.captured && p != m_valued.front()) {
                m_cells[p].beginning = m_cells[m_valued.front()].beginning;  // the same model
                took(0);
                continue;
            }
            Window tokens = windowOf(m_model.architecture, m_ids, m_starts.front(), m_n).value();
            tokens.inputs.resize(static_cast<size_t>(m_request.beginning));
            tokens.targets.resize(tokens.inputs.size());
            auto result = TRY(runWindow(m_model, tokens,
                                        {.policy = m_request.captured ? Policy{} : m_request.policies[p],
                                         .everyPrediction = true,
                                         .length = m_n,
                                         .engine = m_request.engine,
                                         .stop = stop}));
            m_cells[p].beginning = std::move(result.predictions);
            took(workOf(m_model, m_request.beginning));
        }
        return {};
    }

    /// Run `which` of window `window`. Errors: those of withMeasuredHeads and runWindow.
    Result<void> run(int window, int which, const std::function<void(double)>& progress, const StudyWatch& watch)
    {
        const Window tokens = TRY(windowOf(m_model.architecture, m_ids, m_starts[static_cast<size_t>(window)], m_n));
        WindowRequest request{.policy = {},
                              .last = m_request.last,
                              .everyPrediction = m_request.everyPrediction,
                              .engine = m_request.engine,
                              .observe = watch.observe,
                              .progress = progress,
                              .stop = watch.stop,
                              .roles = true};
        std::vector<size_t> served = m_valued;
        if (!m_request.captured)
            served = {m_valued[static_cast<size_t>(which)]};
        for (const size_t p : served) {
            std::optional<Policy>& policy = m_policies[p];
            if (!policy)
                policy =
                    TRY(withMeasuredHeads(m_model, m_request.policies[p], m_ids, m_n,
                                          {.last = m_request.last, .engine = m_request.engine, .stop = watch.stop}));
            request.pictures.push_back(*policy);
        }
        if (!m_request.captured)
            request.policy = request.pictures.front();
        WindowResult result = TRY(runWindow(m_model, tokens, request));
        const std::int64_t counted = countedOf(m_model.architecture, m_n, m_request.last);
        for (size_t s = 0; s < served.size(); ++s) {
            StudyCell& cell = m_cells[served[s]];
            if (request.pictures[s].headMultipliers)
                cell.partly = request.pictures[s].headMultipliers->note();
            for (int layer = 0; window == 0 && layer < m_model.architecture.layers; ++layer)
                cell.logKeys.push_back(
                    TRY(meanLogKeys(request.pictures[s], m_model.architecture, layer, m_n, counted)));
            m_round.emplace_back(served[s], std::make_shared<const StudyWindow>(
                                                StudyWindow{result.predictions, counted, std::move(result.entropies[s]),
                                                            std::move(result.roles[s])}));
        }
        // means of a policy that is a window ahead of the others would be compared with theirs
        if (window == 0 || m_round.size() == m_valued.size())
            for (auto& [policy, ran] : std::exchange(m_round, {}))
                m_cells[policy].windows.push_back(std::move(ran));
        return {};
    }

private:
    /// The policies whose beginning is worth looking at before the window is there.
    std::vector<size_t> begun() const
    {
        constexpr std::int64_t fraction = 4;
        std::vector<size_t> these;
        if (m_request.beginning > 0 && m_n >= fraction * m_request.beginning && !m_starts.empty() &&
            m_model.architecture.causal)
            std::ranges::copy_if(m_valued, std::back_inserter(these), [&](size_t p) {
                const Policy policy = m_request.captured ? Policy{} : m_request.policies[p];
                return !(policy.mask && looksAhead(*policy.mask)) && !isMeasured(policy.method);
            });
        return these;
    }

    Result<void> without(const Error& why)
    {
        if (m_request.strict)
            return tl::unexpected(why);
        for (StudyCell& cell : m_cells)
            cell.absent = why.message;
        return {};
    }

    const Model& m_model;
    std::span<const int> m_ids;
    const StudyRequest& m_request;
    std::int64_t m_n;
    std::span<StudyCell> m_cells;
    std::vector<std::int64_t> m_starts;
    std::vector<size_t> m_valued;
    std::vector<std::pair<size_t, std::shared_ptr<const StudyWindow>>> m_round;  ///< of policies, until all have it
    std::vector<std::optional<Policy>> m_policies;  ///< with their heads measured, once they were asked for
};

/// Places [first, last] of a window.
struct Places {
    std::int64_t first = 0, last = 0;
};

/// The mean loss of the predictions there that were asked for; nothing where none was.
std::optional<double> lossAt(std::span<const Prediction> predictions, Places places)
{
    const MeanPrediction mean = meanOf(
        predictions.subspan(static_cast<size_t>(places.first), static_cast<size_t>(places.last - places.first + 1)));
    return mean.asked > 0 ? std::optional(mean.loss) : std::nullopt;
}

/// The means over windows of valueAt(window, places), in ranges as lossByPlace() has them; `asked`: of every place the
/// predictions of all windows that were asked for there.
template <class ValueAt>
std::vector<PlaceLoss> byPlace(std::int64_t n, std::span<const std::int64_t> asked, int ranges, std::int64_t windows,
                               const ValueAt& valueAt)
{
    const std::int64_t count = std::ssize(asked);
    std::int64_t left = std::accumulate(asked.begin(), asked.end(), std::int64_t{0});
    std::vector<PlaceLoss> places;
    const double shortestRange = std::min<double>(8, static_cast<double>(n));  // single places say little
    for (std::int64_t first = 0, k = 0; first < count; ++k) {
        const double end = shortestRange * std::pow(static_cast<double>(n) / shortestRange,
                                                    static_cast<double>(std::min<std::int64_t>(k, ranges)) / ranges);
        const std::int64_t wanted = std::min<std::int64_t>(count, std::llround(end)) - 1;
        if (wanted < first)
            continue;
        std::int64_t last = first - 1, here = 0;
        while (last + 1 < count && (last < wanted || here < leastAskedByPlace || left - here < leastAskedByPlace))
            here += asked[static_cast<size_t>(++last)];
        left -= here;
        std::vector<double> values;
        for (std::int64_t window = 0; window < windows; ++window)
            if (const std::optional<double> value = valueAt(window, Places{first, last}))
                values.push_back(*value);
        if (!values.empty())
            places.push_back({first, last, sampleMean(values)});
        first = last + 1;
    }
    return places;
}

}  // namespace

double StudyWindow::loss() const { return meanOf(thatCount()).loss; }

double StudyWindow::accuracy() const { return meanOf(thatCount()).accuracy; }

std::optional<Quality> StudyCell::quality() const
{
    if (windows.empty())
        return {};
    std::vector<WindowQuality> each;
    for (const auto& window : windows)
        each.push_back({window->loss(), window->accuracy(), &window->entropies});
    return qualityOf(each);
}

std::vector<PlaceLoss> lossByPlace(const StudyCell& cell, int ranges)
{
    std::vector<std::span<const Prediction>> all;
    for (const auto& window : cell.windows)
        all.push_back(window->predictions);
    if (all.empty())
        all.push_back(cell.beginning);
    std::vector<std::int64_t> asked(all.front().size());
    for (const std::span<const Prediction> window : all)
        for (size_t place = 0; place < asked.size(); ++place)
            asked[place] += window[place].asked;
    return byPlace(cell.n, asked, ranges, std::ssize(all), [&](std::int64_t window, Places places) {
        return lossAt(all[static_cast<size_t>(window)], places);
    });
}

std::vector<PlaceLoss> differenceByPlace(const StudyCell& cell, const StudyCell& other, int ranges)
{
    const std::ptrdiff_t windows = std::min(std::ssize(cell.windows), std::ssize(other.windows));
    if (windows == 0 || cell.n != other.n)
        return {};
    const std::ptrdiff_t count =
        std::min(std::ssize(cell.windows.front()->predictions), std::ssize(other.windows.front()->predictions));
    std::vector<std::int64_t> asked(static_cast<size_t>(count));
    for (std::ptrdiff_t w = 0; w < windows; ++w)
        for (size_t place = 0; place < asked.size(); ++place)
            asked[place] += cell.windows[static_cast<size_t>(w)]->predictions[place].asked &&
                            other.windows[static_cast<size_t>(w)]->predictions[place].asked;
    return byPlace(cell.n, asked, ranges, windows, [&](std::int64_t window, Places places) -> std::optional<double> {
        const auto w = static_cast<size_t>(window);
        const auto loss = lossAt(cell.windows[w]->predictions, places);
        const auto less = lossAt(other.windows[w]->predictions, places);
        return loss && less ? std::optional(*loss - *less) : std::nullopt;
    });
}

std::optional<SampleMean> pairedDifference(const StudyCell& cell, const StudyCell& other)
{
    std::vector<double> differences;
    for (size_t w = 0; w < std::min(cell.windows.size(), other.windows.size()); ++w)
        differences.push_back(cell.windows[w]->loss() - other.windows[w]->loss());
    return differences.empty() ? std::nullopt : std::optional(sampleMean(differences));
}

HeadValues meanEntropies(const StudyCell& cell)
{
    HeadValues mean;
    for (const auto& window : cell.windows) {
        mean.resize(window->entropies.size());
        for (size_t layer = 0; layer < mean.size(); ++layer) {
            mean[layer].resize(window->entropies[layer].size());
            for (size_t head = 0; head < mean[layer].size(); ++head)
                mean[layer][head] += window->entropies[layer][head] / static_cast<double>(cell.windows.size());
        }
    }
    return mean;
}

HeadRoles meanRoles(const StudyCell& cell, std::size_t layer, std::size_t head)
{
    std::vector<HeadRoles> each;
    for (const auto& window : cell.windows)
        if (layer < window->roles.size() && head < window->roles[layer].size())
            each.push_back(window->roles[layer][head]);
    return meanRoles(each);
}

Result<double> meanLogKeys(const Policy& policy, const Architecture& architecture, int layer, std::int64_t n,
                           std::int64_t counted)
{
    const Choice choice = policy.mask.value_or(maskOf(architecture, layer));
    const auto mask = TRY(findRow(masks(), choice.id, "mask"));
    const Parameters parameters(*mask, choice);
    double sum = 0;
    std::int64_t rows = 0;
    for (std::int64_t i = n - counted; i < n; ++i)
        if (const std::int64_t keys = mask->visible(i, n, parameters).count(); keys > 0) {
            sum += std::log(static_cast<double>(keys));
            ++rows;
        }
    return sum / static_cast<double>(rows);
}

Result<StudyResult> runStudy(const Model& model, std::span<const int> ids, const StudyRequest& request,
                             const StudyWatch& watch)
{
    if (request.lengths.empty() || request.policies.empty())
        return failure(ErrorKind::InvalidArgument, "a study needs a length and a policy; give both");
    StudyResult result;
    std::vector<std::int64_t> lengths = request.lengths;
    for (const std::int64_t n : lengths)
        for (size_t p = 0; p < request.policies.size(); ++p)
            result.cells.push_back({.n = n, .policy = p, .windows = {}});
    std::vector<LengthRuns> all;
    int rounds = 0;
    for (size_t l = 0; l < lengths.size(); ++l) {
        all.emplace_back(model, ids, request, lengths[l],
                         std::span(result.cells).subspan(l * request.policies.size(), request.policies.size()));
        TRY(all.back().prepare());
        const int runs = all.back().windows() * all.back().runsOfWindow();
        result.runs += runs;
        result.work += runs * workOf(model, lengths[l]);
        rounds = std::max(rounds, all.back().windows());
    }
    std::vector<size_t> shortestFirst(lengths.size());
    for (size_t l = 0; l < lengths.size(); ++l)
        shortestFirst[l] = l;
    std::stable_sort(shortestFirst.begin(), shortestFirst.end(),
                     [&](size_t a, size_t b) { return lengths[a] < lengths[b]; });
    const auto tell = [&] {
        if (watch.onResult)
            watch.onResult(result);
    };
    const auto progress = [&](double work) {
        if (watch.progress)
            watch.progress((result.worked + work) / result.work);
    };
    LengthRuns& first = all[shortestFirst.front()];
    result.work += first.workOfBeginning();
    tell();
    TRY(first.begin(
        [&](double work) {
            result.worked += work;
            progress(0);
            tell();
        },
        watch.stop));
    for (int window = 0; window < rounds; ++window)
        for (const size_t l : shortestFirst)
            for (int which = 0; window < all[l].windows() && which < all[l].runsOfWindow(); ++which) {
                const double work = workOf(model, lengths[l]);
                TRY(all[l].run(
                    window, which, [&](double fraction) { progress(fraction * work); }, watch));
                progress(work);
                result.worked += work;
                ++result.done;
                tell();
            }
    return result;
}

}  // namespace attnscope

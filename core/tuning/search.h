#pragma once
// The search on the fitting windows: what was tried, and the ways to try more. Few windows first, all of them where it
// counts.

#include "core/tuning/line_search.h"
#include "core/tuning/losses.h"

#include <map>

namespace attnscope {

class Search {
public:
    Search(const TuneProblem& problem, const TuneRequest& request, const TuneWatch& watch, Losses& losses, TunedAt at);

    const TunedAt& at() const { return m_at; }
    const Architecture& architecture() const { return m_problem.architecture; }
    const TuneRequest& request() const { return m_request; }
    std::size_t all() const { return m_problem.fitting.size(); }
    std::size_t few() const { return few(all()); }
    static std::size_t few(std::size_t all) { return (all + 3) / 4; }

    /// The mean loss over the first `windows` fitting windows; remembered. Infinite where it has no value.
    Result<double> loss(const Setting& setting, std::size_t windows, const std::string& published = {});
    /// Of each of the first `windows`; empty where it has no value.
    Result<std::vector<WindowLoss>> each(const Setting& setting, std::size_t windows);

    /// Their gradients. Errors: Unavailable, with what stands against it.
    Result<std::vector<WindowLoss>> slopes(const Setting& setting, std::size_t windows);

    /// The setting of `change(x)` with the least loss along the line.
    Result<Setting> along(const Line& line, const std::function<Setting(double x)>& change);

    /// Successive halving (Jamieson & Talwalkar 2016): all on few windows, the better half on twice as many, until all
    /// windows were asked. The last ones, best first.
    Result<std::vector<std::size_t>>
    halve(std::size_t count, const std::function<Result<double>(std::size_t which, std::size_t windows)>& value);

    /// The best of what was tried on all windows, that is not published; the model as it is among them.
    const Setting& best() const { return m_best; }
    /// Does it lie at an end of a line that it was found along, whether its positions changed there or its multiplier?
    bool isAtEdge(const Setting& setting) const;
    double bestLoss() const { return m_bestLoss; }
    /// Of the model as it is, over the first `windows`; not a number before that was run on all of them.
    double asItIs(std::size_t windows) const;
    std::vector<TriedSetting> tried() const;
    void say(const std::string& stage) { m_stage = stage; }
    /// Windows that will be run, as far as that is known: for the progress.
    void expect(std::size_t runs) { m_expected += runs; }
    void tell();

private:
    const TuneProblem& m_problem;
    const TuneRequest& m_request;
    const TuneWatch& m_watch;
    Losses& m_losses;
    TunedAt m_at;
    std::vector<TriedSetting> m_tried;
    std::map<std::string, std::size_t> m_places;  ///< in m_tried
    Setting m_best;
    std::vector<std::pair<Setting, bool>> m_atEdges;  ///< found at an end; of a line along which positions change
    double m_bestLoss = withoutValue;
    std::vector<double> m_asItIs;  ///< over the first 1, 2, ... windows
    std::string m_stage;
    std::size_t m_expected = 0;
};

/// m of `start` under the request's rules; the best of them.
Result<Setting> searchScale(Search& search, const Setting& start);
/// A scheme of positions and its parameters.
Result<Setting> searchPositions(Search& search, const Setting& start);
/// Both, by turns; `surface` has the losses over parameter and m around the place where it began.
Result<Setting> searchBoth(Search& search, const Setting& start, std::vector<TriedSetting>& surface);
/// A multiplier a layer or a head, on top of `start`; the report's heads have the gradients where it began.
Result<Setting> searchFactors(Search& search, const Setting& start, bool byLayer, TuneReport& report);
/// The gradients alone.
Result<void> gradientsOf(Search& search, const Setting& start, bool byLayer, TuneReport& report);

/// The best published setting on all fitting windows. Errors: those of losses.
Result<TriedSetting> bestPublished(Search& search);

/// Do the model's layers turn queries and keys, so that the schemes mean something?
bool turns(const Architecture& architecture);

}  // namespace attnscope

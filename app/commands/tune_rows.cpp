#include "app/commands/tune_rows.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

namespace attnscope {

namespace {

using Cells = std::map<std::string, Cell>;

TuneRow tuneRow(const std::string& kind, Cells named)
{
    TuneRow row{kind, {}};
    for (const Column& column : tuneColumns())
        if (column.id != "kind")
            row.cells.push_back(std::move(named[column.id]));
    return row;
}

/// What a setting is, in three columns.
void addSetting(Cells& cells, const Setting& setting, const TunedAt& at)
{
    cells["rule"] = setting.rule;
    cells["multiplier"] = setting.multiplier;
    if (setting.rule != "constant")
        cells["kappa"] = kappaOf(setting, at);
    if (!isVanilla(setting.policy.method))
        cells["method"] = formatChoice(setting.policy.method);
    cells["positions"] = setting.policy.position ? formatChoice(*setting.policy.position) : std::string(ownPositions);
}

/// The multiplier of a method that has its own is what theory's row of it says, at n.
TuneRow triedRow(const std::string& kind, const TriedSetting& tried, const TuneReport& report)
{
    const TunedAt& at = report.at;
    Cells cells{{"what", textCell(tried.published)},
                {"n", at.n},
                {"nll", std::isfinite(tried.loss) ? Cell{tried.loss} : Cell{}},
                {"difference", std::isfinite(tried.change) ? Cell{tried.change} : Cell{}},
                {"windows", static_cast<std::int64_t>(tried.windows)}};
    addSetting(cells, tried.setting, at);
    if (const Choice& method = tried.setting.policy.method; !isVanilla(method)) {
        cells["rule"] = countsOf(method) == Counts::Row ? Cell{"by row"} : Cell{};  // of ours it has none
        const auto mark = std::ranges::find(report.theory, method.id, &TheoryMark::method);
        cells["multiplier"] = mark == report.theory.end() ? Cell{} : Cell{mark->multiplier};
    }
    if (!std::isfinite(tried.loss))
        cells["note"] = "no value at n";
    return tuneRow(kind, std::move(cells));
}

TuneRow verdictRow(const Comparison& of)
{
    return tuneRow("verdict", {{"what", of.what},
                               {"against", of.against},
                               {"n", of.n},
                               {"difference", of.difference.mean},
                               {"stderr", cellOf(of.difference.standardError)},
                               {"low", of.low},
                               {"high", of.high},
                               {"p", cellOf(of.p)},
                               {"p_holm", cellOf(of.holm)},
                               {"windows", of.difference.count}});
}

TuneRow headRow(const HeadRow& of, const std::string& gradientsBy)
{
    return tuneRow("head", {{"layer", std::int64_t{of.layer}},
                            {"head", of.head < 0 ? Cell{} : Cell{std::int64_t{of.head}}},
                            {"multiplier", of.multiplier},
                            {"gradient", cellOf(of.gradient)},
                            {"gradient_by", of.gradient ? Cell{gradientsBy} : Cell{}},
                            {"stderr", cellOf(of.error)},
                            {"measured", cellOf(of.measured)},
                            {"entropy_n_train", cellOf(of.entropyAtTrain)},
                            {"entropy_n", cellOf(of.entropyAtN)}});
}

/// Over the heads, or over the layers where each layer was searched as a whole.
TuneRow correlationRow(const char* with, const RankCorrelation& of, bool overLayers)
{
    return tuneRow("correlation", {{"what", overLayers ? "gain of a layer" : "gain of a head"},
                                   {"against", with},
                                   {"rho", of.rho},
                                   {"p", of.p},
                                   {overLayers ? "layers" : "heads", std::int64_t{of.points}}});
}

}  // namespace

std::vector<Column> tuneColumns()
{
    std::vector<Column> all;
    for (const char* id : {"kind",       "what",     "against",     "n",         "rule",
                           "multiplier", "kappa",    "method",      "positions", "nll",
                           "difference", "stderr",   "low",         "high",      "p",
                           "p_holm",     "windows",  "first",       "last",      "layer",
                           "head",       "gradient", "gradient_by", "measured",  "entropy_n_train",
                           "entropy_n",  "rho",      "heads",       "layers",    "note"})
        all.push_back({id, id == std::string_view("gradient_by") ? Shown::Never : Shown::IfAny});
    return all;
}

std::vector<TuneRow> tuneRows(const TuneReport& report)
{
    std::vector<TuneRow> rows;
    Cells answer{{"n", report.at.n}, {"note", report.answer}};
    if (!report.worseThanChance)
        addSetting(answer, report.use(), report.at);
    rows.push_back(tuneRow("answer", std::move(answer)));
    for (const Comparison& comparison : report.comparisons)
        rows.push_back(verdictRow(comparison));
    for (const PlaceGain& place : report.places)
        rows.push_back(tuneRow("place", {{"what", "tuned"},
                                         {"against", "as it is"},
                                         {"n", report.at.n},
                                         {"first", place.first},
                                         {"last", place.last},
                                         {"difference", place.difference.mean},
                                         {"stderr", cellOf(place.difference.standardError)}}));
    std::vector<TriedSetting> tried = report.tried;  // the curve: by m
    std::ranges::stable_sort(tried, {}, [](const TriedSetting& of) { return of.setting.multiplier; });
    for (const bool published : {false, true})
        for (const TriedSetting& of : tried)
            if (of.published.empty() != published)
                rows.push_back(triedRow(published ? "published" : "tried", of, report));
    for (const TriedSetting& of : report.surface)
        rows.push_back(triedRow("surface", of, report));
    for (const TheoryMark& mark : report.theory)
        rows.push_back(tuneRow("theory", {{"what", mark.method}, {"n", report.at.n}, {"multiplier", mark.multiplier}}));
    for (const HeadRow& head : report.heads)
        rows.push_back(headRow(head, report.gradientsBy));
    const bool overLayers = !report.heads.empty() && report.heads.front().head < 0;
    if (report.gainAndMeasured)
        rows.push_back(correlationRow("ln of the measured multiplier", *report.gainAndMeasured, overLayers));
    if (report.gainAndDispersal)
        rows.push_back(correlationRow("growth of its entropy from N to n", *report.gainAndDispersal, overLayers));
    return rows;
}

TuneRow exportRow(const std::string& target, const Setting& setting, const TunedAt& at, std::optional<double> loss,
                  const std::string& note)
{
    Cells cells{{"what", target}, {"n", at.n}, {"nll", cellOf(loss)}, {"note", textCell(note)}};
    addSetting(cells, setting, at);
    return tuneRow("export", std::move(cells));
}

void writeTuneRows(std::ostream& out, Format format, const std::vector<TuneRow>& rows)
{
    if (format != Format::Table) {
        ResultWriter writer(out, format, tuneColumns());
        for (const TuneRow& row : rows) {
            std::vector<Cell> cells{row.kind};
            cells.insert(cells.end(), row.cells.begin(), row.cells.end());
            writer.add(std::move(cells));
        }
        writer.finish();
        return;
    }
    std::vector<Column> columns = tuneColumns();
    columns.erase(columns.begin());
    for (auto row = rows.begin(); row != rows.end();) {
        const std::string kind = row->kind;
        out << (row == rows.begin() ? "" : "\n") << kind << '\n';
        ResultWriter writer(out, Format::Table, columns);
        for (; row != rows.end() && row->kind == kind; ++row)
            writer.add(row->cells);
        writer.finish();
    }
}

}  // namespace attnscope

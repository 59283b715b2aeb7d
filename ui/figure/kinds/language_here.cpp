// Language models beyond their training length: rows of a published table as curves, and beside them the program's own
// small networks under the same scales. Those numbers are of the recorded runs (resources/labs/recorded_runs.jsonl), or
// of runs in other folders.

#include "core/scaling/scale_method.h"
#include "ui/figure/kinds/support.h"
#include "ui/figure/model_charts.h"

#include <algorithm>
#include <set>

namespace attnscope {

namespace {

/// A row of the published table, and which networks of ours stand beside it.
struct LanguageLine {
    std::string published, label;
    std::string lab;
    double alpha = 0;               ///< of the cosine; 0: the dot product, or a lab that has no cosine
    std::string method, positions;  ///< put in at the test; the networks learned with vanilla
};

struct LanguageTable {
    std::string id;
    std::vector<LanguageLine> lines;
    QString note;  ///< how the two differ
};

/// Networks that learned with logits of `alpha` times the cosine.
LanguageLine cosineLine(const std::string& alpha)
{
    return {alpha, "$\\alpha$ = " + alpha, "masked-lm", std::stod(alpha), "vanilla", "rope"};
}

const std::vector<LanguageTable>& languageTables()
{
    static const std::vector<LanguageTable> rows{
        {"su_table",
         {{"Attention-O", "Vanilla", "masked-lm", 0, "vanilla", "rope"},
          {"Attention-E", "With ln $n$", "masked-lm", 0, "softmax_plus", "rope"}},
         u"The paper's Attention-E learned with ln $n$ / ln 512; here ln $n$ / ln $N$ is put into "
         "networks that learned without it."_s},
        {"infoscale_table10",
         {{"GAU-α", "Dot product", "masked-lm", 0, "vanilla", "rope"},
          {"GAU-α w/ I.S.", "Dot product, InfoScale", "masked-lm", 0, "infoscale", "rope"},
          {"GAU-α w/ C.S.", "Cosine", "masked-lm", 16, "vanilla", "rope"},
          {"GAU-α w/ C.S., I.S.", "Cosine, InfoScale", "masked-lm", 16, "infoscale", "rope"}},
         u"The paper's model was trained at 512, and further at 64. Its cosine has CosScale 128, ours 16."_s},
        {"infoscale_table9",
         {cosineLine("8"), cosineLine("16"), cosineLine("32"), cosineLine("64"), cosineLine("128"), cosineLine("600")},
         u"The paper's model was trained at 512, and further at 64. Of its table the rows for 96 and "
         "256 are not drawn."_s},
        {"infoscale_table1",
         {{"YaRN(s=16)", "YaRN's frequencies", "causal-lm", 0, "vanilla", "yarn_rope"},
          {"YaRN(s=16) w/ I.S.", "YaRN's frequencies, InfoScale", "causal-lm", 0, "infoscale", "yarn_rope"},
          {"ReRoPE", "ReRoPE", "causal-lm", 0, "vanilla", "rerope"},
          {"ReRoPE w/ I.S.", "ReRoPE, InfoScale", "causal-lm", 0, "infoscale", "rerope"}},
         u"The paper's models fill in hidden tokens, and learned at 64; ours predict the next one. The paper's YaRN is "
         "fine-tuned, stretches by 16, and has a temperature by its authors' definition; here it is YaRN's frequencies "
         "(by parts) alone, stretched by $n$ / $N$, untuned. ReRoPE's $w$ is 128 here, a half of $N$."_s}};
    return rows;
}

/// What a line's networks came to at each length, a value a network, with the lab's own standard error over windows. Of
/// perplexities the losses, nats: their mean counts every token alike, that of perplexities the worst network most.
struct LanguageScore {
    std::vector<double> values;
    double errorWithin = std::nan("");
};

bool isPerplexity(const std::string& measure) { return measure == "PPL"; }

/// Loss, or accuracy in the published table's unit, of a row of `quality`, with its standard error.
std::pair<double, double> measured(const LabRow& row, const std::string& measure)
{
    if (isPerplexity(measure))
        return {row.number("nll"), row.number("stderr")};
    const double unit = measure == "ACC" ? 1 : 100;
    return {unit * row.number("accuracy"), unit * row.number("accuracy_stderr")};
}

bool isOf(const BoardRun& run, const LanguageLine& line)
{
    if (run.record.choice.id != line.lab)
        return false;
    const auto lab = findRow(labs(), line.lab, "lab");
    return lab && (!parameterOf(**lab, "alpha") || Parameters(**lab, run.record.choice)["alpha"] == line.alpha);
}

/// By n. `trained`: every N that the networks learned at goes there.
std::map<double, LanguageScore> scoresOf(const std::vector<BoardRun>& runs, const LanguageLine& line,
                                         const std::string& measure, std::set<double>& trained)
{
    std::map<double, LanguageScore> scores;
    for (const BoardRun& run : runs)
        for (const LabRow& row : isOf(run, line) ? run.record.rows : std::vector<LabRow>()) {
            if (row.table != qualityTable || !isVanilla(row.word("trained")) || row.word("method") != line.method ||
                row.word("positions") != line.positions)
                continue;
            const auto [value, error] = measured(row, measure);
            if (!std::isfinite(value))
                continue;
            LanguageScore& score = scores[row.number("n")];
            trained.insert(row.number("n") / row.number("n_over_train"));
            score.values.push_back(value);
            score.errorWithin = error;
        }
    return scores;
}

/// Means over networks with their standard errors; of one network, that over its windows.
std::vector<ChartPoint> pointsOfNetworks(const std::map<double, LanguageScore>& scores, bool perplexity)
{
    std::vector<ChartPoint> points;
    for (const auto& [n, score] : scores) {
        const RunsMean mean = meanOfRuns(score.values, score.errorWithin);
        points.push_back(qualityPoint(n, mean.mean, mean.error, perplexity));
    }
    return points;
}

Panel languagePanel(const std::string& measure)
{
    Panel panel;
    panel.chart.x = lengthAxis();
    panel.chart.y = measureAxis(measure);
    panel.chart.legend = Legend::None;
    return panel;
}

}  // namespace

Result<FigureContent> buildLanguageHere(const Recipe& recipe, std::stop_token)
{
    ObjectReader reader(recipe.parameters, "parameters");
    const RunsAsked asked = readRunsAsked(reader);
    const auto tables = TRY(readTables(reader));
    const auto table = std::ranges::find(languageTables(), tables.front().id, &LanguageTable::id);
    if (tables.size() > 1 || table == languageTables().end())
        return failure(ErrorKind::InvalidArgument,
                       "parameters.tables: name one of su_table, infoscale_table1, infoscale_table9 and "
                       "infoscale_table10; others are drawn by the kind published_curves");
    auto runs = TRY(asked.read());
    if (asked.shipped)
        addRuns(runs, TRY(shippedCosineRuns()));
    const PublishedTable& published = tables.front();
    FigureContent content;
    std::set<double> trained;
    size_t networks = 0;
    std::vector<PublishedRow> drawn;
    const std::vector<std::string> measures = measuresOf(published);
    for (size_t m = 0; m < measures.size(); ++m) {
        Panel there = languagePanel(measures[m]), here = there;
        for (size_t i = 0; i < table->lines.size(); ++i) {
            const LanguageLine& line = table->lines[i];
            ChartSeries series{
                .label = text(line.label), .style = static_cast<int>(i), .shape = ChartSeries::Shape::LinePoints};
            const auto printed = std::ranges::find(published.rows, line.published, &PublishedRow::name);
            if (printed == published.rows.end())
                return failure(ErrorKind::DataError, published.id + " has no row " + line.published);
            series.points = publishedPoints(published, *printed, measures[m]);
            there.chart.series.push_back(series);
            if (m == 0)
                drawn.push_back(*printed);
            const auto scores = scoresOf(runs, line, measures[m], trained);
            series.points = pointsOfNetworks(scores, isPerplexity(measures[m]));
            here.chart.series.push_back(std::move(series));
            if (!scores.empty())
                networks = std::max(networks, scores.begin()->second.values.size());
        }
        content.legend = here.chart.series;
        addPanel(content, std::move(there), m, 0);
        addPanel(content, std::move(here), m, 1);
    }
    if (networks == 0)
        return failure(ErrorKind::DataError, "none of the runs has rows for these lines; run " +
                                                 table->lines.front().lab + " with the methods vanilla and " +
                                                 table->lines.back().method +
                                                 " and name its folder in parameters.runs");
    if (trained.size() > 1)
        return failure(ErrorKind::InvalidArgument,
                       "the runs learned at different lengths, from " + formatNumber(*trained.begin()) + " to " +
                           formatNumber(*trained.rbegin()) +
                           ", and have no mean; name runs of one length in parameters.runs, and set parameters.shipped "
                           "to false where theirs is another");
    content.columnTitles = {u"As published"_s, u"Here, $N = %1$"_s.arg(*trained.begin())};
    content.footnote =
        citation(tables) + boundsNotDrawn(drawn) +
        u" Here: %1. "_s.arg(networks == 1
                                 ? u"one network; bars are standard errors over windows"_s
                                 : u"means of %1 networks; bars are standard errors over them"_s.arg(networks)) +
        table->note;
    return content;
}

}  // namespace attnscope

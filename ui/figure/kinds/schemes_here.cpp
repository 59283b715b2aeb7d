// InfoScale's table 1, positions and windows each with the cosine, with InfoScale and with both, as printed, and beside
// it what networks of the lab recall find under the same ones. Those numbers are of the recorded runs
// (resources/labs/recorded_runs.jsonl, scheme_runs.jsonl), or of runs in other folders.

#include "core/labs/lab_parameters.h"
#include "ui/figure/kinds/support.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

/// A row of the published table without its endings, and which rows of `quality` stand beside it. Windows are of 64
/// tokens, N, where they say nothing else.
struct Scheme {
    std::string published, label;  ///< the first empty: nothing
    std::string positions;
    double skips = 0;                  ///< of the networks' training
    std::string method = "vanilla";    ///< where InfoScale is not put in
    std::string scaled = "infoscale";  ///< where it is; empty: nowhere
};

std::span<const Scheme> schemes()
{
    static const std::vector<Scheme> rows{{"", "RoPE, as trained", "rope"},
                                          {"PI", "PI, $s$ = $n$ / $N$", "pi"},
                                          {"", "NTK, $s$ = $n$ / $N$", "ntk"},
                                          {"YaRN(s=16)", "YaRN's frequencies, $s$ = $n$ / $N$", "yarn_rope"},
                                          {"", "YaRN whole, $s$ = $n$ / $N$", "yarn_rope", 0, "yarn", ""},
                                          {"ReRoPE", "ReRoPE, $w$ = $N$", "rerope:w=64"},
                                          {"PoSE", "PoSE: jumps in training", "rope", 2},
                                          {"ALiBi", "ALiBi, put in at the test", "alibi"},
                                          {"W.A.", "Window of $N$", "window"},
                                          {"StreamingLLM", "4 sinks, window of $N$", "sink_window"},
                                          {"LM-Infinite", "Λ: 5 sinks, window of $N$", "lambda"}};
    return rows;
}

/// What is done to a scheme: endings of the paper's rows.
struct Treatment {
    std::string published, label;
    bool cosine, scaled;
};
std::span<const Treatment> treatments()
{
    static const std::vector<Treatment> rows{{"", "neither", false, false},
                                             {" w/ C.S.", "C.S.", true, false},
                                             {" w/ I.S.", "I.S.", false, true},
                                             {" w/ C.S., I.S.", "both", true, true}};
    return rows;
}

/// Is it a run of the lab's own recipe with this factor of the cosine and these jumps?
bool isSuch(const Choice& run, double alpha, double skips)
{
    static constexpr std::array<std::string_view, 5> sampling{"alpha", "skips", "networks", "seed", "most"};
    if (run.id != "recall")
        return false;
    for (const auto& [name, value] : run.values)
        if (std::ranges::find(sampling, name) == sampling.end())
            return false;
    const Parameters parameters(**findRow(labs(), run.id, "lab"), run);
    return parameters["alpha"] == alpha && parameters["skips"] == skips;
}

/// Answers right in per cent, of each seed's network once.
std::vector<double> foundBy(const std::vector<BoardRun>& runs, const Scheme& scheme, double alpha, bool scaled,
                            double ratio)
{
    const auto isOfThese = [&](const Choice& run) { return isSuch(run, alpha, scheme.skips); };
    return valuesOfNetworks(runs, isOfThese, [&](const LabRow& row) {
        const bool isIt = isVanilla(row.word("trained")) && row.word("positions") == scheme.positions &&
                          row.word("method") == (scaled ? scheme.scaled : scheme.method) &&
                          row.number("n_over_train") == ratio;
        return isIt ? row.number("percent") : std::nan("");
    });
}

QString cellOf(const std::vector<double>& values)
{
    if (values.empty())
        return u"–"_s;
    const RunsMean mean = meanOfRuns(values, std::nan(""));
    const QString number = QString::number(mean.mean, 'f', 0);
    return std::isnan(mean.error) ? number : u"%1 ± %2"_s.arg(number).arg(mean.error, 0, 'f', mean.error < 1 ? 1 : 0);
}

/// The paper's accuracy of this row at n.
QString printedCell(const PublishedTable& table, const Scheme& scheme, const Treatment& treatment, double n)
{
    if (scheme.published.empty())
        return {};
    for (const char* factor : {"", "(C.S.=16)"})
        for (const PublishedRow& row : table.rows)
            if (row.name == scheme.published + factor + treatment.published)
                for (std::size_t c = 0; c < table.columns.size(); ++c)
                    if (table.columns[c] == fmt::format("{:.0f} ACC", n))
                        return text(row.cells[c]);
    return {};
}

struct Counted {
    std::size_t least = 1000, most = 0;
};

Panel schemePanel(const PublishedTable& table, const std::vector<BoardRun>& runs, double alpha, double ratio,
                  Counted& networks)
{
    constexpr double trained = 64;
    auto content = std::make_shared<TableContent>();
    content->columns.push_back(u"Scheme"_s);
    content->groups.push_back({u"Published, accuracy"_s, static_cast<int>(treatments().size())});
    content->groups.push_back({u"Here, values recalled (%)"_s, static_cast<int>(treatments().size())});
    for (int side = 0; side < 2; ++side)
        for (const Treatment& treatment : treatments())
            content->columns.push_back(text(treatment.label));
    for (const Scheme& scheme : schemes()) {
        std::vector<QString>& row = content->rows.emplace_back();
        row.push_back(text(scheme.label));
        for (const Treatment& treatment : treatments())
            row.push_back(printedCell(table, scheme, treatment, ratio * trained));
        for (const Treatment& treatment : treatments()) {
            const auto values = foundBy(runs, scheme, treatment.cosine ? alpha : 0, treatment.scaled, ratio);
            row.push_back(cellOf(values));
            if (!values.empty())
                networks = {std::min(networks.least, values.size()), std::max(networks.most, values.size())};
        }
        content->ruleAbove.push_back(scheme.positions == "window");
    }
    return tablePanel(std::move(content), u"$n$ = %1 $N$ = %2"_s.arg(ratio).arg(ratio * trained));
}

}  // namespace

Result<FigureContent> buildSchemesHere(const Recipe& recipe, std::stop_token)
{
    ObjectReader reader(recipe.parameters, "parameters");
    const RunsAsked asked = readRunsAsked(reader);
    double alpha = 16;
    reader.number("alpha", alpha, cosineFactor().minimum, cosineFactor().maximum);
    const auto tables = TRY(readTables(reader));
    if (tables.size() > 1 || tables.front().id != "infoscale_table1")
        return failure(ErrorKind::InvalidArgument, "parameters.tables: name infoscale_table1, which is of schemes");
    auto runs = TRY(asked.read());
    if (asked.shipped)
        addRuns(runs, TRY(shippedSchemeRuns()));
    FigureContent content;
    Counted networks;
    for (const double ratio : {4.0, 16.0})
        addPanel(content, schemePanel(tables.front(), runs, alpha, ratio, networks), content.panels.size(), 0);
    if (networks.most == 0)
        return failure(ErrorKind::DataError,
                       "none of the runs has rows for these schemes; run the lab recall with the methods vanilla and "
                       "infoscale and name its folder in parameters.runs");
    content.footnote =
        citation(tables) +
        u" C.S.: learned with the cosine, in the paper 128 times it and 16 times under the window, here %1 times; "
        "I.S.: InfoScale at the test. There models learned at 64 and find hidden tokens, those of PI and YaRN tuned, "
        "of ALiBi trained with it; here networks learned at $N$ = 64 with RoPE to recall values, and schemes are put "
        "in at the test. Means ± standard errors of %2 networks%3; –: none finds 95 % at $N$, or none was "
        "tested."_s.arg(alpha)
            .arg(networks.least == networks.most ? QString::number(networks.most)
                                                 : u"%1 to %2"_s.arg(networks.least).arg(networks.most))
            .arg(networks.least == 1 ? u", of one without an error"_s : QString());
    return content;
}

}  // namespace attnscope

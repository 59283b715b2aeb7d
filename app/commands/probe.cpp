// probe: what a model finds again that stands far back, under scale methods and positions: repeated tokens, and needles
// in a filler text.

#include "app/commands/command_table.h"
#include "app/commands/head_input.h"
#include "app/commands/model_options.h"
#include "app/commands/model_text.h"
#include "app/commands/progress.h"
#include "app/commands/stop_on_interrupt.h"
#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "core/model/probes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace attnscope {

namespace {

struct ProbeSettings {
    std::string folder = shippedModel, text, ids;
    std::string task = "repeat";
    std::vector<Choice> methods{{"vanilla", {}, {}}};
    std::vector<std::optional<Choice>> positions{std::nullopt};  ///< nothing: the model's own
    double nTrain = 0;                                           ///< 0: the model's
    std::string told, asked;                                     ///< empty: what suits the text
    Options ofNeedles;
    ProbeRequest request;
    bool progress = false;
    std::optional<Format> format;
    std::string output;
};

class ProbeRun {
public:
    ProbeRun(const ProbeSettings& settings, const Console& console) : m_settings(settings), m_console(console) {}

    Result<void> operator()()
    {
        TRY(checkTask());
        TRY(checkRunLengths(m_settings.request.lengths));
        TRY(checkFiles(std::array{NamedFile{m_settings.output, "--output"}},
                       {{m_settings.text, "--text"}, {m_settings.ids, "--ids"}}, m_settings.folder));
        m_model = TRY(openModel(m_settings.folder));
        writeNotes(m_console, notesOf(m_model));
        ProbeRequest request = requested();
        const std::vector<int> text = TRY(filler(request));
        const Format format = TRY(formatFor(m_settings.format, m_settings.output, m_console));
        StopOnInterrupt stop;
        Progress progress(m_console, "probe", m_settings.progress);
        const auto cells = TRY(runProbe(
            m_model, text, request, [&](double fraction) { progress.update(fraction); }, stop.token()));
        std::ostringstream file;
        ResultWriter writer(m_settings.output.empty() ? m_console.out : file, format, columns());
        for (const ProbeCell& cell : cells)
            writer.add(rowOf(cell, referenceOf(cell, cells, m_settings.methods.size())));
        writer.finish();
        return m_settings.output.empty() ? Result<void>{} : replaceFile(m_settings.output, file.str());
    }

private:
    /// Repeated tokens need no text, and stand where they stand.
    Result<void> checkTask() const
    {
        std::vector<std::string> given;
        if (!m_settings.text.empty())
            given.emplace_back("--text");
        if (!m_settings.ids.empty())
            given.emplace_back("--ids");
        for (const CLI::Option* option : m_settings.ofNeedles)
            if (option->count() > 0)
                given.push_back(option->get_name());
        return given.empty() || needle()
                   ? Result<void>()
                   : failure(ErrorKind::InvalidArgument, "{} is of --task needle; leave it out, or name that task",
                             given.front());
    }

    bool needle() const { return m_settings.task == "needle"; }

    ProbeRequest requested() const
    {
        ProbeRequest request = m_settings.request;
        request.task = needle() ? ProbeTask::Needle : ProbeTask::Repeat;
        if (request.lengths.empty())
            for (const std::int64_t times : {1, 2, 4})
                request.lengths.push_back(times * m_model.architecture.trainLength);
        request.words = needleWordsFor(m_model, readsGeneratedText(m_model, m_settings.text, m_settings.ids));
        if (!m_settings.told.empty())
            request.words.told = m_settings.told;
        if (!m_settings.asked.empty())
            request.words.asked = m_settings.asked;
        for (const std::optional<Choice>& position : m_settings.positions)
            for (const Choice& method : m_settings.methods) {
                Policy policy;
                policy.method = method;
                policy.position = position;
                policy.trainLength = m_settings.nTrain;
                request.policies.push_back(policy);
            }
        return request;
    }

    /// Repeated tokens need none.
    Result<std::vector<int>> filler(const ProbeRequest& request) const
    {
        if (!needle())
            return std::vector<int>();
        return readModelText(m_model, m_settings.text, m_settings.ids, static_cast<double>(fillerTokens(request)));
    }

    std::vector<Column> columns() const
    {
        std::vector<Column> all{{"n"}};
        if (needle())
            all.push_back({"depth"});
        all.insert(all.end(), {"positions", "method"});
        if (needle())
            all.insert(all.end(), {"log_probability", "stderr", "exact", "exact_stderr"});
        else
            all.insert(all.end(), {"first_loss", "loss", "stderr", "accuracy", "accuracy_stderr"});
        const std::string share = needle() ? "exact" : "accuracy";
        all.insert(all.end(), {ifAny("change"), ifAny("change_stderr"), ifAny("p"), ifAny(share + "_change"),
                               ifAny(share + "_p"), neverInTable("samples"), neverInTable("n_train"), ifAny("note")});
        return all;
    }

    static Cell numberOf(double value) { return std::isnan(value) ? Cell{} : Cell{value}; }

    std::vector<Cell> rowOf(const ProbeCell& cell, const ProbeCell* against) const
    {
        const std::size_t methods = m_settings.methods.size();
        const Choice& method = m_settings.methods[cell.policy % methods];
        const std::optional<Choice>& position = m_settings.positions[cell.policy / methods];
        std::vector<Cell> row{cell.n};
        if (needle())
            row.push_back(cell.depth);
        row.insert(row.end(), {positionsShown(position, m_model.architecture, cell.n), formatChoice(method)});
        if (cell.scores.empty()) {
            row.resize(columns().size() - 1);
            row.push_back(cell.absent);
            return row;
        }
        const ProbeMeans means = meansOf(cell, against);
        const double sign = needle() ? -1 : 1;  // ln p of the answer
        if (!needle())
            row.push_back(numberOf(means.firstLoss.mean));
        row.insert(row.end(),
                   {sign * means.loss.mean, cellOf(means.loss.standardError), means.right.mean,
                    cellOf(means.right.standardError), numberOf(sign * means.lossChange.mean),
                    cellOf(means.lossChange.standardError), cellOf(means.lossP), numberOf(means.rightChange.mean),
                    cellOf(means.rightP), static_cast<std::int64_t>(cell.scores.size()),
                    wholeCell(m_settings.nTrain > 0 ? m_settings.nTrain
                                                    : static_cast<double>(m_model.architecture.trainLength)),
                    cell.sharesText ? Cell{std::string(sharesTextNote)} : Cell{}});
        return row;
    }

    ProbeSettings m_settings;
    const Console& m_console;
    Model m_model;
};

void declare(CLI::App& app, ProbeSettings& s)
{
    addModelText(app, s.folder, s.text, s.ids);
    addWord(app, "--task", s.task, {"repeat", "needle"},
            "repeat: random tokens, and the same again, how well is the second copy known; needle: something told once "
            "in a filler text (--text), and asked for at its end");
    addLengths(app, s.request.lengths)->description("Lengths to test; without it N, 2 N and 4 N of the model");
    CLI::Option* depth = addOption(
        app, "--depth", "LIST", s.request.depths,
        [](const std::string& text) { return readNumbers<double>(text, {.minimum = 0, .maximum = 1}); },
        "Of needles: where in the text they are told, 0 its beginning, 1 its end, as 0,0.25,0.5", "0.5");
    addMethods(app, s.methods)->default_str("vanilla");
    addModelPositions(app, s.positions);
    addTrainLength(app, s.nTrain)
        ->description("Reference (training) length N; without it the one of config.json")
        ->default_str("");
    addNumber(
        app, "--samples", s.request.samples, {.minimum = 2, .maximum = 10000, .whole = true},
        "Of each length and depth; every method sees the same, and differences from the first are paired by them");
    CLI::Option* keys =
        addNumber(app, "--keys", s.request.keys, {.minimum = 1, .maximum = mostNeedleKeys, .whole = true},
                  "Needles told; the others evenly over the text, with values of their own");
    CLI::Option* told =
        app.add_option("--told", s.told, "What is told, with {key} and {value} in it")->type_name("TEXT");
    CLI::Option* asked =
        app.add_option("--asked", s.asked, "What asks for it, with {key} in it; the value follows")->type_name("TEXT");
    s.ofNeedles = {told, asked, depth, keys};
    addSeed(app, s.request.seed);
    addEngine(app, s.request.engine);
    addFormat(app, s.format);
    addOutput(app, s.output);
    addProgress(app, s.progress);
}

}  // namespace

Command probeCommand()
{
    return commandWith<ProbeSettings>(
        "probe",
        "What a model finds again that stands far back: repeated tokens, needles, under any scale and positions",
        {"probe", "probe --n 256,512,1024 --positions rerope --method vanilla softmax_plus",
         "probe --task needle --n 256,512,1024 --depth 0,0.25,0.5,0.75,1 --positions rope rerope",
         "probe TinyLlama.gguf --task needle --text book.txt --n 4096 --keys 4 --method vanilla infoscale:row=1"},
        declare, [](const ProbeSettings& settings, const Console& console) { return ProbeRun(settings, console)(); });
}

}  // namespace attnscope

// tune: which scale for this model? Searches multipliers and positions on some windows of a text, judges what it found
// on others, and says it in the words of those that run models.

#include "app/commands/command_table.h"
#include "app/commands/head_input.h"
#include "app/commands/model_text.h"
#include "app/commands/progress.h"
#include "app/commands/stop_on_interrupt.h"
#include "app/commands/tune_rows.h"
#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "core/tensor/byte_source.h"
#include "core/tensor/tensor_writer.h"
#include "core/tuning/exports.h"
#include "core/tuning/tune_model.h"
#include "core/tuning/verdict.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>

namespace attnscope {

namespace {

struct TuneSettings {
    std::string folder = shippedModel, text, ids;
    TuneRequest request;
    TuneWindows windows;
    CLI::Option* rule = nullptr;
    std::vector<std::string> exports;
    std::string exportPath, resume;
    bool progress = false;
    std::optional<Format> format;
    std::string output;
};

/// "90", "90s", "10m", "2h": seconds.
Result<double> readDuration(const std::string& text)
{
    const std::string_view unit =
        std::string_view(text).substr(std::min(text.size(), text.find_last_not_of("smh") + 1));
    const auto number = numberFrom<double>(std::string_view(text).substr(0, text.size() - unit.size()));
    const double seconds = unit == "h" ? 3600 : unit == "m" ? 60 : 1;
    if (unit.size() > 1 || !number || !(*number > 0) || *number > 1e6)
        return failure(ErrorKind::InvalidArgument, "expected a time as 90s, 10m or 2h, got '{}'", text);
    return *number * seconds;
}

/// FIT,VERDICT.
Result<std::pair<int, int>> readWindows(const std::string& text)
{
    const auto parts = split(text, ',');
    if (parts.size() != 2)
        return failure(ErrorKind::InvalidArgument,
                       "expected two numbers, of windows to fit on and for the verdict, as 8,16, got '{}'", text);
    const double fitting = TRY(readNumber(std::string(parts[0]), {.minimum = 1, .maximum = 10000, .whole = true})),
                 verdict = TRY(readNumber(std::string(parts[1]), {.minimum = 2, .maximum = 10000, .whole = true}));
    return std::pair{static_cast<int>(fitting), static_cast<int>(verdict)};
}

/// Words of a list, each of which is known.
template <class Known>
CLI::Option* addWords(CLI::App& app, const std::string& name, std::vector<std::string>& target, Known known,
                      const std::string& help)
{
    const auto read = [known](const std::string& text, std::vector<std::string>& all) -> Result<void> {
        if (std::ranges::find(known, text) == known.end())
            return failure(ErrorKind::UnknownName, "expected one of {}, got '{}'", joined(known, ", "), text);
        if (std::ranges::find(all, text) != all.end())
            return failure(ErrorKind::InvalidArgument, "{} is there twice; name each once", text);
        all.push_back(text);
        return {};
    };
    return addSeveral(app, name, joined(known, "|"), target, read, help);
}

/// The losses of a search on the disk, so that it can be stopped. Written every few seconds, and at the end.
class SearchFile {
public:
    SearchFile(std::string path, std::string search) : m_path(std::move(path)), m_search(std::move(search)) {}

    Result<LossTable> read()
    {
        constexpr std::uint64_t longest = 64 << 20;
        if (!m_path.empty() && std::filesystem::exists(m_path))
            m_table = TRY(readLosses(TRY(readText(m_path, longest)), m_path, m_search));
        return m_table;
    }

    void add(const std::string& key, const WindowLoss& loss)
    {
        if (m_path.empty())
            return;
        m_table.emplace(key, loss);
        const auto now = std::chrono::steady_clock::now();
        if (now - m_written < std::chrono::seconds(2))
            return;
        m_written = now;
        (void)write();  // a disk that is full may have room at the end, where an error is told
    }

    /// Errors: NotWritable.
    Result<void> write() const
    {
        return m_path.empty() || m_table.empty() ? Result<void>{} : replaceFile(m_path, writeLosses(m_table, m_search));
    }

private:
    std::string m_path, m_search;
    LossTable m_table;
    std::chrono::steady_clock::time_point m_written = std::chrono::steady_clock::now();
};

/// Errors: NotWritable, also where the folder is yet to be made.
Result<void> checkFile(const std::string& path)
{
    TRY(checkWritable(path));
    const auto folder = std::filesystem::path(path).parent_path();
    std::error_code ignored;
    if (!folder.empty() && !std::filesystem::exists(folder, ignored))
        return failure(ErrorKind::NotWritable, "{} cannot be written: there is no folder {}; make it first", path,
                       folder.string());
    return {};
}

class TuneRun {
public:
    TuneRun(const TuneSettings& settings, const Console& console) : m_settings(settings), m_console(console) {}

    Result<void> operator()()
    {
        TRY(checkOptions());
        m_model = TRY(openModel(m_settings.folder));
        writeNotes(m_console, notesOf(m_model));
        if (m_settings.request.n == 0 && shippedModelAt(m_model.folder))
            m_settings.request.n = 4 * m_model.architecture.trainLength;
        if (m_settings.request.n == 0)
            return failure(ErrorKind::InvalidArgument, "--n is needed: the length to tune at, as 8192");
        if (m_settings.windows.last > 0 && !m_model.architecture.causal)
            return failure(ErrorKind::InvalidArgument,
                           "--last changes nothing here: this model finds hidden tokens, and all of them count; leave "
                           "it out");
        TRY(checkExports());
        const auto& [fitting, verdict] = std::pair{m_settings.windows.fitting, m_settings.windows.verdict};
        const auto ids =
            TRY(readModelText(m_model, m_settings.text, m_settings.ids,
                              static_cast<double>(fitting + verdict) * static_cast<double>(m_settings.request.n + 1)));
        const StopOnInterrupt interrupt;
        const TuneProblem problem =
            TRY(problemOf(m_model, ids, m_settings.request, m_settings.windows, interrupt.token()));
        const TuneReport report = TRY(search(problem, ids, interrupt.token()));
        return write(problem, report);
    }

private:
    /// What would fail only after the search.
    Result<void> checkOptions() const
    {
        if (m_settings.request.over == TuneOver::Positions)
            TRY(unused({m_settings.rule}, "no multiplier is searched over positions alone"));
        if (!m_settings.output.empty())
            TRY(formatFor(m_settings.format, m_settings.output, m_console));
        const NamedFile written[]{
            {m_settings.output, "--output"}, {m_settings.resume, "--resume"}, {m_settings.exportPath, "--export-to"}};
        for (const NamedFile& file : written)
            if (!file.path.empty())
                TRY(checkFile(file.path));
        TRY(checkFiles(written, {{m_settings.text, "--text"}, {m_settings.ids, "--ids"}}, m_settings.folder));
        const bool factors = std::ranges::find(m_settings.exports, "factors") != m_settings.exports.end();
        if (factors && m_settings.exportPath.empty())
            return failure(ErrorKind::InvalidArgument, "--export factors needs --export-to FILE.npy");
        if (!m_settings.exportPath.empty()) {
            if (m_settings.exports.size() != 1)
                return failure(ErrorKind::InvalidArgument, "--export-to needs --export with one target");
            if (factors && !m_settings.exportPath.ends_with(".npy"))
                return failure(ErrorKind::InvalidArgument,
                               "--export factors writes .npy; name a file that ends so, not '{}'",
                               m_settings.exportPath);
        }
        return {};
    }

    /// What a target could not say whatever were found: the model as it is, and where the scale is searched a
    /// multiplier.
    Result<void> checkExports() const
    {
        const TuneRequest& request = m_settings.request;
        Setting any = untuned(request.trainLength);
        if (!searchesPositions(request.over))
            any.multiplier = 1.1;
        const double trainLength =
            request.trainLength > 0 ? request.trainLength : static_cast<double>(m_model.architecture.trainLength);
        for (const std::string& target : m_settings.exports)
            if (const auto said = exportTo(target, {any, tunedAt(m_model.architecture, request.n, trainLength),
                                                    m_model.architecture, m_model.folder});
                !said)
                return failure(said.error().kind, "--export {}: {}", target, said.error().message);
        return {};
    }

    Result<TuneReport> search(const TuneProblem& problem, std::span<const int> ids, std::stop_token stop) const
    {
        SearchFile file(m_settings.resume, searchOf(m_model, ids, m_settings.request, m_settings.windows));
        TuneWatch watch{.known = TRY(file.read()), .stop = std::move(stop)};
        Progress progress(m_console, "tune", m_settings.progress);
        watch.progress = [&](const TuneProgress& now) {
            progress.update(now.fraction, now.stage + "; best so far " + now.setting + ", " +
                                              formatNumber(now.asItIs - now.best, 3) +
                                              " nats below the model as it is");
        };
        watch.onLoss = [&](const std::string& key, const WindowLoss& loss) { file.add(key, loss); };
        Result<TuneReport> report = tune(problem, m_settings.request, watch);
        TRY(file.write());
        if (!report && report.error().kind == ErrorKind::Cancelled)
            return failure(ErrorKind::Cancelled, m_settings.resume.empty()
                                                     ? std::string("stopped; with --resume FILE it could go on later")
                                                     : "stopped; the same command goes on");
        return report;
    }

    Result<void> write(const TuneProblem& problem, const TuneReport& report) const
    {
        std::vector<TuneRow> rows = tuneRows(report);
        std::string texts;
        std::vector<std::string> notes;
        Result<void> failed;  // told once all that was found is written
        if (report.outOfTime)
            notes.push_back("the time of --budget was up before the search was over");
        else if (m_settings.request.gradients && report.gradientsBy.empty())
            notes.push_back("the time of --budget was up before the gradients");
        if (!report.helps && !m_settings.exports.empty())
            notes.push_back(withoutHelp(report) + ": what is exported is the best of the search all the same");
        for (const std::string& target : m_settings.exports) {
            const auto said = exportNearest(target, {report.use(), report.at, m_model.architecture, m_model.folder},
                                            report.tried, report.fitting);
            if (!said) {
                failed = failure(said.error().kind, "--export {}: {}", target, said.error().message);
                continue;
            }
            const ExportedSetting& exported = *said;
            std::optional<double> loss;
            if (!exported.exact) {
                const auto measured = verdictLoss(problem, exported.setting, report.at);
                if (measured)
                    loss = *measured;
                else
                    failed = tl::unexpected(measured.error());
            }
            rows.push_back(exportRow(target, exported.setting, report.at, loss, joined(exported.notes, "; ")));
            for (const std::string& note : exported.notes)
                notes.push_back(target + ": " + note);
            if (loss)
                notes.push_back(target + ": what it says has a loss of " + formatNumber(*loss, 6) +
                                " nats on the verdict's windows, the model as it is " +
                                formatNumber(report.asItIsLoss, 6));
            texts += textOf(target, exported);
            if (target == "factors")
                if (const auto written = writeFactors(report); !written)
                    failed = written;
        }
        if (!report.gradientsBy.empty())
            notes.push_back("gradients by " + report.gradientsBy);
        writeNotes(m_console, notes);
        const bool rowsShown = m_settings.output.empty() && texts.empty();
        const Format format = TRY(formatFor(m_settings.format, m_settings.output, m_console));
        (rowsShown && format == Format::Table ? m_console.out : m_console.err) << report.answer << '.' << std::endl;
        if (!m_settings.output.empty()) {
            std::ostringstream text;
            writeTuneRows(text, format, rows);
            TRY(replaceFile(m_settings.output, text.str()));
        } else if (rowsShown) {
            if (format == Format::Table)
                rows.erase(rows.begin());  // the sentence stands above
            m_console.out << (format == Format::Table ? "\n" : "");
            writeTuneRows(m_console.out, format, rows);
        }
        if (m_settings.exportPath.empty() || m_settings.exports.front() == "factors")
            m_console.out << texts << std::flush;
        else if (!texts.empty())
            TRY(replaceFile(m_settings.exportPath, texts));
        return failed;
    }

    std::string textOf(const std::string& target, const ExportedSetting& exported) const
    {
        std::string text = exported.text;
        if (target == "factors")
            if (const auto at = text.rfind(factorsPlaceholder); at != text.npos)
                text.replace(at, std::string_view(factorsPlaceholder).size(), shellWord(m_settings.exportPath));
        return text;
    }

    Result<void> writeFactors(const TuneReport& report) const
    {
        const auto table = headFactorsOf(report.use(), report.at, m_model.architecture);
        std::vector<double> values;
        for (const std::vector<double>& layer : table)
            values.insert(values.end(), layer.begin(), layer.end());
        return writeNpy(m_settings.exportPath, tensorView({}, {std::ssize(table), std::ssize(table.front())},
                                                          std::span<const double>(values)));
    }

    TuneSettings m_settings;
    const Console& m_console;
    Model m_model;
};

void addTuneOptions(CLI::App& app, TuneSettings& s)
{
    addModelText(app, s.folder, s.text, s.ids);
    addNumber(app, "--n", s.request.n, {.minimum = 2, .maximum = 1e9, .whole = true},
              "The length to tune at; a model that comes with the program has 4 N by itself")
        ->default_str("");
    std::vector<std::string> words(tuneOverWords.begin(), tuneOverWords.end());
    addOption(
        app, "--over", joined(words, "|"), s.request.over,
        [words](const std::string& text) -> Result<TuneOver> {
            const auto found = std::ranges::find(words, text);
            if (found == words.end())
                return failure(ErrorKind::UnknownName, "expected one of {}, got '{}'", joined(words, ", "), text);
            return static_cast<TuneOver>(found - words.begin());
        },
        "What is searched: the scale alone, the positions alone, both together, or a scale a layer or a head", "scale");
    s.rule = addWords(app, "--rule", s.request.rules, idsOf(scaleRules()),
                      "How the multiplier goes on to other lengths: m, or m(n) = 1 + κ ln(n/N) or κ ln n, for the "
                      "sequence or for each row; of those by row and one other the best is taken")
                 ->default_str("constant");
    addWords(app, "--positions", s.request.schemes, tunedSchemes(),
             "With --over positions or both: the schemes that are searched and compared with; without it all of them");
    addTrainLength(app, s.request.trainLength)
        ->description("Reference (training) length N; without it the one of config.json")
        ->default_str("");
    addOption(
        app, "--windows", "FIT,VERDICT", s.windows,
        [&s](const std::string& text) {
            return readWindows(text).map([&](const std::pair<int, int>& both) {
                TuneWindows windows = s.windows;
                windows.fitting = both.first;
                windows.verdict = both.second;
                return windows;
            });
        },
        "How many windows of n tokens are fitted on, and how many judge; they share no token", "8,16");
    addNumber(app, "--last", s.windows.last, {.minimum = 0, .maximum = 1e9, .whole = true},
              "Only the last predictions of a window count, this many and at most n/2; 0: all");
    addOption(app, "--budget", "TIME", s.request.budget, readDuration,
              "Time after which nothing new is searched, and the verdict is made of what was found: 90s, 10m, 2h");
    app.add_flag("--gradients", s.request.gradients,
                 "Also the gradient of the loss by ln m of every head: which of them want to be sharper");
    app.add_option("--resume", s.resume,
                   "A file that keeps what was run, so that a search can be stopped and the same command goes on")
        ->type_name("FILE");
    addWords(app, "--export", s.exports, idsOf(exportTargets()),
             "Write the answer as others take it, in place of the rows: fields of config.json, flags, arguments, a "
             "hook, or a file for --head-factors");
    app.add_option("--export-to", s.exportPath, "A file for what is exported, in place of standard output")
        ->type_name("FILE");
    addEngine(app, s.windows.engine);
    addFormat(app, s.format);
    addOutput(app, s.output);
    addProgress(app, s.progress);
}

}  // namespace

Command tuneCommand()
{
    return commandWith<TuneSettings>(
        "tune", "Which scale is best for a model at a length: searched, judged on other text, and ready to paste",
        {"tune --n 1024", "tune TinyLlama --text book.txt --n 8192 --over both --budget 10m -o report.json",
         "tune model.gguf --text book.txt --n 8192 --over positions --export llama.cpp",
         "tune TinyLlama --text book.txt --n 4096 --over heads --resume search.json --export factors --export-to "
         "factors.npy"},
        addTuneOptions,
        [](const TuneSettings& settings, const Console& console) { return TuneRun(settings, console)(); });
}

}  // namespace attnscope

#include "core/labs/training_loop.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace attnscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds saveInterval{30};
const std::string historyKey = "lab.history";

/// The rows so far and the sums of the one that is not full, which go with the checkpoint as
/// "COUNT SUM ... UNIT MEAN ... UNIT MEAN ...".
class History {
public:
    History(const Training& training, LabReporter& report)
        : m_training(training), m_report(report), m_sums(training.measures.size(), 0.0)
    {
    }

    Result<void> read(const std::string& text)
    {
        std::istringstream words(text);
        bool whole = static_cast<bool>(words >> m_count);
        for (double& sum : m_sums)
            whole = whole && readNumber(words, sum);
        std::int64_t unit = 0;
        std::vector<double> means(m_sums.size());
        while (whole && words >> unit) {
            for (double& mean : means)
                whole = whole && readNumber(words, mean);
            addRow(unit, means);
        }
        return whole ? Result<void>()
                     : failure(ErrorKind::InvalidHeader,
                               "the training curve in the checkpoint cannot be read; start anew in another folder");
    }

    /// Of the loss, which a training that learns brings down: empty, or that it ended where it began or above.
    std::string wentWrong() const
    {
        if (m_training.measures.front() != "loss" || m_seen < 2 || m_latest < m_first)
            return {};
        return m_training.name + ": the training did not learn, its loss ended at " + formatNumber(m_latest, 3) +
               " and began at " + formatNumber(m_first, 3) + "; set a lower rate, or fewer steps";
    }

    /// How many units of work the curve has seen.
    std::int64_t units() const { return m_lastUnit + m_count; }

    std::string text() const
    {
        std::string out = std::to_string(m_count);
        for (const double sum : m_sums)
            out += ' ' + formatNumber(sum);
        return out + m_rows;
    }

    void add(std::int64_t unit, const std::vector<double>& measures)
    {
        ++m_count;
        for (std::size_t i = 0; i < m_sums.size(); ++i)
            m_sums[i] += measures[i];
        if (unit % m_training.unitsPerRow != 0)
            return;
        for (double& sum : m_sums)
            sum /= static_cast<double>(m_count);
        addRow(unit, m_sums);
        m_sums.assign(m_sums.size(), 0.0);
        m_count = 0;
    }

private:
    static bool readNumber(std::istream& words, double& number)  // an istream does not read "nan"
    {
        std::string word;
        if (!(words >> word))
            return false;
        const auto read = numberFrom<double>(word);
        number = read.value_or(number);
        return read.has_value();
    }

    void addRow(std::int64_t unit, const std::vector<double>& means)
    {
        LabCells cells = m_training.labels;
        cells.emplace_back(m_training.unit, unit);
        m_lastUnit = unit;
        m_latest = means.front();
        m_first = m_seen++ == 0 ? m_latest : m_first;
        m_rows += fmt::format(" {}", unit);
        for (std::size_t i = 0; i < means.size(); ++i) {
            cells.emplace_back(m_training.measures[i], means[i]);
            m_rows += ' ' + formatNumber(means[i]);
        }
        m_report.row("training", std::move(cells));
    }

    const Training& m_training;
    LabReporter& m_report;
    std::vector<double> m_sums;
    std::int64_t m_count = 0, m_lastUnit = 0, m_seen = 0;  // m_seen: rows
    double m_first = 0, m_latest = 0;                      // of the first measure
    std::string m_rows;
};

/// The training's state in its folder. Without a folder it keeps nothing and finds nothing.
class Checkpoint {
public:
    Checkpoint(const Training& training, const LabRun& run, History& history)
        : m_training(training), m_history(history), m_folder(run.folder), m_name(training.name + checkpointEnding),
          m_resume(run.resume)
    {
    }

    /// `first` of the run's trainings: later ones may not have begun when it was stopped.
    Result<void> resume(bool first)
    {
        const std::string path = (std::filesystem::path(m_folder) / m_name).string();
        if (!m_resume || m_folder.empty())
            return {};
        if (!std::filesystem::exists(path))
            return first && holdsCheckpoint(m_folder) ? failure(ErrorKind::InvalidArgument,
                                                                "{} holds the checkpoint of another run, and no {}; "
                                                                "give the parameters of that run, or another folder",
                                                                m_folder, m_name)
                                                      : Result<void>();
        const TensorFile file = TRY(TensorFile::open(path));
        const auto read = [&](const std::string& key) {
            const auto found = file.metadata().find(key);
            return found == file.metadata().end() ? std::string("absent") : found->second;
        };
        for (const auto& [key, value] : m_training.facts)
            if (const std::string then = read(key); then != value)
                return failure(ErrorKind::InvalidArgument,
                               "{} was trained with {} = {}, not {}; set it so, or start anew in another folder", path,
                               key, then, value);
        for (const auto& [key, value] : file.metadata())  // nor with a choice that this run does not make
            if (!m_training.facts.contains(key) && key != historyKey && !key.starts_with("optimizer."))
                return failure(ErrorKind::InvalidArgument,
                               "{} was trained with {} = {}; set it so, or start anew in another folder", path, key,
                               value);
        TRY(learn::loadTraining(file, m_training.weights, *m_training.adam));
        if (const Result<void> known = m_history.read(read(historyKey)); !known)
            return failure(known.error().kind, path + ": " + known.error().message);
        return checkLength(path);
    }

    /// The steps are those of the curve beside them, and no more than are wanted.
    Result<void> checkLength(const std::string& path) const
    {
        const std::int64_t steps = m_training.adam->steps(), done = steps / m_training.stepsPerUnit;
        const std::string units = m_training.unit + "s";
        if (steps % m_training.stepsPerUnit != 0 || done != m_history.units())
            return failure(
                ErrorKind::InvalidHeader,
                "{} says {} steps, and its training curve {} {}; it is damaged: start anew in another folder", path,
                steps, m_history.units(), units);
        if (done > m_training.total)
            return failure(ErrorKind::InvalidArgument,
                           "{} has been trained for {} {}, more than the {} asked for; set {} to {} or more, or start "
                           "anew in another folder",
                           path, done, units, m_training.total, units, done);
        return {};
    }

    Result<void> save()
    {
        m_last = Clock::now();
        if (m_folder.empty())
            return {};
        const std::string path = TRY(pathInFolder(m_folder, m_name));
        learn::Metadata metadata = m_training.facts;
        metadata[historyKey] = m_history.text();
        return learn::saveTraining(path, m_training.weights, *m_training.adam, std::move(metadata));
    }

    bool due() const { return !m_folder.empty() && Clock::now() - m_last >= saveInterval; }

private:
    const Training& m_training;
    History& m_history;
    std::string m_folder, m_name;
    bool m_resume;
    Clock::time_point m_last = Clock::now();
};

/// What has run away learns nothing more, and its tests would look like those of a network. A gradient that is not
/// finite leaves weights that are not.
Result<void> checkFinite(const Training& training, std::int64_t unit, double measure)
{
    const bool good =
        std::ranges::all_of(training.weights, [](const learn::Weight* weight) { return weight->value.allFinite(); });
    if (good && std::isfinite(measure))
        return {};
    return failure(ErrorKind::InvalidArgument,
                   "{}: the training ran away, its {} after {} {} are not finite; set a lower rate, and start anew in "
                   "another folder",
                   training.name, good ? training.measures.front() + " and gradients" : std::string("weights"), unit,
                   training.unit + (unit == 1 ? "" : "s"));
}

}  // namespace

Result<double> train(const Training& training, const LabRun& run, std::stop_token stop, LabReporter& report,
                     double from, double to)
{
    History history(training, report);
    Checkpoint checkpoint(training, run, history);
    TRY(checkpoint.resume(from <= 0));
    const auto done = [&] { return training.adam->steps() / training.stepsPerUnit; };
    const auto fraction = [&] {
        return from + (to - from) * static_cast<double>(done()) / static_cast<double>(training.total);
    };
    const auto started = Clock::now();
    while (done() < training.total) {
        const bool stopped = stop.stop_requested();
        if (stopped || checkpoint.due())
            TRY(checkpoint.save());
        if (stopped) {
            const Result<void> shown = training.show();
            report.send(fraction());
            return shown ? Result<double>(attnscope::stopped()) : tl::unexpected(shown.error());
        }
        const Result<std::vector<double>> measures = training.advance();
        if (!measures && measures.error().kind == ErrorKind::Cancelled && stop.stop_requested())
            continue;
        TRY(measures);
        TRY(checkFinite(training, done(), measures->front()));
        history.add(done(), *measures);
        if (report.due()) {
            TRY(training.show());
            report.send(fraction());
        }
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
    TRY(checkpoint.save());
    if (std::string wrong = history.wentWrong(); !wrong.empty())
        report.note(std::move(wrong));
    report.wantPictures();
    TRY(training.show());
    return seconds;
}

Result<std::string> keepModel(const Training& training, const LabRun& run)
{
    const std::string path = TRY(pathInFolder(run.folder, training.name + ".safetensors"));
    learn::Metadata metadata = training.facts;
    metadata[training.unit + "s"] = std::to_string(training.adam->steps() / training.stepsPerUnit);
    TRY(learn::saveModel(path, training.weights, metadata));
    return path;
}

}  // namespace attnscope

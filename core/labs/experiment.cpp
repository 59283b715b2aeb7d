#include "core/labs/experiment.h"

#include "core/labs/lab_record.h"

#include <set>

namespace attnscope {

namespace {

constexpr double previewsPart = 0.05;  // of the time, at most

/// Tables together, `main` last.
std::vector<LabRow> inOrder(const std::vector<LabRow>& rows, const std::string& main)
{
    std::vector<std::string> tables = tablesOf(rows);
    std::erase(tables, main);
    tables.push_back(main);
    std::vector<LabRow> ordered;
    for (const std::string& table : tables)
        std::ranges::copy_if(rows, std::back_inserter(ordered), [&](const LabRow& row) { return row.table == table; });
    return ordered;
}

/// Of methods whose rows of the findings have nothing that a chart would draw: "infoscale has no value at n = 16: its
/// rows there are blank".
std::vector<std::string> methodsWithoutValue(const std::vector<LabRow>& rows, const Lab& lab)
{
    const auto isBlank = [&](const LabRow& row) {
        bool any = false;
        for (const LabChart& chart : lab.charts)
            for (const LabLine& line : chart.lines)
                if (const LabValue* value = line.table == lab.main ? row.find(line.y) : nullptr) {
                    any = true;
                    if (!std::holds_alternative<std::monostate>(*value))
                        return false;
                }
        return any;
    };
    std::vector<std::pair<std::string, std::set<double>>> without;
    for (const LabRow& row : rows)
        if (row.table == lab.main && row.find("method") && isBlank(row)) {
            const std::string method = row.word("method");
            auto found = std::ranges::find(without, method, [](const auto& of) { return of.first; });
            if (found == without.end())
                found = without.insert(without.end(), {method, {}});
            found->second.insert(row.number(row.find("n") ? "n" : "items"));
        }
    std::vector<std::string> sentences;
    for (const auto& [method, lengths] : without)
        sentences.push_back(fmt::format("{} has no value at n = {}: its rows there are blank", method,
                                        joined(lengths, ", ", [](double n) { return formatNumber(n); })));
    return sentences;
}

}  // namespace

Result<void> Experiment::checkNoTraining(const NoTraining& words,
                                         const std::function<bool(const std::string& id)>& acts) const
{
    if (m_run.resume && holdsCheckpoint(m_run.folder))
        return failure(ErrorKind::InvalidArgument, m_run.folder + " holds a training, and " + words.resumed);
    for (const Parameter& parameter : m_lab.parameters)
        if (!acts(parameter.id) && m_parameters[parameter.id] != parameter.byDefault)
            return failure(ErrorKind::InvalidArgument,
                           "{} is a choice of training, and {} is trained already; {}, or {} to {}", parameter.id,
                           words.network, words.instead, parameter.id, formatNumber(parameter.byDefault));
    return {};
}

Result<void>
Experiment::trainEach(std::int64_t count, double share, const std::string& what,
                      const std::function<Result<void>(std::int64_t number, double from, double to)>& train)
{
    const double part = share / static_cast<double>(count);
    m_report.phase(share < 1 ? LabPhase{share, "tests"} : LabPhase{});
    for (std::int64_t number = 0; number < count; ++number) {
        m_report.stage(count == 1 ? "training" : fmt::format("training {} {} of {}", what, number + 1, count));
        const double from = part * static_cast<double>(number);
        TRY(train(number, from, from + part));
    }
    m_report.phase({});
    return {};
}

Result<void> Experiment::keep(const Training& training, const std::string& about)
{
    if (m_run.folder.empty())
        return {};
    const std::string path = TRY(keepModel(training, m_run));
    addFile({path, about, {}});
    return {};
}

void Experiment::addFile(LabFile file)
{
    m_files.push_back(file);
    m_report.file(std::move(file));
}

Result<void> Experiment::preview(const std::function<Result<void>()>& test)
{
    const auto started = Clock::now();
    TRY(test());
    m_nextPreview = Clock::now() + std::chrono::duration_cast<Clock::duration>((Clock::now() - started) / previewsPart);
    return {};
}

LabResult Experiment::finish(std::vector<LabCells> seeds)
{
    for (std::string& sentence : methodsWithoutValue(m_report.rows(), m_lab))
        m_report.note(std::move(sentence));
    for (LabCells& cells : seeds)
        m_report.row("seeds", std::move(cells));
    if (!m_report.notes().empty())
        m_report.stage(m_report.notes().back());
    m_report.send(1);
    return {inOrder(m_report.rows(), m_lab.main), m_files, m_report.notes()};
}

}  // namespace attnscope

#include "core/sweep/sweep_rows.h"

#include "core/base/checked_json.h"
#include "core/base/json_reader.h"
#include "core/base/json_writer.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

namespace attnscope {

namespace {

template <class Fields, class Outcome>
void outcomeFields(Fields& fields, Outcome& outcome)
{
    fields.number("task", outcome.task, 0, static_cast<double>(mostTasks));
    fields.number("seconds", outcome.seconds, 0, 1e12);
    fields.text("error", outcome.error);
    fields.text("rows", outcome.rows);
    fields.text("notes", outcome.notes);
}

}  // namespace

Result<SweepOutcomes> readOutcomes(const std::string& path, bool& whole)
{
    SweepOutcomes found;
    whole = true;
    if (std::error_code ignored; !std::filesystem::exists(path, ignored))
        return found;
    std::ifstream file(path, std::ios::binary);
    for (std::string line; std::getline(file, line);) {
        whole = !file.eof();
        auto json = whole ? parseJson(line, path) : failure(ErrorKind::InvalidHeader, {});
        SweepOutcome outcome{-1, {}, {}, 0};
        if (!json || !json->is_object() || !isWhole(*json))  // what is damaged is done again
            continue;
        ObjectReader reader(*json, "line");
        outcomeFields(reader, outcome);
        if (reader.finish() && outcome.task >= 0)
            found[outcome.task] = std::move(outcome);
    }
    if (file.bad())
        return failure(ErrorKind::NotReadable, path + " cannot be read; give another folder");
    return found;
}

Result<SweepJournal> SweepJournal::open(const std::string& path)
{
    SweepJournal journal;
    journal.m_path = path;
    bool whole = true;
    journal.m_found = TRY(readOutcomes(path, whole));
    journal.m_descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (journal.m_descriptor < 0 || (!whole && ::write(journal.m_descriptor, "\n", 1) != 1))
        return failure(ErrorKind::NotWritable, "{} cannot be written: {}; give a folder that you may write to", path,
                       std::strerror(errno));
    return journal;
}

SweepJournal::~SweepJournal()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<void> SweepJournal::add(const SweepOutcome& outcome)
{
    ObjectWriter writer;
    outcomeFields(writer, outcome);
    const std::string line = checkedLine(std::move(writer).json());
    for (std::size_t at = 0; at < line.size();) {
        const ssize_t written = ::write(m_descriptor, line.data() + at, line.size() - at);
        if (written < 0 && errno != EINTR)
            return failure(ErrorKind::NotWritable, "{} cannot be written: {}; make room, then --resume", m_path,
                           std::strerror(errno));
        at += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    }
    return {};
}

}  // namespace attnscope

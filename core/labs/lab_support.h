#pragma once
// What labs share: updates that come a few times a second at most, and the folder of a run.

#include "core/base/text.h"
#include "core/labs/lab.h"

#include <chrono>
#include <cmath>

namespace attnscope {

/// Collects what a lab finds, and passes it on no more often than every 100 ms, or when asked to.
class LabReporter {
public:
    LabReporter(const LabCallback& callback, std::string stage) : m_callback(callback)
    {
        m_update.stage = std::move(stage);
    }

    void stage(std::string stage) { m_update.stage = std::move(stage); }
    void phase(LabPhase phase) { m_update.phase = std::move(phase); }
    void row(std::string table, LabCells cells);
    /// A file that is complete is told of at once: whatever becomes of the run, it is there to be opened.
    void file(LabFile file);
    /// Is it time for an update? Then `live` rows are worth making,
    bool due() const;
    /// and pictures, which cost more, every half second.
    bool picturesDue() const;
    /// At the end of a training, so that a run keeps the same pictures however long it took, resumed or not.
    void wantPictures() { m_lastPicture = {}; }
    void live(std::vector<LabRow> rows) { m_update.live = std::move(rows); }
    void picture(LabPicture picture);
    void tours(LabTours tours);
    /// Those with more boxes than a picture may have are left out.
    void packings(LabPackings packings);
    void send(double fraction);
    void sendIfDue(double fraction)
    {
        if (due())
            send(fraction);
    }

    const std::vector<LabRow>& rows() const { return m_rows; }

    /// A sentence that goes with the result, and is the stage of the run from then on.
    void note(std::string sentence);
    const std::vector<std::string>& notes() const { return m_notes; }

private:
    using Clock = std::chrono::steady_clock;
    const LabCallback& m_callback;
    LabUpdate m_update;
    std::vector<LabRow> m_rows;
    std::vector<std::string> m_notes;
    Clock::time_point m_last{}, m_lastPicture{};
};

/// Nothing where there is no number, or it is NaN.
inline LabValue present(std::optional<double> value)
{
    return value && !std::isnan(*value) ? LabValue{*value} : LabValue{};
}

/// Choices with semicolons between them, as `read` understands each. Errors: its own.
template <class Read>
Result<std::vector<Choice>> choicesOf(const std::string& text, const Read& read)
{
    std::vector<Choice> choices;
    for (const std::string& part : partsOf(text, ';'))
        if (!part.empty())
            choices.push_back(TRY(read(part)));
    return choices;
}

/// Those of a registry. Errors: those of parseChoice.
template <class Rows>
Result<std::vector<Choice>> choicesOf(const std::string& text, const Rows& rows, const char* what)
{
    return choicesOf(text, [&](const std::string& part) { return parseChoice(part, rows, what); });
}

/// FOLDER/NAME, the folder made if need be. Errors: NotWritable.
Result<std::string> pathInFolder(const std::string& folder, const std::string& name);

/// The end of a checkpoint's name (training_loop.h).
constexpr const char* checkpointEnding = "_checkpoint.safetensors";

/// Does the folder hold a checkpoint of any training?
bool holdsCheckpoint(const std::string& folder);

}  // namespace attnscope

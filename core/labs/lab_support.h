#pragma once
// What labs share: updates that come a few times a second at most, checkpoints in the lab's folder.

#include "core/labs/lab.h"
#include "core/learn/checkpoint.h"

#include <chrono>

namespace attnscope {

/// Collects what a lab finds, and passes it on no more often than every 100 ms, or when asked to.
class LabReporter {
public:
    LabReporter(const LabCallback& callback, std::string stage) : m_callback(callback) { m_update.stage = std::move(stage); }

    void stage(std::string stage) { m_update.stage = std::move(stage); }
    void row(std::string table, std::vector<std::pair<std::string, LabValue>> cells);
    /// Is it time for an update? Then `live` tables and pictures are worth making.
    bool due() const;
    void live(std::vector<LabRow> rows) { m_update.live = std::move(rows); }
    void picture(LabPicture picture) { m_update.pictures.push_back(std::move(picture)); }
    void send(double fraction);
    void sendIfDue(double fraction)
    {
        if (due())
            send(fraction);
    }

    const std::vector<LabRow>& rows() const { return m_rows; }

private:
    const LabCallback& m_callback;
    LabUpdate m_update;
    std::vector<LabRow> m_rows;
    std::chrono::steady_clock::time_point m_last{};
};

/// A lab's training in its folder. Without a folder it keeps nothing and finds nothing.
class LabCheckpoint {
public:
    /// `facts`: what the training depends on; a checkpoint made with others is refused.
    LabCheckpoint(const LabRun& run, std::string name, learn::Metadata facts);

    /// Puts the weights and moments back if the run resumes and there is a checkpoint. Errors: InvalidArgument (made with other
    /// parameters, naming which), those of reading.
    Result<void> resume(const learn::Weights& weights, learn::Adam& adam);

    Result<void> save(const learn::Weights& weights, const learn::Adam& adam);
    /// Is the last save half a minute ago?
    bool due() const;

    /// "step value step value ...": the training curve goes with the checkpoint.
    std::string history;

private:
    std::string m_path;
    bool m_resume;
    learn::Metadata m_facts;
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};

/// FOLDER/NAME, the folder made if need be. Errors: NotWritable.
Result<std::string> pathInFolder(const std::string& folder, const std::string& name);

}  // namespace attnscope

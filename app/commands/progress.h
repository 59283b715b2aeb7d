#pragma once
// Progress on standard error: a bar on a terminal, nothing in a pipe unless it was asked for (then a line every tenth).

#include "app/commands/command.h"

#include <chrono>
#include <string>

namespace attnscope {

class Progress {
public:
    Progress(const Console& console, std::string label, bool asked);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `fraction` from 0 to 1; `stage`, if not empty, is what is being done now. After some seconds the bar says how
    /// long it will take.
    void update(double fraction, const std::string& stage = {});

private:
    const Console& m_console;
    std::string m_label;
    bool m_shown;
    int m_lastStep = -1;
    std::string m_stage;
    double m_firstFraction = -1;  ///< a run that is resumed does not start at 0
    std::chrono::steady_clock::time_point m_started = std::chrono::steady_clock::now();
};

}  // namespace attnscope

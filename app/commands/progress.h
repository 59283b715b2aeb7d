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

    void update(double fraction);  ///< from 0 to 1

private:
    const Console& m_console;
    std::string m_label;
    bool m_shown;
    int m_lastStep = -1;
    std::chrono::steady_clock::time_point m_started = std::chrono::steady_clock::now();
};

}  // namespace attnscope

#include "app/commands/progress.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace attnscope {

namespace {
constexpr int barWidth = 30;
constexpr std::chrono::milliseconds patience{300};  // what is over sooner needs no bar

/// ", 2 min 5 s left", once enough has been done to tell.
std::string timeLeft(std::chrono::steady_clock::duration elapsed, double done, double toDo)
{
    const double seconds = std::chrono::duration<double>(elapsed).count();
    if (seconds < 3 || done <= 0.005 || toDo <= 0)
        return {};
    const long left = std::lround(seconds * toDo / done);
    return fmt::format(", {}{} s left", left >= 60 ? fmt::format("{} min ", left / 60) : std::string(), left % 60);
}
}  // namespace

Progress::Progress(const Console& console, std::string label, bool asked)
    : m_console(console), m_label(std::move(label)), m_shown(asked || console.errIsTerminal)
{
}

Progress::~Progress()
{
    if (m_shown && m_console.errIsTerminal && m_lastStep >= 0)
        m_console.err << "\r\033[K" << std::flush;
}

void Progress::update(double fraction, const std::string& stage)
{
    if (!m_shown)
        return;
    const bool terminal = m_console.errIsTerminal;
    const auto elapsed = std::chrono::steady_clock::now() - m_started;
    if (m_firstFraction < 0)
        m_firstFraction = fraction;
    const int step = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * (terminal ? 100 : 10));
    if ((step == m_lastStep && stage == m_stage) || (terminal && elapsed < patience))
        return;
    m_lastStep = step;
    m_stage = stage;
    if (!terminal) {
        m_console.err << m_label << ": " << step * 10 << " %" << std::endl;
        return;
    }
    const int filled = step * barWidth / 100;
    m_console.err << '\r' << m_label << " [" << std::string(static_cast<size_t>(filled), '#')
                  << std::string(static_cast<size_t>(barWidth - filled), ' ') << "] " << step << " %"
                  << timeLeft(elapsed, fraction - m_firstFraction, 1 - fraction) << (stage.empty() ? "" : ", ") << stage
                  << "\033[K" << std::flush;
}

}  // namespace attnscope

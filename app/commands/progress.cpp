#include "app/commands/progress.h"

#include <algorithm>
#include <ostream>

namespace attnscope {

namespace {
constexpr int barWidth = 30;
constexpr std::chrono::milliseconds patience{300};  // what is over sooner needs no bar
}

Progress::Progress(const Console& console, std::string label, bool asked)
    : m_console(console), m_label(std::move(label)), m_shown(asked || console.errIsTerminal)
{
}

Progress::~Progress()
{
    if (m_shown && m_console.errIsTerminal && m_lastStep >= 0)
        m_console.err << "\r\033[K" << std::flush;
}

void Progress::update(double fraction)
{
    if (!m_shown)
        return;
    const bool terminal = m_console.errIsTerminal;
    const int step = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * (terminal ? 100 : 10));
    if (step == m_lastStep || (terminal && std::chrono::steady_clock::now() - m_started < patience))
        return;
    m_lastStep = step;
    if (!terminal) {
        m_console.err << m_label << ": " << step * 10 << " %" << std::endl;
        return;
    }
    const int filled = step * barWidth / 100;
    m_console.err << '\r' << m_label << " [" << std::string(static_cast<size_t>(filled), '#') << std::string(static_cast<size_t>(barWidth - filled), ' ') << "] "
                  << step << " %" << std::flush;
}

}  // namespace attnscope

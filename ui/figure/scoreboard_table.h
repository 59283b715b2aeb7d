#pragma once
// The scoreboard as a table of colours, in print and in the window: a row a scale method, a column a task at a length,
// the gain against vanilla as a number, on a colour with dots where it is one that the correction for all tests leaves.

#include "core/labs/scoreboard/scoreboard.h"
#include "ui/figure/figure_content.h"

#include <span>

namespace attnscope {

inline constexpr double halfColourGain = 10;  ///< per cent; what is far beyond it still tells from what is more

struct BoardTable {
    struct Place {
        std::string task;  ///< its label
        double ratio = 0;  ///< n / N
        bool operator==(const Place&) const = default;
    };
    std::shared_ptr<const TableContent> content;
    std::vector<std::string> methods;  ///< of the content's rows
    std::vector<Place> places;         ///< of its columns but the first
};

/// At these lengths; tasks and methods that have no cell there are left out. Of one length tasks that differ in
/// conditions alone stand under one heading.
BoardTable scoreboardTable(const Scoreboard& board, std::span<const double> ratios, double halfColour = halfColourGain);

/// A task's gain over the size of the change of entropy at these lengths, a point a cell, a series a method in its own
/// style; vanilla among them.
struct BoardEntropy {
    ChartSpec chart;
    std::vector<std::vector<std::size_t>> cells;  ///< of each series' points: places in Scoreboard::cells
};
ChartSpec gainAgainstEntropy();       ///< such a chart without its points
void setGainRange(ChartSpec& chart);  ///< with room about the gains, and 0 among them
BoardEntropy scoreboardEntropy(const Scoreboard& board, const std::string& task, std::span<const double> ratios);

/// "Softmax Plus = LongRoPE temperature", "Log $n$ †": with what does the same, and a mark where m(N) is not 1. As
/// markup.
QString methodLabel(const Scoreboard& board, const std::string& method, bool marked = true);
/// "3 networks"
QString networksText(std::int64_t networks);

/// "+2.3", "−41", "+1.2k"; "0" of what rounds to it
QString gainText(double gain);

/// "Hidden tokens found", and "RoPE, $N$ = 100, $α$ = 16": the two parts of a task's name, as markup.
QString taskName(const Scoreboard::Task& task);
QString taskDetail(const Scoreboard::Task& task);
/// Both.
QString taskTitle(const Scoreboard::Task& task);

/// "−0.51", to two digits.
QString correlationText(double rho);
/// "ρ = −0.51 over 3 networks, p = 0.04".
QString relationText(const EntropyRelation& relation);

}  // namespace attnscope

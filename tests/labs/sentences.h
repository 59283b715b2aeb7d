#pragma once
// A passage of a page of the manual, the numbers in it, and what computes them again from the runs that come with the
// program, from the tables that labs wrote, or exactly.

#include "core/labs/scoreboard/scoreboard.h"

#include <QFile>
#include <QString>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace attnscope {

inline const Scoreboard& board(const std::string& reference = "vanilla")
{
    static std::map<std::string, Scoreboard> all;
    const auto found = all.find(reference);
    return found != all.end() ? found->second
                              : all.emplace(reference, makeScoreboard(*shippedRuns(), reference)).first->second;
}

/// A cell of the board. One that is not there fails the sentence that asks for it: NaN.
struct Cell {
    std::string task, method;
    double ratio = 16;
    std::string reference = "vanilla";

    const BoardCell* operator->() const
    {
        static const BoardCell none = [] {
            BoardCell cell;
            cell.value = cell.vanilla = cell.gain = std::nan("");
            return cell;
        }();
        const BoardCell* found = board(reference).find(task, method, ratio);
        return found ? found : &none;
    }
    double p() const { return (*this)->p.value_or(std::nan("")); }
    /// Is every network better by it? Or worse?
    bool holdsInAll(std::size_t networks, int sign = 1) const
    {
        return (*this)->networks.size() == networks &&
               std::ranges::all_of((*this)->networks, [&](const BoardPair& pair) { return sign * pair.gain > 0; });
    }
    bool failsInAll(std::size_t networks) const { return holdsInAll(networks, -1); }
};

inline std::string copied(const std::string& positions)
{
    return "values recalled, " + positions + " (copied=1, fillers=480, heads=2, steps=20000)";
}

inline const std::string dot = "hidden tokens found, rope (length=100)",
                         cosine = "hidden tokens found, rope (alpha=16, length=100)", rerope = "next token, rerope",
                         yarn = "next token, yarn_rope", farNtk = "values recalled, ntk",
                         farRerope = "values recalled, rerope:w=64", anyNtk = "values recalled, ntk (scattered=1)",
                         anyRerope = "values recalled, rerope:w=64 (scattered=1)",
                         jumped = "values recalled, rope (skips=2)", copyNtk = copied("ntk"),
                         copyRerope = copied("rerope:w=64"), cities = "tours, tsp", vehicles = "tours, cvrp",
                         largest = "largest item found", cities50 = "tours, tsp (length=50)",
                         vehicles50 = "tours, cvrp (length=50)",
                         bins[] = {"boxes packed, 120 x 100", "boxes packed, 140 x 110", "boxes packed, 160 x 120"};
/// With N = 50.
inline std::string longer(int bin) { return bins[bin] + " (length=50)"; }
inline const char *const logN = "softmax_plus", *const exact = "entropy_exact", *const measured = "entropy_measured",
                         *const chance = "random order", *const guess = "a guess",
                         *const window = "vanilla|window:causal=0,w=25", *const windowOfN = "vanilla|window:w=64";

struct Number {
    const char* written;
    double computed;
};
struct Sentence {
    const char* says;  ///< a passage of the page
    std::vector<Number> numbers;
    std::function<bool()> holds = {};  ///< what its bold word means; none: the numbers say it all
    const char* page = "what_holds.md";
};

/// Networks of the lab recall that learned by its own recipe, but with this factor of the cosine and these jumps, and
/// are tested so.
struct Recalled {
    std::string positions, method = "vanilla";
    double alpha = 0, skips = 0, ratio = 16;

    std::map<double, double> networks() const;  ///< per cent of values found, by seed
    double mean() const;                        ///< NaN: there are none
    Recalled with(const char* other) const { return {positions, other, alpha, skips, ratio}; }
    Recalled ofCosine(double factor) const { return {positions, method, factor, skips, ratio}; }
};

/// What a column of a table that a lab wrote, a file of resources/labs, has in the first row with these cells; NaN:
/// there is none.
using Wanted = std::map<std::string, std::string>;
double numberIn(const char* name, const Wanted& where, const char* column);

/// p of Welch's t-test, two-sided.
double welch(const std::vector<double>& a, const std::vector<double>& b);

/// A page, with a space for every break of a line.
inline QString textOf(const char* page)
{
    QFile file(QStringLiteral(TEST_DATA "/../../resources/manual/") + QLatin1String(page));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).simplified() : QString();
}

/// m at the last row of n tokens.
double multiplierOf(const char* method, double n, double nTrain = 512, int d = 64);

std::vector<Sentence> sentencesOfRuns();
std::vector<Sentence> sentencesOfTheBoard();
std::vector<Sentence> sentencesOfTheory();
std::vector<Sentence> sentencesOfTables();
std::vector<Sentence> sentencesOfLongerTexts();

/// The rows of papers.md's table of hidden tokens in longer texts that were computed here, and of labs.md's of heads
/// that learn, as they must read.
QString tableOfLongerTexts();
QString tableOfLearning();

}  // namespace attnscope

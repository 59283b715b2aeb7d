// What the manual's pages what_holds.md and scoreboard.md say of the runs that come with the program is computed from
// them again, and so is the exact theory: each number, to the digits it is written with, and each bold word, by what it
// means. When runs are made again and a sentence is no longer so, the test names it. No word of what_holds.md is bold
// that no sentence here holds.

#include "core/base/csv.h"
#include "core/base/random.h"
#include "core/labs/policies/policy_networks.h"
#include "core/labs/routing/routing_instances.h"
#include "core/labs/scoreboard/scoreboard.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"
#include "core/theory/approximations.h"
#include "core/theory/expected_row.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

using namespace attnscope;

namespace {

const Scoreboard& board(const std::string& reference = "vanilla")
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

std::string copied(const std::string& positions)
{
    return "values recalled, " + positions + " (copied=1, fillers=480, heads=2, steps=20000)";
}

const std::string dot = "hidden tokens found, rope (length=100)",
                  cosine = "hidden tokens found, rope (alpha=16, length=100)", rerope = "next token, rerope",
                  yarn = "next token, yarn_rope", farNtk = "values recalled, ntk",
                  farRerope = "values recalled, rerope:w=64", anyNtk = "values recalled, ntk (scattered=1)",
                  anyRerope = "values recalled, rerope:w=64 (scattered=1)", jumped = "values recalled, rope (skips=2)",
                  copyNtk = copied("ntk"), copyRerope = copied("rerope:w=64"), cities = "tours, tsp",
                  vehicles = "tours, cvrp", cities50 = "tours, tsp (length=50)", vehicles50 = "tours, cvrp (length=50)",
                  bins[] = {"boxes packed, 120 x 100", "boxes packed, 140 x 110", "boxes packed, 160 x 120"};
/// With N = 50.
std::string longer(int bin) { return bins[bin] + " (length=50)"; }
const char *const logN = "softmax_plus", *const exact = "entropy_exact", *const measured = "entropy_measured",
                  *const chance = "random order", *const window = "vanilla|window:causal=0,w=25",
                  *const windowOfN = "vanilla|window:w=64";

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

EntropyRelation relationOf(const std::string& scope)
{
    for (EntropyRelation& one : entropyRelations(board()))
        if (one.scope == scope)
            return one;
    return {scope, std::nan(""), {}, 0, "", 0};
}

/// Of the networks of a cell, the one trained with the least seed first.
double gainOf(const Cell& cell, std::size_t network)
{
    std::vector<BoardPair> pairs = cell->networks;
    std::ranges::sort(pairs, {}, &BoardPair::run);  // runs are in the order of their seeds
    return network < pairs.size() ? pairs[network].gain : std::nan("");
}

/// The rank correlations of gain and entropy's change, least and most, of the runs of a task each by itself.
std::pair<double, double> relationsOfEach(const std::string& task)
{
    static const std::vector<EntropyRelation> all = [] {
        const std::vector<BoardRun> runs = *shippedRuns();
        std::vector<EntropyRelation> found;
        for (const BoardRun& run : runs)
            std::ranges::move(entropyRelations(makeScoreboard(std::span(&run, 1))), std::back_inserter(found));
        return found;
    }();
    double least = 2, most = -2;
    for (const EntropyRelation& one : all)
        if (one.scope == task) {
            least = std::min(least, one.rho);
            most = std::max(most, one.rho);
        }
    return {least, most};
}

bool isLonger(const Cell& cell) { return cell->gain < 0; }
bool isShorter(const Cell& cell) { return cell->gain > 0; }

/// The best of all methods of a task, as the task counts.
double mostOf(const std::string& task, double ratio)
{
    double most = -100;
    for (const BoardCell& cell : board().cells)
        if (cell.task == task && cell.ratio == ratio)
            most = std::max({most, cell.value, cell.vanilla});
    return most;
}

/// The least and the most that any scale takes off a task's tours at 16 N, but for two that add to them.
double leastOfOthers(const std::string& task)
{
    double least = 100;
    for (const BoardCell& cell : board().cells)
        if (cell.task == task && cell.ratio == 16 && cell.method != "vanilla" && cell.method != measured &&
            cell.method != "log_n")
            least = std::min(least, cell.gain);
    return least;
}
double mostTakenOff(const std::string& task)
{
    double most = -100;
    for (const BoardCell& cell : board().cells)
        if (cell.task == task && cell.ratio == 16)
            most = std::max(most, cell.gain);
    return most;
}

/// The most that a scale for all heads gains in a bin.
double mostOfOthers(double ratio)
{
    double most = -100;
    for (const BoardCell& cell : board().cells)
        if (std::ranges::find(bins, cell.task) != std::end(bins) && cell.ratio == ratio && cell.method != measured &&
            cell.method.find("order") == cell.method.npos)
            most = std::max(most, cell.gain);
    return most;
}

std::vector<Sentence> sentences()
{
    const Cell window80{dot, window}, windowOverLog{dot, window, 16, logN};
    return {
        {"**no**: vanilla attention with a window of N/4 finds 80 % of hidden tokens at 16 N, without a window 25 %, "
         "with ln n "
         "/ "
         "ln N 38 %, over three networks",
         {{"80", window80->value}, {"25", window80->vanilla}, {"38", Cell{dot, logN} -> value}},
         [=] { return window80.holdsInAll(3) && windowOverLog.holdsInAll(3) && windowOverLog.p() < 0.05; }},
        {"**holds**, in five networks of five that recall values told up to N = 64 tokens before: at 16 N they find 40 "
         "% with ReRoPE (w = N) and no scale, 80 with InfoScale, 93 with the exact scale, 96 with "
         "ln n / ln N, and 9 with a window of N; with NTK's base 33, 50, 74, 73 and 9.",
         {{"40", Cell{farRerope, logN} -> vanilla},
          {"80", Cell{farRerope, "infoscale"} -> value},
          {"93", Cell{farRerope, exact} -> value},
          {"96", Cell{farRerope, logN} -> value},
          {"9", Cell{farRerope, windowOfN} -> value},
          {"33", Cell{farNtk, logN} -> vanilla},
          {"50", Cell{farNtk, "infoscale"} -> value},
          {"74", Cell{farNtk, exact} -> value},
          {"73", Cell{farNtk, logN} -> value},
          {"9", Cell{farNtk, windowOfN} -> value}},
         [] {
             const auto holds = [](const std::string& task, const char* method) {
                 const Cell cell{task, method};
                 return cell.holdsInAll(5) && cell->q.value_or(1) < 0.05;
             };
             return std::ranges::all_of(std::array{"infoscale", exact, logN}, [&](const char* method) {
                 return holds(farRerope, method) && holds(farNtk, method);
             });
         }},
        {"Five networks that find pairs anywhere among the fillers: 37, 86, 90, 96 and 11 %; 29, 58, 70, 76 and 11.",
         {{"37", Cell{anyRerope, logN} -> vanilla},
          {"86", Cell{anyRerope, "infoscale"} -> value},
          {"90", Cell{anyRerope, exact} -> value},
          {"96", Cell{anyRerope, logN} -> value},
          {"11", Cell{anyRerope, windowOfN} -> value},
          {"29", Cell{anyNtk, logN} -> vanilla},
          {"58", Cell{anyNtk, "infoscale"} -> value},
          {"70", Cell{anyNtk, exact} -> value},
          {"76", Cell{anyNtk, logN} -> value},
          {"11", Cell{anyNtk, windowOfN} -> value}},
         [] {
             for (const std::string& task : {anyNtk, anyRerope})
                 for (const char* method : {"infoscale", exact, logN})
                     if (const Cell cell{task, method}; !cell.holdsInAll(5) || cell->q.value_or(1) >= 0.05)
                         return false;
             return true;
         }},
        {"with pairs anywhere 5e-5, 7e-5, 2e-4; 2e-4, 5e-4, 1e-4;",
         {},
         [] {
             const auto writtenAs = [](const std::string& task, const char* method, double written) {
                 return std::abs(Cell{task, method}.p() / written - 1) < 0.3;
             };
             return writtenAs(anyRerope, "infoscale", 5e-5) && writtenAs(anyRerope, exact, 7e-5) &&
                    writtenAs(anyRerope, logN, 2e-4) && writtenAs(anyNtk, "infoscale", 2e-4) &&
                    writtenAs(anyNtk, exact, 5e-4) && writtenAs(anyNtk, logN, 1e-4);
         }},
        {"At 2 N there is nothing to gain, and the exact scale costs 0.6 and 0.9 points.",
         {{"0.6", Cell{farRerope, exact, 2} -> gain}, {"0.9", Cell{farNtk, exact, 2} -> gain}},
         [] {
             const auto nothing = [](const std::string& task, const char* method) {
                 const Cell cell{task, method, 2};
                 return cell.p() > 0.05 && std::abs(cell->gain) < 0.5;
             };
             return nothing(farNtk, logN) && nothing(farNtk, "infoscale") && nothing(farRerope, logN) &&
                    nothing(farRerope, "infoscale") && Cell
             {
                 farNtk, exact, 2
                 } -> gain < 0 && Cell { farRerope, exact, 2 } -> gain < 0;
         }},
        {"0.001, 2e-4, 1e-4; 0.007, 0.01, 0.005 for the three scales at 16 N, over 5 networks",
         {{"0.001", Cell{farRerope, "infoscale"}.p()},
          {"0.007", Cell{farNtk, "infoscale"}.p()},
          {"0.01", Cell{farNtk, exact}.p()},
          {"0.005", Cell{farNtk, logN}.p()}},
         [] {
             return std::abs(Cell{farRerope, exact}.p() - 2e-4) < 0.5e-4 &&
                    std::abs(Cell{farRerope, logN}.p() - 1e-4) < 0.5e-4;
         }},
        {"Where values are recalled it is ahead by 23 and 17 points (NTK's base, ReRoPE), with pairs anywhere by 18 "
         "and "
         "10.",
         {{"23", Cell{farNtk, logN, 16, "infoscale"} -> gain},
          {"17", Cell{farRerope, logN, 16, "infoscale"} -> gain},
          {"18", Cell{anyNtk, logN, 16, "infoscale"} -> gain},
          {"10", Cell{anyRerope, logN, 16, "infoscale"} -> gain}},
         [] {
             return std::ranges::all_of(std::array{farNtk, farRerope, anyNtk, anyRerope}, [](const std::string& task) {
                 return Cell{task, logN, 16, "infoscale"}.holdsInAll(5);
             });
         }},
        {"over 3 networks each; 0.009, 0.015, 0.010, 0.015, over 5",
         {{"0.009", Cell{farNtk, logN, 16, "infoscale"}.p()},
          {"0.015", Cell{farRerope, logN, 16, "infoscale"}.p()},
          {"0.010", Cell{anyNtk, logN, 16, "infoscale"}.p()},
          {"0.015", Cell{anyRerope, logN, 16, "infoscale"}.p()}}},
        {"with pairs anywhere 10 and 15 fewer (0.007, 0.010)",
         {{"10", Cell{anyNtk, measured, 16, logN} -> gain},
          {"15", Cell{anyRerope, measured, 16, logN} -> gain},
          {"0.007", Cell{anyNtk, measured, 16, logN}.p()},
          {"0.010", Cell{anyRerope, measured, 16, logN}.p()}}},
        {"of values recalled it finds 9 and 16 points fewer (0.03, 0.03, over 5)",
         {{"9", Cell{farNtk, measured, 16, logN} -> gain},
          {"16", Cell{farRerope, measured, 16, logN} -> gain},
          {"0.03", Cell{farNtk, measured, 16, logN}.p()},
          {"0.03", Cell{farRerope, measured, 16, logN}.p()}},
         [] {
             return Cell { farNtk, measured, 16, logN } -> gain < 0 && Cell
                 {
                     farRerope, measured, 16, logN
                     } -> gain < 0;
         }},
        {"**InfoScale's gain in every network, the rest not shown**: at 16 N 25 % with neither, 32 with InfoScale, 36 "
         "with the cosine, 40 with both.",
         {{"25", Cell{dot, "infoscale"} -> vanilla},
          {"32", Cell{dot, "infoscale"} -> value},
          {"36", Cell{cosine, "infoscale"} -> vanilla},
          {"40", Cell{cosine, "infoscale"} -> value}},
         [] {
             return Cell{dot, "infoscale"}.holdsInAll(3) && Cell{cosine, "infoscale"}.holdsInAll(3);
         }},
        {"**holds for vehicles**, in five networks of five: ln n / ln N -2.9 % at 160 customers, -5.2 % at 320. **By "
         "about 1 % for cities**, in five of five: InfoScale -1.0 % at 160 cities and at 320; ln n / ln N -0.8 % at "
         "80, "
         "beyond that no clear gain",
         {{"2.9", Cell{vehicles, logN, 8} -> gain},
          {"5.2", Cell{vehicles, logN} -> gain},
          {"1.0", Cell{cities, "infoscale", 8} -> gain},
          {"1.0", Cell{cities, "infoscale"} -> gain},
          {"0.8", Cell{cities, logN, 4} -> gain}},
         [] {
             return Cell{vehicles, logN, 8}.holdsInAll(5) && Cell{vehicles, logN}.holdsInAll(5) &&
                    Cell{vehicles, logN}.p() < 0.01 && Cell{cities, "infoscale", 8}.holdsInAll(5) &&
                    Cell{cities, "infoscale"}.holdsInAll(5) && Cell{cities, "infoscale"}.p() < 0.01 &&
                    Cell{cities, logN, 8}.p() > 0.05 && Cell{cities, logN}.p() > 0.05;
         }},
        {"**hardly**: over five networks, which at 16 N pack worse than random order with any of these scales, EIE's "
         "scale gives +0.7, +0.5, +0.4 points of load rate in the three bins at 160 boxes, the first of them in five "
         "networks of five, and +0.7, +0.3, +0.3 at 320 (published at 16 N +10.0, +6.7, +8.8). ln n / √d, the worst "
         "there, gives +0.5, +0.4, +0.5 at 320.",
         {{"0.7", Cell{bins[0], "eie", 8} -> gain},
          {"0.5", Cell{bins[1], "eie", 8} -> gain},
          {"0.4", Cell{bins[2], "eie", 8} -> gain},
          {"0.7", Cell{bins[0], "eie"} -> gain},
          {"0.3", Cell{bins[1], "eie"} -> gain},
          {"0.3", Cell{bins[2], "eie"} -> gain},
          {"0.5", Cell{bins[0], "log_n"} -> gain},
          {"0.4", Cell{bins[1], "log_n"} -> gain},
          {"0.5", Cell{bins[2], "log_n"} -> gain}},
         [] {
             return Cell{bins[0], "eie", 8}.holdsInAll(5) && std::ranges::all_of(bins, [](const std::string& bin) {
                        return Cell { bin, "eie" } -> gain < Cell
                            {
                                bin, "random order"
                                } -> gain&& Cell { bin, "log_n" } -> gain < Cell
                                    {
                                        bin, "random order"
                                        } -> gain;
                    });
         }},
        {"**holds for the mild one**, in three networks of three: ln n / ln N -1.6 % at 200 customers, -3.4 % at 400, "
         "-5.4 % at 800. The exact scale +1.0, +0.2, -1.5 %: its gain at 800, -3.1 % in the first network over its "
         "instances, could be chance",
         {{"1.6", Cell{vehicles50, logN, 4} -> gain},
          {"3.4", Cell{vehicles50, logN, 8} -> gain},
          {"5.4", Cell{vehicles50, logN} -> gain},
          {"1.0", Cell{vehicles50, exact, 4} -> gain},
          {"0.2", Cell{vehicles50, exact, 8} -> gain},
          {"1.5", Cell{vehicles50, exact} -> gain},
          {"3.1", gainOf({vehicles50, exact}, 0)}},
         [] {
             return std::ranges::all_of(std::array{4, 8, 16},
                                        [](int ratio) {
                                            return Cell{vehicles50, logN, double(ratio)}.holdsInAll(3) &&
                                                   Cell{vehicles50, logN, double(ratio)}.p() < 0.05;
                                        }) &&
                    Cell{vehicles50, exact}.p() > 0.05;
         }},
        {"**holds for the mild one**, in three networks of three: ln n / ln N -1.2 % at 200 cities, -2.4 % at 400, "
         "-3.5 % at 800. The exact scale of Gaussian logits makes tours longer, by 1.0, 1.1 and 0.9 %",
         {{"1.2", Cell{cities50, logN, 4} -> gain},
          {"2.4", Cell{cities50, logN, 8} -> gain},
          {"3.5", Cell{cities50, logN} -> gain},
          {"1.0", Cell{cities50, exact, 4} -> gain},
          {"1.1", Cell{cities50, exact, 8} -> gain},
          {"0.9", Cell{cities50, exact} -> gain}},
         [] {
             return std::ranges::all_of(std::array{4, 8, 16},
                                        [](int ratio) {
                                            return Cell{cities50, logN, double(ratio)}.holdsInAll(3) &&
                                                   Cell{cities50, logN, double(ratio)}.p() < 0.05;
                                        }) &&
                    Cell{cities50, exact, 4}.failsInAll(3) && Cell{cities50, exact, 4}.p() < 0.05;
         }},
        {"**not on the salesman**: in five networks of five trained here at 20 it makes tours longer, of 160 cities by "
         "4.8 %, of 320 cities by 9.2 %",
         {{"4.8", Cell{cities, exact, 8} -> gain}, {"9.2", Cell{cities, exact} -> gain}},
         [] {
             return Cell{cities, exact, 8}.failsInAll(5) && Cell{cities, exact}.failsInAll(5) &&
                    Cell{cities, exact}.p() < 0.05;
         }},
        {"On vehicles it helps, -3.4 % at 320",
         {{"3.4", Cell{vehicles, exact} -> gain}},
         [] {
             return Cell{vehicles, exact}.p() < 0.05 && Cell{vehicles, logN, 16, exact}.holdsInAll(5) &&
                    Cell{vehicles, logN, 16, exact}.p() < 0.01;
         }},
        {"**at 8 N it does good in two bins of three**: brought back to the entropy of N, head by head, five networks "
         "pack 160 boxes 3.1, 1.5 and 1.2 points of load rate better in the three bins, 1.9 to 3.4 above random order; "
         "no scale for all heads together gains more than 0.8. At 320 it gives 3.6, 2.0 and 1.7",
         {{"3.1", Cell{bins[0], measured, 8} -> gain},
          {"1.5", Cell{bins[1], measured, 8} -> gain},
          {"1.2", Cell{bins[2], measured, 8} -> gain},
          {"1.9", Cell{bins[1], measured, 8} -> value - Cell{bins[1], "random order", 8} -> value},
          {"3.4", Cell{bins[2], measured, 8} -> value - Cell{bins[2], "random order", 8} -> value},
          {"0.8", mostOfOthers(8)},
          {"3.6", Cell{bins[0], measured} -> gain},
          {"2.0", Cell{bins[1], measured} -> gain},
          {"1.7", Cell{bins[2], measured} -> gain}},
         [] {
             return Cell{bins[0], measured, 8}.holdsInAll(5) && Cell{bins[1], measured, 8}.holdsInAll(5) &&
                    Cell{bins[0], measured, 8}.p() < 0.05 && Cell{bins[1], measured, 8}.p() < 0.05 &&
                    Cell{bins[2], measured, 8}.p() > 0.05;
         }},
        {"which brings networks that are worse than random order nearly back to it: 0.3, 1.4 and 0.6 below",
         {{"0.3", Cell{bins[0], measured} -> value - Cell{bins[0], "random order"} -> value},
          {"1.4", Cell{bins[1], measured} -> value - Cell{bins[1], "random order"} -> value},
          {"0.6", Cell{bins[2], measured} -> value - Cell{bins[2], "random order"} -> value}},
         [] {
             return std::ranges::all_of(bins, [](const std::string& bin) {
                 return Cell { bin, "random order" } -> gain > 2;
             });
         }},
        {"**no, on cities, nor on vehicles**, in five networks of five each",
         {},
         [] {
             return Cell{cities, measured}.failsInAll(5) && Cell{vehicles, measured}.failsInAll(5) &&
                    Cell{cities, measured}.p() < 0.05 && Cell{vehicles, measured}.p() < 0.05;
         }},
        {"tours of 320 cities get 75 % longer (48 to 132 %), of 320 customers 2.7 %. With networks trained at 50 "
         "tours of 800 cities get 62 % longer (41 to 83 %), of 800 customers 18 % (12 to 27 %)",
         {{"75", Cell{cities, measured} -> gain},
          {"48", gainOf({cities, measured}, 0)},
          {"132", gainOf({cities, measured}, 1)},
          {"2.7", Cell{vehicles, measured} -> gain},
          {"62", Cell{cities50, measured} -> gain},
          {"41", gainOf({cities50, measured}, 2)},
          {"83", gainOf({cities50, measured}, 1)},
          {"18", Cell{vehicles50, measured} -> gain},
          {"12", gainOf({vehicles50, measured}, 1)},
          {"27", gainOf({vehicles50, measured}, 0)}}},
        {"Of three networks for 50 one packs 800 boxes 2.6, 1.5 and 1.0 better, the two others worse but for one bin, "
         "in the mean -0.5, -0.6 and +0.3",
         {{"2.6", gainOf({longer(0), measured}, 0)},
          {"1.5", gainOf({longer(1), measured}, 0)},
          {"1.0", gainOf({longer(2), measured}, 0)},
          {"0.5", Cell{longer(0), measured} -> gain},
          {"0.6", Cell{longer(1), measured} -> gain},
          {"0.3", Cell{longer(2), measured} -> gain}},
         [] {
             int worse = 0;
             for (int bin = 0; bin < 3; ++bin)
                 for (std::size_t network = 1; network < 3; ++network)
                     worse += gainOf({longer(bin), measured}, network) < 0;
             return worse == 5 && Cell{longer(0), measured}.p() > 0.05 && Cell
             {
                 longer(0), "random order"
                 } -> gain > 0;
         }},
        {"**in three networks of three**, with ReRoPE (w = 128): at 16 N ln n / ln N takes 23, 9 and 8 % off, "
         "InfoScale 15, 9 "
         "and 6 %; 14 and 10 % in the mean.",
         {{"23", gainOf({rerope, logN}, 0)},
          {"9", gainOf({rerope, logN}, 1)},
          {"8", gainOf({rerope, logN}, 2)},
          {"15", gainOf({rerope, "infoscale"}, 0)},
          {"9", gainOf({rerope, "infoscale"}, 1)},
          {"6", gainOf({rerope, "infoscale"}, 2)},
          {"14", Cell{rerope, logN} -> gain},
          {"10", Cell{rerope, "infoscale"} -> gain}},
         [] {
             return Cell{rerope, logN}.holdsInAll(3) && Cell{rerope, "infoscale"}.holdsInAll(3);
         }},
        {"**not here, in direction**: at 16 N ln n / ln N, whose base is N here and 512 in the paper's networks "
         "trained at "
         "64, is ahead of InfoScale in all four tasks of three networks: by 6.3 and 3.5 points of hidden tokens found "
         "(dot "
         "product, cosine), by 4 and 12 % of perplexity (ReRoPE, YaRN's frequencies).",
         {{"6.3", Cell{dot, logN, 16, "infoscale"} -> gain},
          {"3.5", Cell{cosine, logN, 16, "infoscale"} -> gain},
          {"4", Cell{rerope, logN, 16, "infoscale"} -> gain},
          {"12", Cell{yarn, logN, 16, "infoscale"} -> gain}},
         [] {
             return std::ranges::all_of(std::array{dot, cosine, rerope, yarn}, [](const std::string& task) {
                 return Cell { task, logN, 16, "infoscale" } -> gain > 0;
             });
         }},
        {"**not with the dot product**: `entropy_measured` keeps each head's within 2 %, in force, and gains 10.1 "
         "points at "
         "16 N on masked networks, ln n / ln N 12.5 though the entropy grows by half; with the cosine 8.6 and 8.0; of "
         "three "
         "language models' perplexity with ReRoPE 11 and 14 %.",
         {{"10.1", Cell{dot, measured} -> gain},
          {"12.5", Cell{dot, logN} -> gain},
          {"8.6", Cell{cosine, measured} -> gain},
          {"8.0", Cell{cosine, logN} -> gain},
          {"11", Cell{rerope, measured} -> gain},
          {"14", Cell{rerope, logN} -> gain}},
         [] {
             const Cell difference{dot, measured, 16, logN};
             return difference->gain < 0 && difference.p() < 0.05 &&
                    std::abs(*Cell { dot, measured } -> entropyChange) < 0.02 && *Cell
             {
                 dot, logN
                 } -> entropyChange > 0.45;
         }},
        {"The differences: 2.5 points, 0.6 the other way, 2.6 % | 0.04, 0.29, 0.03 for the differences",
         {{"2.5", Cell{dot, measured, 16, logN} -> gain},
          {"0.6", Cell{cosine, measured, 16, logN} -> gain},
          {"2.6", Cell{rerope, measured, 16, logN} -> gain},
          {"0.04", Cell{dot, measured, 16, logN}.p()},
          {"0.29", Cell{cosine, measured, 16, logN}.p()},
          {"0.03", Cell{rerope, measured, 16, logN}.p()}}},
        {"**holds**, in five networks of five: those whose positions jumped up to 16 N in training find, with plain "
         "RoPE and no scale, 99 % of values at 4 N and 51 % at 16 N; there 88 % with InfoScale, 92 with the exact "
         "scale, 97 with ln n / ln N, and 9 with a window of N. Networks of the same recipe and seeds without jumps "
         "find 18 %, and 35 with ln n / ln N",
         {{"99", Cell{jumped, logN, 4} -> vanilla},
          {"51", Cell{jumped, logN} -> vanilla},
          {"88", Cell{jumped, "infoscale"} -> value},
          {"92", Cell{jumped, exact} -> value},
          {"97", Cell{jumped, logN} -> value},
          {"9", Cell{jumped, windowOfN} -> value},
          {"18", Cell{"values recalled, rope", logN} -> vanilla},
          {"35", Cell{"values recalled, rope", logN} -> value}},
         [] {
             return std::ranges::all_of(std::array<std::string, 3>{"infoscale", exact, logN}, [](const auto& method) {
                 const Cell scaled{jumped, method};
                 return scaled.holdsInAll(5) && scaled.p() < 0.01 && scaled->q.value_or(1) < 0.05;
             });
         }},
        {"**not shown**: the rank correlation of gain and change of entropy, of each network within task and length, "
         "is -0.09 in the mean over fourteen kinds of network, and 0.04 over the methods that are 1 at N.",
         {{"0.09", relationOf("all methods").rho}, {"0.04", relationOf("methods that are 1 at N").rho}},
         [] {
             return relationOf("all methods").units == 14 && relationOf("all methods").p.value_or(0) > 0.05 &&
                    relationOf("methods that are 1 at N").p.value_or(0) > 0.05;
         }},
        {"As claimed for hidden tokens (-0.50 and -0.65), values recalled of pairs that come first (-0.44 and -0.32) "
         "and boxes with N = 20 (-0.38, -0.39 and -0.07 in the three bins over five networks); none for boxes with N = "
         "50 (-0.14, 0.06 and -0.03 over three; one of them alone had -0.73 to -0.83), pairs anywhere (-0.07 and 0.00) "
         "and words that come again (-0.13 and -0.25, p = 0.23 and 0.37), the opposite for vehicles (0.37 and 0.36) "
         "and cities (0.80 and 0.48)",
         {{"0.50", relationOf(dot).rho},
          {"0.65", relationOf(cosine).rho},
          {"0.44", relationOf(farNtk).rho},
          {"0.32", relationOf(farRerope).rho},
          {"0.07", relationOf(anyNtk).rho},
          {"0.00", relationOf(anyRerope).rho},
          {"0.13", relationOf(copyNtk).rho},
          {"0.25", relationOf(copyRerope).rho},
          {"0.23", relationOf(copyNtk).p.value_or(NAN)},
          {"0.37", relationOf(copyRerope).p.value_or(NAN)},
          {"0.38", relationOf(bins[0]).rho},
          {"0.39", relationOf(bins[1]).rho},
          {"0.07", relationOf(bins[2]).rho},
          {"0.14", relationOf(longer(0)).rho},
          {"0.06", relationOf(longer(1)).rho},
          {"0.03", relationOf(longer(2)).rho},
          {"0.37", relationOf(vehicles).rho},
          {"0.36", relationOf(vehicles50).rho},
          {"0.80", relationOf(cities).rho},
          {"0.48", relationOf(cities50).rho}},
         [] { return relationOf(dot).rho < 0 && relationOf(bins[2]).rho < 0 && relationOf(vehicles).rho > 0; }},
    };
}

/// Cells with a test of their own, over networks or within one, that are like that.
double tests(
    bool overNetworks, const std::function<bool(const BoardCell&)>& like = [](const BoardCell&) { return true; })
{
    return static_cast<double>(std::ranges::count_if(board().cells, [&](const BoardCell& cell) {
        return cell.q && cell.copyOf.empty() && cell.pairedOver.starts_with("networks") == overNetworks && like(cell);
    }));
}
bool isLeft(const BoardCell& cell) { return *cell.q < 0.05; }
bool isOfRecall(const BoardCell& cell) { return cell.task.starts_with("values recalled"); }
bool isOfPolicies(const BoardCell& cell) { return cell.task.starts_with("tours") || cell.task.starts_with("boxes"); }
bool isOfTexts(const BoardCell& cell) { return !isOfRecall(cell) && !isOfPolicies(cell); }
bool isOfWindow(const BoardCell& cell) { return cell.method.find("window") != std::string::npos; }

std::vector<Sentence> sentencesOfTheBoard()
{
    const char* const page = "scoreboard.md";
    return {
        {"654 of 1613 tests over networks are left by the correction at q < 0.05, 499 of them where values are "
         "recalled or words come again, 127 of tours and boxes.",
         {{"654", tests(true, isLeft)},
          {"1613", tests(true)},
          {"499", tests(true, [](const BoardCell& cell) { return isLeft(cell) && isOfRecall(cell); })},
          {"127", tests(true, [](const BoardCell& cell) { return isLeft(cell) && isOfPolicies(cell); })}},
         {},
         page},
        {"The other 28 are of the texts: four of the window, eighteen of scales that are not 1 at N, and six of scales "
         "that are and that help at 4 or 16 N.",
         {{"28", tests(true, [](const BoardCell& cell) { return isLeft(cell) && isOfTexts(cell); })}},
         [] {
             const auto ofTexts = [](const auto& like) {
                 return tests(true,
                              [&](const BoardCell& cell) { return isLeft(cell) && isOfTexts(cell) && like(cell); });
             };
             return ofTexts(isOfWindow) == 4 &&
                    ofTexts([](const BoardCell& cell) { return !isOfWindow(cell) && !cell.comparable; }) == 18 &&
                    ofTexts([](const BoardCell& cell) {
                        return !isOfWindow(cell) && cell.comparable && cell.gain > 0 &&
                               (cell.ratio == 4 || cell.ratio == 16);
                    }) == 6;
         },
         page},
        {"Within one network 5 of 53 are left", {{"5", tests(false, isLeft)}, {"53", tests(false)}}, {}, page},
        {"ln n / ln N takes 5.2 % off the tours of vehicles (q = 0.009) and 0.1 % off those of cities (0.93), "
         "InfoScale 3.2 (0.005) and 1.0 % (0.008), the exact scale 3.4 % off (0.048) and adds 9.2 % (0.041); every "
         "head's own entropy adds 2.7 (0.022) and 75 % (0.031). Of boxes it packs 3.1, 1.5 and 1.2 points more at 8 N "
         "in the three bins (q = 0.047, 0.066, 0.12)",
         {{"5.2", Cell{vehicles, logN} -> gain},
          {"0.009", *Cell{vehicles, logN} -> q},
          {"0.1", Cell{cities, logN} -> gain},
          {"0.93", *Cell{cities, logN} -> q},
          {"3.2", Cell{vehicles, "infoscale"} -> gain},
          {"0.005", *Cell{vehicles, "infoscale"} -> q},
          {"1.0", Cell{cities, "infoscale"} -> gain},
          {"0.008", *Cell{cities, "infoscale"} -> q},
          {"0.048", *Cell{vehicles, exact} -> q},
          {"0.041", *Cell{cities, exact} -> q},
          {"0.022", *Cell{vehicles, measured} -> q},
          {"0.031", *Cell{cities, measured} -> q},
          {"0.047", *Cell{bins[0], measured, 8} -> q},
          {"0.066", *Cell{bins[1], measured, 8} -> q},
          {"0.12", *Cell{bins[2], measured, 8} -> q}},
         {},
         page},
        {"80 and 50 % with `infoscale`, 93 and 74 % with `entropy_exact`, 96 and 73 % with `softmax_plus`. InfoScale "
         "is behind the last by 17 and 23 points (p = 0.015, 0.009).",
         {{"80", Cell{farRerope, "infoscale"} -> value},
          {"50", Cell{farNtk, "infoscale"} -> value},
          {"93", Cell{farRerope, exact} -> value},
          {"74", Cell{farNtk, exact} -> value},
          {"96", Cell{farRerope, logN} -> value},
          {"73", Cell{farNtk, logN} -> value},
          {"17", Cell{farRerope, logN, 16, "infoscale"} -> gain},
          {"23", Cell{farNtk, logN, 16, "infoscale"} -> gain},
          {"0.015", Cell{farRerope, logN, 16, "infoscale"}.p()},
          {"0.009", Cell{farNtk, logN, 16, "infoscale"}.p()}},
         {},
         page},
        {"Networks that find pairs anywhere say the same: 37 and 29 % as they are, 11 with a window, 86 and 58 with "
         "`infoscale`, 90 and 70 with `entropy_exact`, 96 and 76 with `softmax_plus`, which is ahead of InfoScale by "
         "10 and 18 points (0.015, 0.010) and of each head's own entropy (`entropy_measured`) by 15 and 10 (0.010, "
         "0.007).",
         {{"37", Cell{anyRerope, logN} -> vanilla},
          {"29", Cell{anyNtk, logN} -> vanilla},
          {"11", Cell{anyNtk, windowOfN} -> value},
          {"86", Cell{anyRerope, "infoscale"} -> value},
          {"58", Cell{anyNtk, "infoscale"} -> value},
          {"18", Cell{anyNtk, logN, 16, "infoscale"} -> gain},
          {"0.015", Cell{anyRerope, logN, 16, "infoscale"}.p()},
          {"0.010", Cell{anyNtk, logN, 16, "infoscale"}.p()},
          {"15", Cell{anyRerope, measured, 16, logN} -> gain},
          {"0.007", Cell{anyNtk, measured, 16, logN}.p()}},
         {},
         page},
        {"Of words that come again after half of the sequence five networks say 14 and 12 % at 16 N (NTK, ReRoPE), "
         "none with a window of N, and no scale is left by the correction there: the networks differ too much (29 % "
         "and 23 % in the mean with `entropy_exact`, p = 0.16 and 0.14). At 4 N with NTK 71 % as they are, 80 with "
         "`softmax_plus` and 76 with `infoscale` (q = 0.04 for both); at 8 N `infoscale` gains 3 points there (q = "
         "0.04), and what keeps the entropy costs 17 to 20 (q = 0.02 to 0.03).",
         {{"14", Cell{copyNtk, logN} -> vanilla},
          {"12", Cell{copyRerope, logN} -> vanilla},
          {"29", Cell{copyNtk, exact} -> value},
          {"23", Cell{copyRerope, exact} -> value},
          {"0.16", Cell{copyNtk, exact}.p()},
          {"0.14", Cell{copyRerope, exact}.p()},
          {"71", Cell{copyNtk, logN, 4} -> vanilla},
          {"80", Cell{copyNtk, logN, 4} -> value},
          {"76", Cell{copyNtk, "infoscale", 4} -> value},
          {"0.04", Cell{copyNtk, logN, 4} -> q.value_or(NAN)},
          {"0.04", Cell{copyNtk, "infoscale", 4} -> q.value_or(NAN)},
          {"3", Cell{copyNtk, "infoscale", 8} -> gain},
          {"0.04", Cell{copyNtk, "infoscale", 8} -> q.value_or(NAN)},
          {"17", Cell{copyNtk, "entropy_mean_field", 8} -> gain},
          {"20", Cell{copyNtk, measured, 8} -> gain},
          {"0.02", Cell{copyNtk, exact, 8} -> q.value_or(NAN)},
          {"0.03", Cell{copyNtk, measured, 8} -> q.value_or(NAN)}},
         [] {
             for (const std::string& task : {copyNtk, copyRerope})
                 for (const BoardCell& cell : board().cells)
                     if (cell.task == task && cell.ratio == 16 && cell.q && !isOfWindow(cell) && isLeft(cell))
                         return false;
             return Cell { copyNtk, logN, 4 } -> q.value_or(1) < 0.05 && Cell
                 {
                     copyNtk, windowOfN
                     } -> value < 0.5 && Cell { copyRerope, windowOfN } -> value < 0.5;
         },
         page},
        {"at 4 N vanilla attention finds 71 % with NTK's base, 47 with ReRoPE and 29 with RoPE as it was trained, but "
         "6 "
         "with YaRN's frequencies and 1 with position interpolation, and no scale brings those two above 7 and 2.",
         {{"71", Cell{copyNtk, logN, 4} -> vanilla},
          {"47", Cell{copyRerope, logN, 4} -> vanilla},
          {"29", Cell{copied("rope"), logN, 4} -> vanilla},
          {"6", Cell{copied("yarn_rope"), logN, 4} -> vanilla},
          {"1", Cell{copied("pi"), logN, 4} -> vanilla},
          {"7", mostOf(copied("yarn_rope"), 4)}},
         [] { return mostOf(copied("yarn_rope"), 4) < 7 && mostOf(copied("pi"), 4) < 2; },
         "labs.md"},
        {"Five networks whose positions jumped up to 16 N in training (`skips=2`, plain RoPE) find 99 % at 4 N as they "
         "are, and 51 % at 16 N; there 97 % with `softmax_plus`, 92 with `entropy_exact`, 88 with `infoscale` and 9 "
         "with a window of N (q = 0.007, 0.009, 0.011, 0.019). Networks of the same recipe and seeds without jumps "
         "find 18 %, and 35 with `softmax_plus`.",
         {{"99", Cell{jumped, logN, 4} -> vanilla},
          {"51", Cell{jumped, logN} -> vanilla},
          {"97", Cell{jumped, logN} -> value},
          {"92", Cell{jumped, exact} -> value},
          {"88", Cell{jumped, "infoscale"} -> value},
          {"9", Cell{jumped, windowOfN} -> value},
          {"0.007", *Cell{jumped, logN} -> q},
          {"0.009", *Cell{jumped, exact} -> q},
          {"0.011", *Cell{jumped, "infoscale"} -> q},
          {"0.019", *Cell{jumped, windowOfN} -> q},
          {"18", Cell{"values recalled, rope", logN} -> vanilla},
          {"35", Cell{"values recalled, rope", logN} -> value}},
         {},
         page},
        {"the other way round in all eight networks, five with N = 20 and three with N = 50: the less a method changes "
         "the encoder's entropy the longer they are (the rank correlation of a network is 0.39 to 0.90).",
         {{"0.39", std::min(relationsOfEach(cities).first, relationsOfEach(cities50).first)},
          {"0.90", std::max(relationsOfEach(cities).second, relationsOfEach(cities50).second)}},
         [] {
             return relationsOfEach(cities).first > 0 && relationsOfEach(cities50).first > 0 &&
                    relationOf(cities).units == 5 && relationOf(cities50).units == 3;
         },
         page},
        {"With N = 20 `infoscale` and `su_kappa` take 1.0 and 1.1 % off at 8 N and 1.0 and 1.3 % at 16 N; "
         "`entropy_exact` and `eie` add 4.8 and 9.2 %, `entropy_measured` 51 and 75 %, `log_n` 21 and 28 %.",
         {{"1.0", Cell{cities, "infoscale", 8} -> gain},
          {"1.1", Cell{cities, "su_kappa", 8} -> gain},
          {"1.0", Cell{cities, "infoscale"} -> gain},
          {"1.3", Cell{cities, "su_kappa"} -> gain},
          {"4.8", Cell{cities, exact, 8} -> gain},
          {"9.2", Cell{cities, exact} -> gain},
          {"4.8", Cell{cities, "eie", 8} -> gain},
          {"9.2", Cell{cities, "eie"} -> gain},
          {"51", Cell{cities, measured, 8} -> gain},
          {"75", Cell{cities, measured} -> gain},
          {"21", Cell{cities, "log_n", 8} -> gain},
          {"28", Cell{cities, "log_n"} -> gain}},
         [] {
             return std::ranges::all_of(std::array{8.0, 16.0}, [](double ratio) {
                 return isShorter({cities, "infoscale", ratio}) && isShorter({cities, "su_kappa", ratio}) &&
                        isLonger({cities, exact, ratio}) && isLonger({cities, "eie", ratio}) &&
                        isLonger({cities, measured, ratio}) && isLonger({cities, "log_n", ratio});
             });
         },
         page},
        {"With N = 50 `infoscale`, `su_kappa` and `softmax_plus` take 1.9, 3.4 and 3.5 % off at 16 N (p = 0.01, 0.02, "
         "0.01); `entropy_exact` adds 0.9 % (0.26), `entropy_measured` 62 % (0.04).",
         {{"1.9", Cell{cities50, "infoscale"} -> gain},
          {"3.4", Cell{cities50, "su_kappa"} -> gain},
          {"3.5", Cell{cities50, logN} -> gain},
          {"0.01", Cell{cities50, "infoscale"}.p()},
          {"0.02", Cell{cities50, "su_kappa"}.p()},
          {"0.01", Cell{cities50, logN}.p()},
          {"0.9", Cell{cities50, exact} -> gain},
          {"0.26", Cell{cities50, exact}.p()},
          {"62", Cell{cities50, measured} -> gain},
          {"0.04", Cell{cities50, measured}.p()}},
         [] {
             return isShorter({cities50, "infoscale"}) && isShorter({cities50, "su_kappa"}) &&
                    isShorter({cities50, logN}) && isLonger({cities50, exact}) && isLonger({cities50, measured});
         },
         page},
        {"Of vehicles' tours all that grow but two take 3.0 to 5.2 % off at 16 N with N = 20: `entropy_measured` adds "
         "2.7 % (0.006), `log_n` 2.2 % (0.33).",
         {{"3.0", leastOfOthers(vehicles)},
          {"5.2", mostTakenOff(vehicles)},
          {"2.7", Cell{vehicles, measured} -> gain},
          {"0.006", Cell{vehicles, measured}.p()},
          {"2.2", Cell{vehicles, "log_n"} -> gain},
          {"0.33", Cell{vehicles, "log_n"}.p()}},
         [] {
             return leastOfOthers(vehicles) > 0 && isLonger({vehicles, measured}) && isLonger({vehicles, "log_n"});
         },
         page},
        {"With N = 50 `softmax_plus` takes 5.4 % off (0.008), `infoscale` 3.4 % (0.01), `entropy_exact` 1.5 % (0.20); "
         "`entropy_measured` adds 18 % (0.07).",
         {{"5.4", Cell{vehicles50, logN} -> gain},
          {"0.008", Cell{vehicles50, logN}.p()},
          {"3.4", Cell{vehicles50, "infoscale"} -> gain},
          {"0.01", Cell{vehicles50, "infoscale"}.p()},
          {"1.5", Cell{vehicles50, exact} -> gain},
          {"0.20", Cell{vehicles50, exact}.p()},
          {"18", Cell{vehicles50, measured} -> gain},
          {"0.07", Cell{vehicles50, measured}.p()}},
         [] {
             return isShorter({vehicles50, logN}) && isShorter({vehicles50, "infoscale"}) &&
                    isShorter({vehicles50, exact}) && isLonger({vehicles50, measured});
         },
         page},
        {"with N = 20 alone, as far as 8 N and in two bins of three: there `entropy_measured` gains 3.1, 1.5 and 1.2 "
         "points of load rate (p = 0.02, 0.03, 0.07), 2.2, 1.9 and 3.4 above random order (0.08, 0.01, 0.002).",
         {{"3.1", Cell{bins[0], measured, 8} -> gain},
          {"1.5", Cell{bins[1], measured, 8} -> gain},
          {"1.2", Cell{bins[2], measured, 8} -> gain},
          {"0.02", Cell{bins[0], measured, 8}.p()},
          {"0.03", Cell{bins[1], measured, 8}.p()},
          {"0.07", Cell{bins[2], measured, 8}.p()},
          {"2.2", Cell{bins[0], measured, 8, chance} -> gain},
          {"1.9", Cell{bins[1], measured, 8, chance} -> gain},
          {"3.4", Cell{bins[2], measured, 8, chance} -> gain},
          {"0.08", Cell{bins[0], measured, 8, chance}.p()},
          {"0.01", Cell{bins[1], measured, 8, chance}.p()},
          {"0.002", Cell{bins[2], measured, 8, chance}.p()}},
         [] {
             const auto better = [](const std::string& bin) {
                 const Cell cell{bin, measured, 8};
                 return cell->gain > 0 && cell.p() < 0.05;
             };
             return better(bins[0]) && better(bins[1]) && !better(bins[2]) &&
                    std::ranges::none_of(std::array{0, 1, 2}, [&](int bin) { return better(longer(bin)); }) &&
                    std::ranges::all_of(bins, [](const std::string& bin) {
                        return Cell { bin, measured, 8, chance } -> gain > 0;
                    });
         },
         page},
        {"what looks like a gain, 3.6, 2.0 and 1.7 points (0.06, 0.02, 0.03), is a way back to chance: 0.3, 1.4 and "
         "0.6 below random order (0.84, 0.07, 0.25).",
         {{"3.6", Cell{bins[0], measured} -> gain},
          {"2.0", Cell{bins[1], measured} -> gain},
          {"1.7", Cell{bins[2], measured} -> gain},
          {"0.06", Cell{bins[0], measured}.p()},
          {"0.02", Cell{bins[1], measured}.p()},
          {"0.03", Cell{bins[2], measured}.p()},
          {"0.3", Cell{bins[0], measured, 16, chance} -> gain},
          {"1.4", Cell{bins[1], measured, 16, chance} -> gain},
          {"0.6", Cell{bins[2], measured, 16, chance} -> gain},
          {"0.84", Cell{bins[0], measured, 16, chance}.p()},
          {"0.07", Cell{bins[1], measured, 16, chance}.p()},
          {"0.25", Cell{bins[2], measured, 16, chance}.p()}},
         [] {
             return std::ranges::all_of(bins, [](const std::string& bin) {
                 return isShorter({bin, measured}) && isLonger({bin, measured, 16, chance});
             });
         },
         page},
        {"With N = 50 three networks gain nothing: +0.1, -0.6 and +0.2 points at 8 N (0.94, 0.59, 0.84), -0.5, -0.6 "
         "and +0.3 at 16 N, 3.8, 3.9 and 3.5 below random order (0.07, 0.02, 0.04):",
         {{"0.1", Cell{longer(0), measured, 8} -> gain},
          {"0.6", Cell{longer(1), measured, 8} -> gain},
          {"0.2", Cell{longer(2), measured, 8} -> gain},
          {"0.94", Cell{longer(0), measured, 8}.p()},
          {"0.59", Cell{longer(1), measured, 8}.p()},
          {"0.84", Cell{longer(2), measured, 8}.p()},
          {"0.5", Cell{longer(0), measured} -> gain},
          {"0.6", Cell{longer(1), measured} -> gain},
          {"0.3", Cell{longer(2), measured} -> gain},
          {"3.8", Cell{longer(0), measured, 16, chance} -> gain},
          {"3.9", Cell{longer(1), measured, 16, chance} -> gain},
          {"3.5", Cell{longer(2), measured, 16, chance} -> gain},
          {"0.07", Cell{longer(0), measured, 16, chance}.p()},
          {"0.02", Cell{longer(1), measured, 16, chance}.p()},
          {"0.04", Cell{longer(2), measured, 16, chance}.p()}},
         [] {
             return std::ranges::all_of(std::array{0, 1, 2}, [](int bin) {
                 return Cell{longer(bin), measured, 8}.p() > 0.05 && Cell{longer(bin), measured}.p() > 0.05 &&
                        isLonger({longer(bin), measured, 16, chance});
             });
         },
         page},
        {"at 16 N ln n / ln N takes 0.1 % off in the mean of five networks with N = 20, 3.5 % in that of three with N "
         "= "
         "50",
         {{"0.1", Cell{cities, logN} -> gain}, {"3.5", Cell{cities50, logN} -> gain}},
         [] {
             return Cell { cities, logN } -> networks.size() == 5 && Cell
                 {
                     cities50, logN
                     } -> networks.size() == 3 && isShorter({cities, logN}) && isShorter({cities50, logN});
         },
         "labs.md"},
        {"to networks of 20, +9.2 % at 16 N, it does not do to those of 50, +0.9 %. But to hold every head's own "
         "entropy "
         "is as bad here as there, +62 % beside +75 %",
         {{"9.2", Cell{cities, exact} -> gain},
          {"0.9", Cell{cities50, exact} -> gain},
          {"62", Cell{cities50, measured} -> gain},
          {"75", Cell{cities, measured} -> gain}},
         [] {
             return isLonger({cities, exact}) && isLonger({cities50, exact}) && isLonger({cities50, measured}) &&
                    isLonger({cities, measured});
         },
         "labs.md"},
        {"Tours, vehicles and boxes are of five networks each where they were trained with 20, of three where with 50.",
         {},
         [] {
             const auto of = [](const std::string& task) {
                 return Cell { task, logN } -> networks.size();
             };
             return of(cities) == 5 && of(vehicles) == 5 && of(cities50) == 3 && of(vehicles50) == 3 &&
                    std::ranges::all_of(std::array{0, 1, 2}, [](int bin) {
                        return Cell { bins[bin], measured } -> networks.size() == 5 && Cell
                            {
                                longer(bin), measured
                                } -> networks.size() == 3;
                    });
         }},
        {"On tours of cities it is behind with N = 20, by 0.9 % in the mean of five networks, and ahead with N = 50, "
         "by "
         "1.7 % in that of three",
         {{"0.9", Cell{cities, logN, 16, "infoscale"} -> gain}, {"1.7", Cell{cities50, logN, 16, "infoscale"} -> gain}},
         [] {
             return isLonger({cities, logN, 16, "infoscale"}) && isShorter({cities50, logN, 16, "infoscale"});
         }},
        {"Over the fourteen kinds of network the rank correlation is -0.09 (p = 0.44), and 0.04 (0.73) of the methods "
         "that are 1 at N.",
         {{"0.09", relationOf("all methods").rho},
          {"0.44", relationOf("all methods").p.value_or(NAN)},
          {"0.04", relationOf("methods that are 1 at N").rho},
          {"0.73", relationOf("methods that are 1 at N").p.value_or(NAN)}},
         {},
         page},
    };
}

// Exact theory: d = 64, N = 512.

double multiplierOf(const char* method, double n, double nTrain = 512, int d = 64)
{
    const auto scale = bindScale(*parseChoice(method, scaleMethods(), "scale method"));
    return (*scale)(lastRowOf(n, nTrain, d)).value_or(std::nan(""));
}
/// What published networks of the lab `eie` solve exactly, and what was published, from the table of papers.md.
struct Lambda {
    double published, exact;
};
Lambda lambdaOf(int d, double nTrain, double n);

double expectedOf(const std::string& law, const char* measure, const char* method, double n)
{
    const auto density = logitDensity(*parseChoice(law, logitDensities(), "law"), 64);
    return expectedCurve(*parseChoice(measure, expectedMeasures(), "measure"), *density, std::span(&n, 1),
                         multiplierOf(method, n) / 8)
        .value_or(std::vector{std::nan("")})
        .front();
}
double ofLambda(const char* measure, double lambda)
{
    const auto density = logitDensity(*parseChoice("gaussian", logitDensities(), "law"), 64);
    const double n = 512;
    return expectedCurve(*parseChoice(measure, expectedMeasures(), "measure"), *density, std::span(&n, 1), lambda)
        .value_or(std::vector{std::nan("")})
        .front();
}
double ofKey(int lead, const char* method, double n)
{
    return expectedOf("needle:" + std::to_string(lead), "needle", method, n);
}
double entropyOf(const char* method, double n) { return expectedOf("gaussian", "shannon", method, n); }
double gradientOf(const char* method, double n) { return expectedOf("gaussian", "gradient", method, n); }
double approximateEntropy(const char* id, double n)
{
    const auto density = logitDensity(*parseChoice("gaussian", logitDensities(), "law"), 64);
    return (*findRow(approximations(), id, "approximation"))->entropy(*density, n, 0.125).value_or(std::nan(""));
}

/// Do the networks that come with the program make the same tours of places that are named in another order?
bool orderOfPlacesIsNothing()
{
    int tours = 0;
    for (const bool depot : {false, true})
        for (const std::int64_t size : {20, 50}) {
            const auto model = shippedRouting(depot, size);
            std::vector<RoutingInstance> drawn, renamed;
            std::vector<int> from;  // node i of the second is node from[i] of the first
            const int first = depot ? 1 : 0;
            for (int i = 0; i < size + first; ++i)
                from.push_back(i < first ? i : first + static_cast<int>((i - first) * 7 % size));
            for (std::int64_t number = 0; number < 8; ++number) {
                drawn.push_back(drawInstance({.depot = depot, .size = size, .capacity = usualCapacity(size)}, number));
                RoutingInstance& other = renamed.emplace_back(drawn.back());
                for (std::size_t i = 0; i < from.size(); ++i) {
                    other.places.row(static_cast<Eigen::Index>(i)) = drawn.back().places.row(from[i]);
                    if (depot)
                        other.demands[i] = drawn.back().demands[static_cast<std::size_t>(from[i])];
                }
            }
            const auto one = runRouting(*model, drawn, {}), two = runRouting(*model, renamed, {});
            if (!one || !two)
                return false;
            for (std::size_t i = 0; i < drawn.size(); ++i, ++tours) {
                Tour named = two->solutions[i].front();
                const bool moved = named != one->solutions[i].front();
                for (int& node : named)
                    node = from[static_cast<std::size_t>(node)];
                if (!moved || named != one->solutions[i].front())
                    return false;
            }
        }
    return tours == 32;
}

std::vector<Sentence> sentencesOfTheory()
{
    const auto nearest = [](double n) { return std::abs(lambdaOf(16, 100, n).published - lambdaOf(16, 100, n).exact); };
    const auto off32 = [] {
        double most = 0;
        for (const double n : {240, 480, 960, 1920})
            most = std::max(most, std::abs(lambdaOf(32, 120, n).published - lambdaOf(32, 120, n).exact));
        return most;
    };
    return {
        {"**holds**, as it must. A key that is 8 above the rest (in q.k / √d) has 0.78 of a row at n = 512, 0.18 at 8 "
         "192 and 0.014 at 131 072",
         {{"0.78", ofKey(8, "vanilla", 512)},
          {"0.18", ofKey(8, "vanilla", 8192)},
          {"0.014", ofKey(8, "vanilla", 131072)}},
         [] {  // the most that a key within delta of all others can have
             return std::ranges::all_of(std::array{2.0, 512.0, 1e6, 1e12}, [](double n) {
                 return std::exp(8) / (std::exp(8) + n - 1) <= std::exp(8) / n && ofKey(8, "vanilla", n) < std::exp(8);
             });
         }},
        {"**for one lead, and not for a smaller one**: under ln n / ln N a key that is 8 above has 0.78, 0.82 and "
         "0.82; "
         "one 7 above 0.57, 0.52 and 0.42; one 5 above 0.15, 0.06 and 0.02.",
         {{"0.78", ofKey(8, logN, 512)},
          {"0.82", ofKey(8, logN, 8192)},
          {"0.82", ofKey(8, logN, 131072)},
          {"0.57", ofKey(7, logN, 512)},
          {"0.52", ofKey(7, logN, 8192)},
          {"0.42", ofKey(7, logN, 131072)},
          {"0.15", ofKey(5, logN, 512)},
          {"0.06", ofKey(5, logN, 8192)},
          {"0.02", ofKey(5, logN, 131072)}},
         [] {
             return ofKey(8, logN, 131072) > ofKey(8, logN, 512) && ofKey(7, logN, 131072) < ofKey(7, logN, 512) &&
                    ofKey(5, logN, 131072) < ofKey(5, logN, 512);
         }},
        {"6 above at 8 192 it has 0.96, with ln n / ln N 0.20",
         {{"0.96", ofKey(6, exact, 8192)}, {"0.20", ofKey(6, logN, 8192)}}},
        {"**not for random q and k**: E H goes from 5.74 nats at N to 7.97 at 16 N, vanilla's to 8.51. Su's "
         "approximation ln n - 0.24 λ d is 1.4 nats below vanilla's exact value at both",
         {{"5.74", entropyOf(logN, 512)},
          {"7.97", entropyOf(logN, 8192)},
          {"8.51", entropyOf("vanilla", 8192)},
          {"1.4", entropyOf("vanilla", 512) - approximateEntropy("su024", 512)},
          {"1.4", entropyOf("vanilla", 8192) - approximateEntropy("su024", 8192)}},
         [] { return entropyOf(logN, 8192) > entropyOf(logN, 512) + 2; }},
        {"**hardly**: E H reaches 8.32 at 16 N, and the key above 0.43 of its row, 0.11 at 131 072.",
         {{"8.32", entropyOf("infoscale", 8192)},
          {"0.43", ofKey(8, "infoscale", 8192)},
          {"0.11", ofKey(8, "infoscale", 131072)}},
         [] {  // of what vanilla adds it takes back less than a tenth
             return entropyOf("vanilla", 8192) - entropyOf("infoscale", 8192) <
                    0.1 * (entropyOf("vanilla", 8192) - entropyOf("vanilla", 512));
         }},
        {"**holds**, and can be solved: m = 2.64 at 16 N, where ln n / ln N is 1.44. Published λ(n) is 0.374 for d = "
         "16, N = 100, n = 200 where the exact one is 0.400, and within 0.01 of it from n = 400 on; for d = 32 it is "
         "up to 0.054 away",
         {{"2.64", multiplierOf(exact, 8192)},
          {"1.44", multiplierOf(logN, 8192)},
          {"0.374", lambdaOf(16, 100, 200).published},
          {"0.400", lambdaOf(16, 100, 200).exact},
          {"0.054", off32()}},
         [=] {
             return std::abs(entropyOf(exact, 8192) - entropyOf("vanilla", 512)) < 1e-6 && nearest(400) < 0.01 &&
                    nearest(800) < 0.01 && nearest(1600) < 0.01;
         }},
        {"**not for random q and k**: the trace of softmax's Jacobian, 1 - Σ p², is 0.55, 0.48 and 0.43 at n = 20, 512 "
         "and 4 096 with ln n / √d, where vanilla has 0.89, 0.995 and 0.999.",
         {{"0.55", gradientOf("log_n", 20)},
          {"0.48", gradientOf("log_n", 512)},
          {"0.43", gradientOf("log_n", 4096)},
          {"0.89", gradientOf("vanilla", 20)},
          {"0.995", gradientOf("vanilla", 512)},
          {"0.999", gradientOf("vanilla", 4096)}},
         [] { return gradientOf("log_n", 1e12) > 0.1; }},
        {"of Gaussian queries and keys E H grows by 1.0 ln n with vanilla, and by 0.8 ln n with ln n / ln N",
         {{"1.0", (entropyOf("vanilla", 8192) - entropyOf("vanilla", 512)) / std::log(16)},
          {"1.0", (entropyOf("vanilla", 2048) - entropyOf("vanilla", 512)) / std::log(4)},
          {"0.8", (entropyOf(logN, 8192) - entropyOf(logN, 512)) / std::log(16)},
          {"0.8", (entropyOf(logN, 2048) - entropyOf(logN, 512)) / std::log(4)}},
         {},
         "papers.md"},
        {"softmax with the factor λ is the point of R(D) with slope -λ: R is `attnscope entropy --measure kl_uniform "
         "--lambda λ --n 512` and D `--measure mean_logit` over -λ.",
         {},
         [] {
             const auto point = [](double lambda) {
                 return std::pair{-ofLambda("mean_logit", lambda) / lambda, ofLambda("kl_uniform", lambda)};
             };
             return std::ranges::all_of(std::array{0.06, 0.125, 0.3}, [&](double lambda) {
                 const auto [d0, r0] = point(lambda * 0.999);
                 const auto [d1, r1] = point(lambda * 1.001);
                 return std::abs((r1 - r0) / (d1 - d0) / -lambda - 1) < 1e-4;
             });
         },
         "papers.md"},
        {"**holds**, as it must: the networks for 20 and 50 cities and customers make the same tours of the same "
         "places "
         "named in another order",
         {},
         orderOfPlacesIsNothing},
    };
}

// Tables that labs wrote and that come with the program.

const CsvTable& writtenBy(const char* name)
{
    static std::map<std::string, CsvTable> all;
    CsvTable& table = all[name];
    if (table.rows.empty()) {
        QFile file(QStringLiteral(TEST_DATA "/../../resources/labs/") + QLatin1String(name));
        if (file.open(QIODevice::ReadOnly))
            table = csvTable(file.readAll().toStdString());
    }
    return table;
}
using Wanted = std::map<std::string, std::string>;
double numberIn(const char* name, const Wanted& where, const char* column)
{
    const CsvTable& table = writtenBy(name);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        if (std::ranges::all_of(where, [&](const auto& pair) { return table.text(row, pair.first) == pair.second; }))
            return table.number(row, column);
    return std::nan("");
}
double ofHead(const char* method, int items, const char* column = "accuracy")
{
    return numberIn("max_retrieval_table1.csv", {{"method", method}, {"items", std::to_string(items)}}, column);
}
/// The per cent of problems that three networks solve, trained and tested with these methods.
std::vector<double> solvedBy(const char* trained, const char* method, const std::string& task, int n)
{
    std::vector<double> found;
    for (const char* seed : {"1", "2", "3"})
        found.push_back(
            100 *
            numberIn(
                "algorithms_quality.csv",
                {{"seed", seed}, {"trained", trained}, {"method", method}, {"task", task}, {"n", std::to_string(n)}},
                "accuracy"));
    return found;
}
double meanOf(const std::vector<double>& values) { return sampleMean(values).mean; }
double adaptiveIsBetter(const char* task)
{
    return pairedTTest(solvedBy("adaptive", "adaptive", task, 64), solvedBy("vanilla", "vanilla", task, 64))
        .value_or(std::nan(""));
}

/// Put into networks that were trained without it, beyond N: the largest change, and the least p of one.
std::pair<double, double> mostThatAdaptiveChanges()
{
    std::pair<double, double> most{0, 1};
    for (const char* task : {"minimum", "insertion_sort", "binary_search", "maximum_subarray", "naive_string_matching"})
        for (const int n : {24, 32, 48, 64}) {
            const auto with = solvedBy("vanilla", "adaptive", task, n),
                       without = solvedBy("vanilla", "vanilla", task, n);
            most = {std::max(most.first, std::abs(meanOf(with) - meanOf(without))),
                    std::min(most.second, pairedTTest(with, without).value_or(1))};
        }
    return most;
}

/// Accuracy of vanilla in per cent, of the networks whose cosine has this factor.
std::vector<double> withFactor(int alpha, double ratio)
{
    std::vector<double> found;
    static const std::vector<BoardRun> runs = [] {
        std::vector<BoardRun> both = *shippedCosineRuns();
        std::ranges::move(*shippedRuns(), std::back_inserter(both));
        return both;
    }();
    for (const BoardRun& run : runs)
        if (formatChoice(run.record.choice).starts_with("masked-lm:alpha=" + std::to_string(alpha) + ","))
            for (const LabRow& row : run.record.rows)
                if (row.table == "quality" && row.number("n_over_train") == ratio &&
                    row.word("policy") == "rope, vanilla")
                    found.push_back(100 * row.number("accuracy"));
    return found;
}
/// Networks of the lab recall that learned by its own recipe, but with this factor of the cosine and these jumps, and
/// are tested so.
struct Recalled {
    std::string positions, method = "vanilla";
    double alpha = 0, skips = 0, ratio = 16;

    /// Per cent of values found, by seed.
    std::map<double, double> networks() const
    {
        static const std::vector<BoardRun> runs = [] {
            std::vector<BoardRun> all = *shippedSchemeRuns();
            std::ranges::move(*shippedRuns(), std::back_inserter(all));
            std::erase_if(all, [](const BoardRun& run) {
                return run.record.choice.id != "recall" ||
                       std::ranges::any_of(run.record.choice.values, [](const auto& value) {
                           return value.first != "alpha" && value.first != "skips" && value.first != "networks";
                       });
            });
            return all;
        }();
        std::map<double, double> found;
        for (const BoardRun& run : runs) {
            const Parameters parameters(**findRow(labs(), "recall", "lab"), run.record.choice);
            if (parameters["alpha"] == alpha && parameters["skips"] == skips)
                for (const LabRow& row : run.record.rows)
                    if (row.table == qualityTable && row.number("n_over_train") == ratio &&
                        row.word("positions") == positions && row.word("method") == method)
                        found[row.number("seed")] = row.number("percent");
        }
        return found;
    }
    double mean() const
    {
        std::vector<double> all;
        for (const auto& [seed, percent] : networks())
            all.push_back(percent);
        return all.empty() ? std::nan("") : sampleMean(all).mean;
    }
    Recalled with(const char* other) const { return {positions, other, alpha, skips, ratio}; }
    Recalled ofCosine(double factor) const { return {positions, method, factor, skips, ratio}; }
};
/// Of the seeds that both have: mean of A - B, and p of the paired t-test.
struct Paired {
    std::vector<double> a, b;
    Paired(const Recalled& one, const Recalled& other)
    {
        const auto others = other.networks();
        for (const auto& [seed, percent] : one.networks())
            if (const auto found = others.find(seed); found != others.end()) {
                a.push_back(percent);
                b.push_back(found->second);
            }
    }
    double meanOfA() const { return a.empty() ? std::nan("") : sampleMean(a).mean; }
    double meanOfB() const { return b.empty() ? std::nan("") : sampleMean(b).mean; }
    double difference() const { return a.empty() ? std::nan("") : sampleMean(a).mean - sampleMean(b).mean; }
    double p() const { return pairedTTest(a, b).value_or(std::nan("")); }
    bool inAll(std::size_t networks, int sign = 1) const
    {
        bool all = a.size() == networks;
        for (std::size_t i = 0; i < a.size(); ++i)
            all = all && sign * (a[i] - b[i]) > 0;
        return all;
    }
};

/// What the networks of such a run find of everything at N, those too that are not tested beyond.
std::vector<double> atN(double alpha, double skips)
{
    std::vector<double> found;
    static const std::vector<BoardRun> runs = *shippedSchemeRuns();
    for (const BoardRun& run : runs) {
        const Parameters parameters(**findRow(labs(), "recall", "lab"), run.record.choice);
        if (parameters["alpha"] == alpha && parameters["skips"] == skips)
            for (const LabRow& row : run.record.rows)
                if (row.table == "networks")
                    found.push_back(row.number("accuracy"));
    }
    return found;
}
std::vector<double> leastAtN(double alpha, double skips)
{
    std::vector<double> found = atN(alpha, skips);
    std::ranges::sort(found);
    found.resize(3, std::nan(""));
    return found;
}

constexpr std::array recallSchemes{"rope", "pi", "ntk", "yarn_rope", "rerope:w=64"};
/// Networks of three seeds: what the cosine gives, what InfoScale adds to it, and it to InfoScale.
Paired cosineGain(const std::string& scheme, double ratio = 16, double alpha = 16)
{
    const Recalled dot{.positions = scheme, .ratio = ratio};
    return {dot.ofCosine(alpha), dot};
}
Paired gainOfEight(const char* scheme) { return cosineGain(scheme, 16, 8); }
Paired addedToCosine(const std::string& scheme, double alpha = 16)
{
    const Recalled cosine = Recalled{scheme}.ofCosine(alpha);
    return {cosine.with("infoscale"), cosine};
}
Paired bothOverInfoScale(const char* scheme)
{
    const Recalled scaled{scheme, "infoscale"};
    return {scaled.ofCosine(16), scaled};
}
template <class Each>
std::vector<double> pOfSchemes(const Each& each)
{
    std::vector<double> ps;
    for (const char* scheme : recallSchemes)
        ps.push_back(each(scheme).p());
    return ps;
}

double leftOf(int alpha) { return 100 * meanOf(withFactor(alpha, 16)) / meanOf(withFactor(alpha, 1)); }

/// The cells of a published table, by the names of its rows.
std::map<QString, QStringList> cellsOf(const char* table)
{
    QFile file(QStringLiteral(TEST_DATA "/../../resources/published/%1.json").arg(table));
    std::map<QString, QStringList> found;
    if (file.open(QIODevice::ReadOnly))
        for (const QJsonValue row : QJsonDocument::fromJson(file.readAll())["rows"].toArray())
            for (const QJsonValue cell : row[QLatin1String("cells")].toArray())
                found[row[QLatin1String("name")].toString()] += cell.toString();
    return found;
}
/// Cells that are otherwise, or missing, in table 1 of InfoScale.
int notOfTableOne(const char* table)
{
    auto first = cellsOf("infoscale_table1");
    int others = 0;
    for (const auto& [name, cells] : cellsOf(table))
        for (qsizetype i = 0; i < cells.size(); ++i)
            others += first[name].value(i) != cells[i];
    return others;
}

std::vector<Sentence> sentencesOfTables()
{
    return {
        {"**holds**, in one head: 98.7 % at 16 items, 54.2 at 1 024, 11.5 at 16 384 (published 98.6, 53.8, 12.4)",
         {{"98.7", ofHead("vanilla", 16)},
          {"54.2", ofHead("vanilla", 1024)},
          {"11.5", ofHead("vanilla", 16384)},
          {"98.6", ofHead("vanilla", 16, "published")},
          {"53.8", ofHead("vanilla", 1024, "published")},
          {"12.4", ofHead("vanilla", 16384, "published")}},
         [] {
             for (int items = 32; items <= 16384; items *= 2)
                 if (!(ofHead("vanilla", items) < ofHead("vanilla", items / 2)))
                     return false;
             return true;
         }},
        {"**holds** in one head from 128 to 8 192 items, +5.2 points at 1 024; not shown at 32, 64 and 16 384 | 7e-8 "
         "at "
         "1 024, over 10 draws of test sets",
         {{"5.2", ofHead("vanilla|adaptive", 1024) - ofHead("vanilla", 1024)}},
         [] {
             const auto isShown = [](int items) {
                 return ofHead("vanilla|adaptive", items) > ofHead("vanilla", items) &&
                        ofHead("vanilla|adaptive", items, "p_value") < 0.05;
             };
             for (int items = 128; items <= 8192; items *= 2)
                 if (!isShown(items))
                     return false;
             return !isShown(32) && !isShown(64) && !isShown(16384) &&
                    std::abs(ofHead("vanilla|adaptive", 16) - ofHead("vanilla", 16)) < 0.1 &&
                    std::abs(ofHead("vanilla|adaptive", 1024, "p_value") / 7e-8 - 1) < 0.1;
         }},
        {"**in what is left, not in what there is**: at 16 N networks with 8 keep 21 % of their accuracy at N, with "
         "128 "
         "61 %. But at N they have 82 % and 58 % (in the paper, at 2 N, 77 and 82), and at 16 N 128 has what 16 has, "
         "36 "
         "%",
         {{"21", leftOf(8)},
          {"61", leftOf(128)},
          {"82", meanOf(withFactor(8, 1))},
          {"58", meanOf(withFactor(128, 1))},
          {"36", meanOf(withFactor(128, 16))},
          {"36", meanOf(withFactor(16, 16))}},
         [] {
             return std::ranges::all_of(std::array{8, 16, 32, 64, 128}, [](int alpha) {
                 return withFactor(alpha, 16).size() == 3 && withFactor(alpha, 1).size() == 3 &&
                        leftOf(alpha) <= leftOf(128) && leftOf(alpha) >= leftOf(8);
             });
         }},
        {"All 18 rows of table 7 and of table 8 are table 1's, cell by cell; so are the nine of table 5, but for one "
         "cell: of PoSE at 2 048",
         {{"18", double(cellsOf("infoscale_table7").size())}, {"18", double(cellsOf("infoscale_table8").size())}},
         [] {
             return cellsOf("infoscale_table5").size() == 9 && notOfTableOne("infoscale_table7") == 0 &&
                    notOfTableOne("infoscale_table8") == 0 && notOfTableOne("infoscale_table5") == 1 &&
                    cellsOf("infoscale_table5")["PoSE"][9] == "<0.1" &&
                    cellsOf("infoscale_table1")["PoSE"][9] == "0.10";
         },
         "papers.md"},
        {"at 4 096 the perplexity is 49 with 128, 61 with 256 and 79 with 600, and at 128 2.3, 2.7 and 3.8.",
         {{"49", cellsOf("infoscale_table9")["128"][10].toDouble()},
          {"61", cellsOf("infoscale_table9")["256"][10].toDouble()},
          {"79", cellsOf("infoscale_table9")["600"][10].toDouble()},
          {"2.3", cellsOf("infoscale_table9")["128"][0].toDouble()},
          {"2.7", cellsOf("infoscale_table9")["256"][0].toDouble()},
          {"3.8", cellsOf("infoscale_table9")["600"][0].toDouble()}},
         {},
         "papers.md"},
        {"**The cosine under all five position schemes at 16 N, at 4 N not shown, in a window nothing**: of five "
         "networks "
         "that learned to recall with 16 times the cosine three find 95 % at N; at 16 N each of them finds more than "
         "the "
         "network of its seed with the dot product, 45 beside 22 % with plain RoPE and 78 beside 44 with ReRoPE (w = "
         "N), "
         "which Holm's correction for five leaves, and 20, 22 and 31 points more with PI, NTK's base and YaRN's "
         "frequencies, PI not excepted.",
         {{"45", cosineGain("rope").meanOfA()},
          {"22", cosineGain("rope").meanOfB()},
          {"78", cosineGain("rerope:w=64").meanOfA()},
          {"44", cosineGain("rerope:w=64").meanOfB()},
          {"20", cosineGain("pi").difference()},
          {"22", cosineGain("ntk").difference()},
          {"31", cosineGain("yarn_rope").difference()}},
         [] {
             std::vector<double> ps;
             for (const char* scheme : recallSchemes) {
                 if (!cosineGain(scheme).inAll(3) || !(cosineGain(scheme, 4).p() > 0.05))
                     return false;
                 ps.push_back(cosineGain(scheme).p());
             }
             const double first = ps.front(), last = ps.back();
             std::ranges::sort(ps);
             return std::max(first, last) == ps[1] && 5 * ps[0] < 0.05 && 4 * ps[1] < 0.05 && 3 * ps[2] > 0.05 &&
                    cosineGain("window").difference() < 0;
         }},
        {"**InfoScale adds to it with ReRoPE and PI**, 16 and 6 points in each of the three; with the other three that "
         "is "
         "not shown.",
         {{"16", addedToCosine("rerope:w=64").difference()}, {"6", addedToCosine("pi").difference()}},
         [] {
             return std::ranges::all_of(recallSchemes, [](const std::string& scheme) {
                 const bool shown = scheme == "pi" || scheme == "rerope:w=64";
                 return shown ? addedToCosine(scheme).inAll(3) && addedToCosine(scheme).p() < 0.05
                              : addedToCosine(scheme).p() > 0.05;
             });
         }},
        {"A window of N, in the paper among the best rows, finds 10 % without the cosine and 9 with it",
         {{"10", Recalled{"window"}.mean()}, {"9", Recalled{"window"}.ofCosine(16).mean()}}},
        {"0.004, 0.002; 0.14, 0.04, 0.08; 0.03, 0.02, each over 3 networks",
         {{"0.004", cosineGain("rope").p()},
          {"0.002", cosineGain("rerope:w=64").p()},
          {"0.14", cosineGain("pi").p()},
          {"0.04", cosineGain("ntk").p()},
          {"0.08", cosineGain("yarn_rope").p()},
          {"0.03", addedToCosine("rerope:w=64").p()},
          {"0.02", addedToCosine("pi").p()}}},
        {"by 23 points with RoPE as trained (p = 0.004, paired over the three), 20 with PI (0.14), 22 with NTK's base "
         "(0.04), 31 with YaRN's frequencies (0.08) and 34 with ReRoPE (0.002).",
         {{"23", cosineGain("rope").difference()},
          {"20", cosineGain("pi").difference()},
          {"22", cosineGain("ntk").difference()},
          {"31", cosineGain("yarn_rope").difference()},
          {"34", cosineGain("rerope:w=64").difference()}},
         {},
         "labs.md"},
        {"At 4 N no difference of these is told from chance (0.4 to 0.8).",
         {{"0.4", std::ranges::min(pOfSchemes([](const char* scheme) { return cosineGain(scheme, 4); }))},
          {"0.8", std::ranges::max(pOfSchemes([](const char* scheme) { return cosineGain(scheme, 4); }))}},
         {},
         "labs.md"},
        {"Both find more than InfoScale alone by 16 points with RoPE (0.05); with the other four that is not shown "
         "(0.2 to "
         "0.8).",
         {{"16", bothOverInfoScale("rope").difference()},
          {"0.05", bothOverInfoScale("rope").p()},
          {"0.2", pOfSchemes(bothOverInfoScale)[3]},
          {"0.8", std::ranges::max(pOfSchemes(bothOverInfoScale))}},
         [] {
             const std::vector<double> ps = pOfSchemes(bothOverInfoScale);
             return bothOverInfoScale("rope").inAll(3) && ps[0] < 0.05 && std::min(ps[3], ps[4]) > 0.15 &&
                    std::min(ps[1], ps[2]) > ps[3];
         },
         "labs.md"},
        {"of five networks that learned to recall with 16 times the cosine three find 95 % at N",
         {},
         [] {
             const std::vector<double> found = atN(16, 0);
             return found.size() == 5 &&
                    std::ranges::count_if(found, [](double percent) { return percent >= 95; }) == 3 &&
                    Recalled{"rope"}.ofCosine(16).networks().size() == 3;
         }},
        {"the two others end at 88 and 94 % and are not tested",
         {{"88", leastAtN(16, 0)[0]}, {"94", leastAtN(16, 0)[1]}},
         {},
         "labs.md"},
        {"none of three networks (seeds 1 to 3) finds more than 30 % at N",
         {},
         [] { return atN(128, 0).size() == 3 && leastAtN(128, 0)[2] < 30; },
         "labs.md"},
        {"With jumps (`skips=2`) none of three learns with 16 times the cosine: they find 53 to 64 % at N",
         {{"53", leastAtN(16, 2)[0]}, {"64", leastAtN(16, 2)[2]}},
         [] { return atN(16, 2).size() == 3; },
         "labs.md"},
        {"which is a guess among the values told; with 32 none more than 42 %.",
         {{"42", leastAtN(32, 0)[2]}},
         [] { return atN(32, 0).size() == 3; },
         "labs.md"},
        {"With 8 three networks of three find 100 % at N, and at 16 N more than those of their seeds with the dot "
         "product "
         "by 3 points with RoPE, 13 with PI, 17 with NTK's base, 22 with YaRN's frequencies and 35 with ReRoPE, none "
         "of "
         "which is told from chance (p from 0.06 to 0.6).",
         {{"100", leastAtN(8, 0)[0]},
          {"3", gainOfEight("rope").difference()},
          {"13", gainOfEight("pi").difference()},
          {"17", gainOfEight("ntk").difference()},
          {"22", gainOfEight("yarn_rope").difference()},
          {"35", gainOfEight("rerope:w=64").difference()},
          {"0.06", std::ranges::min(pOfSchemes(gainOfEight))},
          {"0.6", std::ranges::max(pOfSchemes(gainOfEight))}},
         [] { return gainOfEight("rope").a.size() == 3; },
         "labs.md"},
        {"InfoScale on top of 8 adds 7 (0.006) and 19 points (0.002) with RoPE and PI, and 20 to 22 with the others "
         "(0.07 "
         "to 0.2).",
         {{"7", addedToCosine("rope", 8).difference()},
          {"0.006", addedToCosine("rope", 8).p()},
          {"19", addedToCosine("pi", 8).difference()},
          {"0.002", addedToCosine("pi", 8).p()},
          {"20", addedToCosine("yarn_rope", 8).difference()},
          {"22", addedToCosine("rerope:w=64", 8).difference()},
          {"0.07", addedToCosine("ntk", 8).p()},
          {"0.2", addedToCosine("rerope:w=64", 8).p()}},
         {},
         "labs.md"},
        {"with 8 the mean gains are 3 with plain RoPE and 35 with ReRoPE, and none of the five is told from chance; "
         "with "
         "32 and 128, the paper's, none of three networks learned the task.",
         {{"3", gainOfEight("rope").difference()}, {"35", gainOfEight("rerope:w=64").difference()}},
         [] {
             return std::ranges::min(pOfSchemes(gainOfEight)) > 0.05 && leastAtN(32, 0)[2] < 95 &&
                    leastAtN(128, 0)[2] < 95;
         }},
        {"here InfoScale alone does as much for it as the cosine alone, 80 and 78 % beside 40.",
         {{"80", Recalled{"rerope:w=64", "infoscale"}.mean()},
          {"78", Recalled{"rerope:w=64"}.ofCosine(16).mean()},
          {"40", Recalled{"rerope:w=64"}.mean()}},
         [] {
             return Paired(Recalled{"rerope:w=64", "infoscale"}, Recalled{"rerope:w=64"}.ofCosine(16)).p() > 0.05 &&
                    Recalled{"rerope:w=64", "infoscale"}.ofCosine(16).mean() > 90;
         },
         "papers.md"},
        {"There no row finds more at 1024 than those of a plain window, an accuracy of 0.73 to 0.75 whatever is put "
         "into "
         "it; here it finds 9 or 10 % of the values.",
         {{"0.73", cellsOf("infoscale_table1")["W.A.(C.S.=16) w/ C.S."][7].toDouble()},
          {"0.75", cellsOf("infoscale_table1")["W.A.(C.S.=16) w/ C.S., I.S."][7].toDouble()},
          {"9", Recalled{"window"}.ofCosine(16).mean()},
          {"10", Recalled{"window"}.mean()}},
         [] {
             for (const auto& [name, cells] : cellsOf("infoscale_table1"))
                 if (!name.startsWith(QLatin1String("W.A.")) && cells[7].toDouble() > 0.74)
                     return false;
             return true;
         },
         "papers.md"},
        {"**not shown**: of two tasks that were learned, the minimum holds at 4 N (96 beside 83 %), the binary search "
         "does not gain | 0.18, 0.93 over 3 networks",
         {{"96", meanOf(solvedBy("adaptive", "adaptive", "minimum", 64))},
          {"83", meanOf(solvedBy("vanilla", "vanilla", "minimum", 64))},
          {"0.18", adaptiveIsBetter("minimum")},
          {"0.93", adaptiveIsBetter("binary_search")}},
         [] {
             return meanOf(solvedBy("adaptive", "adaptive", "binary_search", 64)) <=
                    meanOf(solvedBy("vanilla", "vanilla", "binary_search", 64));
         }},
        {"**holds** beyond N, in three networks: of five tasks at four lengths the largest change is 6.7 points | none "
         "of 20 below 0.05 over 3 networks",
         {{"6.7", mostThatAdaptiveChanges().first}},
         [] { return mostThatAdaptiveChanges().second >= 0.05; }},
    };
}

const std::vector<Sentence>& allSentences()
{
    static const std::vector<Sentence> all = [] {
        std::vector<Sentence> both = sentences();
        for (auto* more : {sentencesOfTheBoard, sentencesOfTheory, sentencesOfTables})
            std::ranges::move(more(), std::back_inserter(both));
        return both;
    }();
    return all;
}

/// With a space for every break of a line.
QString textOf(const char* page)
{
    QFile file(QStringLiteral(TEST_DATA "/../../resources/manual/") + QLatin1String(page));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).simplified() : QString();
}

Lambda lambdaOf(int d, double nTrain, double n)
{
    const QString page = textOf("papers.md");
    const QString rows = page.mid(page.indexOf(QStringLiteral("| %1, %2 |").arg(d).arg(nTrain)));
    const QString published = rows.section(QStringLiteral("| %1 | ").arg(n), 1, 1).section(u' ', 0, 0);
    return {published.toDouble(), multiplierOf(exact, n, nTrain, d) / std::sqrt(d)};
}

}  // namespace

class TestWhatHolds : public QObject {
    Q_OBJECT
private slots:
    void sayWhatTheRunsSay_data()
    {
        QTest::addColumn<int>("index");
        const std::vector<Sentence>& all = allSentences();
        for (int i = 0; i < std::ssize(all); ++i)
            QTest::addRow("%.60s", all[static_cast<std::size_t>(i)].says) << i;
    }

    void sayWhatTheRunsSay()
    {
        QFETCH(int, index);
        const Sentence& sentence = allSentences()[static_cast<std::size_t>(index)];
        const QString says = QString::fromUtf8(sentence.says);
        QVERIFY2(textOf(sentence.page).contains(says), "the page no longer says it: change the test with the sentence");
        for (const auto& [written, computed] : sentence.numbers) {
            const QString number = QString::fromUtf8(written);
            QVERIFY2(says.contains(QRegularExpression(
                         QStringLiteral("(?<![\\d.])%1(?!\\d|\\.\\d)").arg(QRegularExpression::escape(number)))),
                     written);
            const auto point = number.indexOf(QLatin1Char('.'));
            const double half = 0.5 * std::pow(10.0, point < 0 ? 0 : -double(number.size() - point - 1));
            QVERIFY2(std::abs(std::abs(computed) - number.toDouble()) <= 1.02 * half,
                     qPrintable(QStringLiteral("%1 is written, the runs say %2").arg(number).arg(computed)));
        }
        QVERIFY2(!sentence.holds || sentence.holds(), sentence.says);
    }

    void noBoldWordWithoutASentence();
    void everyPositionUnderEveryScale();
    void fiveNetworksInPlaceOfOne();
    void schemesWithCosineAndInfoScale();
};

void TestWhatHolds::noBoldWordWithoutASentence()
{
    const QString page = textOf("what_holds.md");
    std::vector<bool> said(static_cast<std::size_t>(page.size()));
    for (const Sentence& sentence : allSentences())
        if (std::string_view(sentence.page) == "what_holds.md") {
            const QString says = QString::fromUtf8(sentence.says);
            for (auto at = page.indexOf(says); at >= 0; at = page.indexOf(says, at + 1))
                std::fill_n(said.begin() + at, says.size(), true);
        }
    int words = 0;
    for (auto bold = QRegularExpression(QStringLiteral("\\*\\*[^*]+\\*\\*")).globalMatch(page); bold.hasNext();
         ++words) {
        const auto word = bold.next();
        QVERIFY2(said[static_cast<std::size_t>(word.capturedStart())], qPrintable(page.mid(word.capturedStart(), 80)));
    }
    QVERIFY(words > 20);
}

/// The table of labs.md of tours and boxes over five networks: mean, p, least and most of a network.
void TestWhatHolds::fiveNetworksInPlaceOfOne()
{
    QFile file(QStringLiteral(TEST_DATA "/../../resources/manual/labs.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(file.readAll());
    const QStringList lines = page.mid(page.indexOf("| task | n | `softmax_plus`")).section("\n\n", 0, 0).split('\n');
    QCOMPARE(lines.size(), 2 + 15);
    const std::array methods{logN, "infoscale", exact, measured};
    for (const QString& line : lines.mid(2)) {
        const QStringList cells = line.split('|', Qt::SkipEmptyParts);
        QCOMPARE(cells.size(), 2 + std::ssize(methods));
        const QString name = cells[0].trimmed();
        const bool tours = !name.startsWith("boxes");
        const std::string task = !tours             ? "boxes packed, " + name.section(", ", 1).toStdString()
                                 : name == "cities" ? cities
                                                    : vehicles;
        for (std::size_t m = 0; m < methods.size(); ++m) {
            const Cell found{task, methods[m], cells[1].trimmed().toDouble() / 20};
            QCOMPARE(found->networks.size(), std::size_t{5});
            const auto written =
                QRegularExpression(QStringLiteral("^ ([-+.\\d]+) \\((.+); ([-+.\\d]+) to ([-+.\\d]+)\\) $"))
                    .match(cells[qsizetype(m) + 2]);
            QVERIFY2(written.hasMatch(), qPrintable(cells[qsizetype(m) + 2]));
            std::vector<double> gains;
            for (const BoardPair& pair : found->networks)
                gains.push_back(tours ? -pair.gain : pair.gain);
            const auto [least, most] = std::ranges::minmax(gains);
            const double computed[] = {tours ? -found->gain : found->gain, least, most};
            const int parts[] = {1, 3, 4};
            for (int part = 0; part < 3; ++part)
                QVERIFY2(std::abs(written.captured(parts[part]).toDouble() - computed[part]) <= 0.051,
                         qPrintable(QStringLiteral("%1: %2").arg(line).arg(computed[part])));
            if (const double p = written.captured(2).toDouble(); p >= 0.01)
                QVERIFY2(std::abs(p - found.p()) <= 0.06 * std::max(1.0, p) && (p < 0.1) == (found.p() < 0.0995),
                         qPrintable(QStringLiteral("%1: p = %2").arg(line).arg(found.p())));
        }
    }
}

/// The table of labs.md of the per cent found at 16 N, of networks whose pairs come first and of those that find them
/// anywhere, and what is said in bold below it.
void TestWhatHolds::everyPositionUnderEveryScale()
{
    const std::array positions{"rope", "pi", "ntk", "yarn_rope", "rerope:w=64"};
    const auto tasks = [](const std::string& position) {
        return std::array{"values recalled, " + position, "values recalled, " + position + " (scattered=1)"};
    };
    QFile file(QStringLiteral(TEST_DATA "/../../resources/manual/labs.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(file.readAll());
    const QStringList lines = page.mid(page.indexOf("| at 16 N |")).section("\n\n", 0, 0).split('\n');
    QCOMPARE(lines.size(), 2 + 14);
    std::array<double, 2> schemeAlone{}, scaleAlone{}, both{};
    for (const QString& line : lines.mid(2)) {
        const QStringList cells = line.split('|', Qt::SkipEmptyParts);
        QCOMPARE(cells.size(), 1 + std::ssize(positions));
        std::string method = cells[0].trimmed().remove('`').toStdString();
        if (method.starts_with("window"))
            method = "vanilla|" + method;
        for (std::size_t p = 0; p < positions.size(); ++p)
            for (std::size_t t = 0; t < 2; ++t) {
                const Cell found{tasks(positions[p])[t], method == "vanilla" ? logN : method};
                const double percent = method == "vanilla" ? found->vanilla : found->value;
                const double written = cells[qsizetype(p) + 1].split(u'\u00b7')[qsizetype(t)].trimmed().toDouble();
                QVERIFY2(std::abs(written - percent) <= 0.51,
                         qPrintable(QStringLiteral("%1, %2: %3 is written, the runs say %4")
                                        .arg(QString::fromStdString(method), positions[p])
                                        .arg(written)
                                        .arg(percent)));
                if (method == "vanilla")
                    schemeAlone[t] = std::max(schemeAlone[t], percent);
                if (p == 0)
                    scaleAlone[t] = std::max(scaleAlone[t], percent);
                both[t] = std::max(both[t], percent);
            }
    }
    for (const char* position : positions)
        for (const std::string& task : tasks(position))
            for (const char* method : {logN, "infoscale", exact}) {
                const Cell cell{task, method};
                QVERIFY2(cell.holdsInAll(5) && cell->q.value_or(1) < 0.05, task.c_str());
            }
    QVERIFY(page.simplified().contains(
        QStringLiteral(
            "the best scheme alone leaves %1 and %2 %, the best scale with RoPE as it was trained %3 and %4 %, "
            "both together find %5 % with ReRoPE where pairs come first, and %6 % with YaRN's frequencies")
            .arg(std::round(schemeAlone[0]))
            .arg(std::round(schemeAlone[1]))
            .arg(std::round(scaleAlone[0]))
            .arg(std::round(scaleAlone[1]))
            .arg(std::round(both[0]))
            .arg(std::round(both[1]))));
}

/// The table of labs.md of InfoScale's table 1: at 4 N and 16 N without either, with the cosine, with InfoScale, with
/// both.
void TestWhatHolds::schemesWithCosineAndInfoScale()
{
    QFile file(QStringLiteral(TEST_DATA "/../../resources/manual/labs.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(file.readAll());
    const QStringList lines =
        page.mid(page.indexOf("| scheme | neither | cosine | InfoScale | both |")).section("\n\n", 0, 0).split('\n');
    QCOMPARE(lines.size(), 2 + 11);
    for (const QString& line : lines.mid(2)) {
        const QStringList cells = line.split('|', Qt::SkipEmptyParts);
        QCOMPARE(cells.size(), 5);
        const QStringList names = cells[0].split('`');
        const bool whole = names.value(3) == "yarn";
        for (int c = 0; c < 4; ++c) {
            const bool cosine = c % 2 == 1, scaled = c > 1;
            const bool jumps = names.value(3) == "skips=2";
            if ((whole && scaled) || (jumps && cosine)) {
                QCOMPARE(cells[c + 1].trimmed(), QStringLiteral("–"));
                continue;
            }
            const QStringList written = cells[c + 1].split(u'\u00b7');
            QCOMPARE(written.size(), 2);
            for (int t = 0; t < 2; ++t) {
                const Recalled found{names[1].toStdString(),
                                     whole    ? "yarn"
                                     : scaled ? "infoscale"
                                              : "vanilla",
                                     cosine ? 16.0 : 0.0, jumps ? 2.0 : 0.0, t == 0 ? 4.0 : 16.0};
                QCOMPARE(found.networks().size(), cosine ? std::size_t{3} : std::size_t{5});
                QVERIFY2(std::abs(written[t].trimmed().toDouble() - found.mean()) <= 0.51,
                         qPrintable(QStringLiteral("%1: the runs say %2").arg(line).arg(found.mean())));
            }
        }
    }
}

QTEST_APPLESS_MAIN(TestWhatHolds)
#include "test_what_holds.moc"

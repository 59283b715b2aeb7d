#pragma once
// The decoder of a network that packs (core/model/packing_model.h has its formulas) as one operation
// (drawn_solutions.h). It chooses a box and then a way to turn it, until none is left, so that ln p is a sum of ln
// p(box) + ln p(turn | box); what a choice does to the bin is a PackingGame's to know.

#include "core/learn/attention_encoder.h"
#include "core/learn/drawn_solutions.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace attnscope::learn {

/// One packing under way.
class PackingGame {
public:
    virtual ~PackingGame() = default;
    virtual void describe(std::span<float> state) const = 0;  ///< the bin as it is
    virtual void consider(int box,
                          MatrixView turns) = 0;  ///< (turns, features): what each way to turn it would make of it
    virtual void put(int turn) = 0;               ///< the box last considered
};

/// What the decoder asks of the boxes, all of width w but the last four. The query of a step is fixed + mean over the
/// boxes left of `remaining` + state s; a turn's score is down relu(up x + bias + context g), g the step's glimpse.
struct PackingQueries {
    Var keys, values, pointers;  ///< (instances boxes, w)
    Var fixed;                   ///< (instances, w)
    Var remaining;               ///< (instances boxes, w)
    Var state;                   ///< (w, state features)
    Var up, bias;                ///< (hidden, turn features), (1, hidden)
    Var context;                 ///< (hidden, w)
    Var down;                    ///< (1, hidden)
    Index heads = 1;
};

struct PackingChoice {
    int box = 0, turn = 0;
    bool operator==(const PackingChoice&) const = default;
};
using PackingPath = std::vector<PackingChoice>;

struct PackingDraw {
    Index instances = 0, boxes = 0;
    Index packings = 1;  ///< of each instance
    Index turns = 6;
    std::uint64_t seed = 0,
                  step = 0;  ///< what is drawn is a function of them, the instance, the packing and the choice's number
    std::span<const std::vector<PackingPath>> given = {};  ///< of every instance, packing: these in place of drawn ones
};

using Games = std::vector<std::unique_ptr<PackingGame>>;
using MakeGame = std::function<std::unique_ptr<PackingGame>(Index instance)>;
/// c_k of an instance's packings, played to their end. May be called, as MakeGame, for several instances at once.
using PackingWeights = std::function<void(Index instance, const Games& games, std::span<float> weights)>;

DrawnSolutions<PackingPath> packingLoss(Tape& tape, const PackingQueries& queries, const PackingDraw& draw,
                                        const MakeGame& play, const PackingWeights& weigh);

}  // namespace attnscope::learn

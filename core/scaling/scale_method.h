#pragma once
// Scale methods. Attention's logits are m z / tau; a scale method gives the multiplier m as a function of the number of
// keys n (lambda = m / sqrt(d) is the factor on q.k that the papers write). Which n it counts is part of the method:
//   keys: the unmasked keys of the sequence, the same for every row;   row: the keys that this row sees.
// Adding a method is one row in scale_methods.cpp and one row in tests/scaling.

#include "core/base/choice.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace attnscope {

enum class Counts { Nothing, Keys, Row };

/// N where nothing says what the model was trained at.
inline constexpr double usualTrainLength = 512;

struct ScaleContext {
    double keys = 1;                   ///< unmasked keys of the sequence
    double rowKeys = 1;                ///< keys that this row sees
    double position = 0;               ///< i, the query's position, from 0
    double nTrain = usualTrainLength;  ///< N
    int d = 64;
    double temperature = 1;  ///< tau, at which a method that keeps N's entropy keeps it
    /// Solves for the multiplier that keeps these tensors' mean row entropy of N tokens; empty where there are no
    /// tensors.
    std::function<Result<double>(double n)> measured = {};
};

/// Of the last row of a sequence of n tokens: it sees all of them, so both counts of n agree.
inline ScaleContext lastRowOf(double n, double nTrain, int d, double temperature = 1)
{
    return {.keys = n,
            .rowKeys = n,
            .position = n - 1,
            .nTrain = nTrain,
            .d = d,
            .temperature = temperature,
            .measured = {}};
}

/// A method with its parameters read once: n is the count that the method uses.
using Multiplier = std::function<Result<double>(double n, const ScaleContext&)>;

struct ScaleMethod : Entry {
    Counts counts = Counts::Nothing;
    int style = 0;  ///< which colour, dash and marker draw it everywhere (ui/plot/method_style.h): its own for ever,
                    ///< below scaleStyles
    Result<Multiplier> (*bind)(const Parameters&);
    /// N, where it is the method's own and not the setting's (a network's); 0: it has none for these. Null: the
    /// setting's.
    double (*ownTrainLength)(const Parameters&, const ScaleContext&) = nullptr;
    /// Its multiplier is a root to find: that may take longer than a frame, so a window leaves it to the analysis.
    bool solved = false;
    /// It measures the head that it acts in, through ScaleContext::measured.
    bool measured = false;
    /// The file that it reads, or empty. Null: none ever.
    std::string (*file)(const Parameters&) = nullptr;
    /// The law of logits (logitDensities(), as text) whose softmax's entropy it keeps, and of no other. Null: none's.
    std::string (*law)(const Parameters&) = nullptr;
    /// The user writes its formula: the choice's text is an expression (expression.h).
    bool written = false;
};

inline constexpr int scaleStyles = 16;

/// In the order shown. Some parameters mean the same in every row that has them and are applied by bindScale:
///   alpha          a factor on the multiplier (every row)
///   row            1: n is the number of keys this row sees, 0: of the sequence (every row that counts)
///   floor          n is taken to be at least this
///   heads          d is taken to be this many times the head size
///   clamp_at_one   the multiplier is at least 1, before alpha
std::span<const ScaleMethod> scaleMethods();

/// The choice made ready: alpha and the count are applied. Errors: UnknownName, InvalidArgument (an expression's
/// column). Its result's errors: Undefined, with the reason, where the method has no value ("infoscale: undefined below
/// n = e^eps").
Result<std::function<Result<double>(const ScaleContext&)>> bindScale(const Choice& method);

/// Nothing is scaled, which is what others are held against: with a factor of its own vanilla is a method like them.
inline constexpr std::string_view vanillaId = "vanilla";
bool isVanilla(const Choice& method);
bool isVanilla(std::string_view method);  ///< as text

/// alpha, the factor on the multiplier that every method takes.
double factorOf(const Choice& method);

/// A model's layer keeps its own temperature, and vanilla's factor alpha is one on top of it; every other method takes
/// its place.
bool keepsOwnTemperature(const Choice& method);

/// ScaleMethod::law of the choice, one of logitDensities(); empty where it is no method's or no law.
std::optional<Choice> lawKeptBy(const Choice& method);

/// Which n the choice counts, after its `row` parameter. Row means that every row has a multiplier of its own; an
/// expression that uses i counts as that.
Result<Counts> countsOf(const Choice& method);

/// Does the multiplier depend on where a row stands, besides the keys that it sees?
bool usesPosition(const Choice& method);

/// Does it need ScaleContext::measured? Not where there is no such method.
bool isMeasured(const Choice& method);

/// The file that the choice reads, or empty.
std::string fileOf(const Choice& method);

/// The N that the choice uses; no value where it has none for this context.
std::optional<double> trainLengthOf(const Choice& method, const ScaleContext& context);

/// "m = ln 1024 / ln 512 = 1.111"
Result<std::string> workedScale(const Choice& method, const ScaleContext& context);

}  // namespace attnscope

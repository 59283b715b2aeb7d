#pragma once
// How a trained max-retrieval head does on sets of any size, under any scale method and normaliser, its weights
// unchanged: with e the head's own logits over n items, alpha = normaliser(m(n) e), m the scale method's multiplier for
// N = 16, d = 128. Every variant sees the same sets.

#include "core/labs/retrieval/max_retrieval_model.h"

#include "core/base/choice.h"
#include "core/base/error.h"
#include "core/scaling/scale_method.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

/// "infoscale" or "vanilla|adaptive": a scale method and, after a bar, a normaliser (softmax if there is none).
struct HeadVariant {
    Choice method{"vanilla", {}, {}};
    Choice normaliser{"softmax", {}, {}};
    std::string label;  ///< as it was written
};

/// What the others are held against: vanilla, and softmax.
bool isPlainSoftmax(const HeadVariant& variant);

/// A list with semicolons. `refit` stands for the adaptive temperature with these coefficients, highest power first.
/// Errors: UnknownName, InvalidArgument.
Result<std::vector<HeadVariant>> parseVariants(const std::string& text, const std::array<double, 5>& refit);

/// What may stand in such a list, besides a method with a normaliser.
std::vector<Entry> variantRows();
/// Of these the normalisers, with vanilla's scale.
std::vector<Entry> normaliserVariants();

/// Of one variant over one seed's sets of one size.
struct HeadScore {
    double accuracy = 0;       ///< share of the sets whose class is right
    double entropy = 0;        ///< mean row entropy, nats
    double largestWeight = 0;  ///< mean weight of the largest item
    double ranked = 0;      ///< share of the sets in which the largest item has the largest logit, alone or with others
    double resolvable = 0;  ///< mean chance to name the class from the rounded priorities; the same for all variants
    double multiplier = 0;  ///< m(n); NaN where the method has no value
};

/// The head's logits over `count` sets, and the hidden items that they weigh; on a tape that is cleared first.
struct HeadLogits {
    MaxRetrievalBatch batch;
    learn::Matrix logits;           ///< (count, items)
    learn::ConstMatrixView hidden;  ///< (count items, width); until the tape is cleared
};
HeadLogits headLogits(learn::Tape& tape, MaxRetrievalModel& model, std::uint64_t seed, std::uint64_t firstSet,
                      std::int64_t count, std::int64_t items);

/// Has the set's largest item the largest logit? Equal logits share the first place: rounded factors give many.
bool largestRanksFirst(const HeadLogits& head, learn::Index set);

class HeadEvaluation {
public:
    /// Errors: those of binding the methods.
    static Result<HeadEvaluation> make(MaxRetrievalModel& model, std::vector<HeadVariant> variants, double nTrain);

    /// A score a variant over sets 0..count-1 of the seed; NaN where a method has no value at this n. Errors:
    /// Cancelled.
    Result<std::vector<HeadScore>> score(std::uint64_t seed, std::int64_t count, std::int64_t items,
                                         std::stop_token stop);

    /// The weights of one variant over `count` sets, columns: the `top` largest items, the largest last.
    Result<Eigen::MatrixXf> picture(std::size_t variant, std::uint64_t seed, std::int64_t count, std::int64_t items,
                                    std::int64_t top);

    const std::vector<HeadVariant>& variants() const { return m_variants; }

private:
    HeadEvaluation(MaxRetrievalModel& model, std::vector<HeadVariant> variants, double nTrain)
        : m_model(&model), m_tape(model.products()), m_variants(std::move(variants)), m_nTrain(nTrain)
    {
    }
    Result<double> multiplier(std::size_t variant, std::int64_t items);
    Result<double> measured(double items);  ///< the m that gives n items the mean entropy of N on this head

    MaxRetrievalModel* m_model;
    learn::Tape m_tape;  ///< its memory serves all the sets
    std::vector<HeadVariant> m_variants;
    std::vector<std::function<Result<double>(const ScaleContext&)>> m_scales;
    std::map<std::pair<std::size_t, std::int64_t>, double> m_multipliers;  ///< solved once
    double m_nTrain;
};

/// A set in which the largest item does not have the largest logit, and the theta that gives it the most weight there:
/// the root of E_theta e = e_largest, 0.1 if that is smaller.
struct MisrankedSet {
    std::int64_t items;
    double entropy;  ///< of the row at theta = 1, nats
    double theta;
};
constexpr std::uint64_t misrankedSeed = 2'000'000'000'000;  ///< of the sets that the lab and the figures fit to
constexpr std::int64_t mostTestItems = 1 << 22;             ///< of one size, in tests and fits
/// Among `setsPerSize` sets of each size, or as many as hold `mostItems`. Errors: Cancelled.
Result<std::vector<MisrankedSet>> misrankedSets(MaxRetrievalModel& model, std::uint64_t seed, std::int64_t setsPerSize,
                                                std::int64_t mostItems, const std::vector<std::int64_t>& sizes,
                                                std::stop_token stop);

/// The adaptive temperature's polynomial as section 3 describes it: an inverse fit of degree 4, 1/theta =
/// polynomial(H), by least squares of 1/theta. Highest power first; empty with fewer than 20 points.
std::optional<std::array<double, 5>> fitTemperature(const std::vector<MisrankedSet>& points);
constexpr std::array<double, 5> publishedTemperature{-0.037, 0.481, -2.3, 4.917, -1.791};

/// By Horner's rule, highest power first.
double polynomialAt(const std::array<double, 5>& coefficients, double entropy);

}  // namespace attnscope

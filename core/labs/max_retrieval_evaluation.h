#pragma once
// How a trained max-retrieval head does on sets of any size, under any scale method and normaliser, its weights unchanged:
// with e the head's own logits over n items, alpha = normaliser(m(n) e), m the scale method's multiplier for N = 16, d = 128.
// Every variant sees the same sets.

#include "core/labs/max_retrieval_model.h"

#include "core/base/choice.h"
#include "core/base/error.h"
#include "core/scaling/scale_method.h"

#include <array>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

/// "infoscale" or "vanilla|adaptive": a scale method and, after a bar, a normaliser (softmax if there is none).
struct HeadVariant {
    Choice method{"vanilla", {}, {}};
    Choice normaliser{"softmax", {}, {}};
    std::string label;   ///< as it was written
};

/// A list with semicolons. `refit` stands for the adaptive temperature with these coefficients, highest power first.
/// Errors: UnknownName, InvalidArgument.
Result<std::vector<HeadVariant>> parseVariants(const std::string& text, const std::array<double, 5>& refit);

/// Of one variant over one seed's sets of one size.
struct HeadScore {
    double accuracy = 0;       ///< share of the sets whose class is right
    double entropy = 0;        ///< mean row entropy, nats
    double largestWeight = 0;  ///< mean weight of the largest item
    double ranked = 0;         ///< share of the sets in which the largest item has the largest logit
    double multiplier = 0;     ///< m(n); NaN where the method has no value
};

/// The head's logits over `count` sets, one set a row (times n), and the hidden items that they weigh.
struct HeadLogits {
    MaxRetrievalBatch batch;
    learn::Matrix logits;      ///< (count, items)
    learn::Matrix hidden;      ///< (count items, width); empty unless asked for
};
HeadLogits headLogits(MaxRetrievalModel& model, std::uint64_t seed, std::uint64_t firstSet, std::int64_t count, std::int64_t items, bool withHidden);

class HeadEvaluation {
public:
    /// Errors: those of binding the methods.
    static Result<HeadEvaluation> make(MaxRetrievalModel& model, std::vector<HeadVariant> variants, double nTrain);

    /// A score a variant over sets 0..count-1 of the seed; NaN where a method has no value at this n. Errors: Cancelled.
    Result<std::vector<HeadScore>> score(std::uint64_t seed, std::int64_t count, std::int64_t items, std::stop_token stop);

    /// The weights of one variant over `count` sets, columns: the `top` largest items, the largest last.
    Result<Eigen::MatrixXf> picture(std::size_t variant, std::uint64_t seed, std::int64_t count, std::int64_t items, std::int64_t top);

    const std::vector<HeadVariant>& variants() const { return m_variants; }

private:
    HeadEvaluation(MaxRetrievalModel& model, std::vector<HeadVariant> variants, double nTrain)
        : m_model(&model), m_variants(std::move(variants)), m_nTrain(nTrain) {}
    Result<double> multiplier(std::size_t variant, std::int64_t items);
    Result<double> measured(double items);  ///< the m that gives n items the mean entropy of N on this head

    MaxRetrievalModel* m_model;
    std::vector<HeadVariant> m_variants;
    std::vector<std::function<Result<double>(const ScaleContext&)>> m_scales;
    std::map<std::pair<std::size_t, std::int64_t>, double> m_multipliers;  ///< solved once
    double m_nTrain;
};

/// Two-sided p of Student's paired t-test; 1 if no pair differs.
double pairedTTest(const std::vector<double>& a, const std::vector<double>& b);

/// The adaptive temperature's polynomial from a head's own logits, as section 3 describes it: over sets in which the largest
/// item does not have the largest logit, the theta that gives it the most weight (the root of E_theta e = e_largest), and
/// 1/theta = polynomial of degree 4 in the entropy H at theta = 1, by least squares of theta polynomial(H) - 1.
struct TemperatureFit {
    struct Point { std::int64_t items; double entropy, theta; };
    std::vector<Point> points;
    std::array<double, 5> coefficients{-0.037, 0.481, -2.3, 4.917, -1.791};  ///< highest power first; the paper's until fitted
    bool fitted = false;   ///< false: too few sets of that kind
};
Result<TemperatureFit> fitTemperature(MaxRetrievalModel& model, std::uint64_t seed, std::int64_t setsPerSize, const std::vector<std::int64_t>& sizes,
                                      std::stop_token stop);

}  // namespace attnscope

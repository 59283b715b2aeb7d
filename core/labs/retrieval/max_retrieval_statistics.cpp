// The refit of the adaptive temperature: the sets that a head ranks wrong, and the polynomial through what is best for
// them.

#include "core/labs/retrieval/max_retrieval_evaluation.h"

#include <cmath>

#include <Eigen/QR>

namespace attnscope {

namespace {

/// Mean logit and entropy at inverse temperature beta.
struct Gibbs {
    double mean, entropy;
    Gibbs(const Eigen::ArrayXd& e, double beta)
    {
        const Eigen::ArrayXd shifted = beta * (e - e.maxCoeff()), w = shifted.exp();
        const double z = w.sum();
        mean = (w * e).sum() / z;
        entropy = std::log(z) - (w * shifted).sum() / z;
    }
};

constexpr double largestBeta =
    10;  // the paper does not say how far it searched; without an end a few nearly tied rows would rule the fit

/// E_beta e rises from the mean at beta = 0 to the maximum: the weight of item k is largest where it equals e_k.
double bestBeta(const Eigen::ArrayXd& e, double ek)
{
    if (Gibbs(e, largestBeta).mean <= ek)
        return largestBeta;
    double low = 0, high = largestBeta;
    for (int i = 0; i < 50; ++i) {
        const double middle = (low + high) / 2;
        (Gibbs(e, middle).mean < ek ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

Result<std::vector<MisrankedSet>> misrankedSets(MaxRetrievalModel& model, std::uint64_t seed, std::int64_t setsPerSize,
                                                std::int64_t mostItems, const std::vector<std::int64_t>& sizes,
                                                std::stop_token stop)
{
    std::vector<MisrankedSet> found;
    learn::Tape tape(model.products());
    for (const std::int64_t items : sizes) {
        const std::int64_t sets = std::clamp<std::int64_t>(mostItems / items, 1, setsPerSize),
                           atOnce = std::clamp<std::int64_t>((1 << 14) / items, 1, sets);
        for (std::int64_t set = 0; set < sets; set += atOnce) {
            TRY(unlessStopped(stop));
            const HeadLogits head =
                headLogits(tape, model, seed, static_cast<std::uint64_t>(set), std::min(atOnce, sets - set), items);
            for (Eigen::Index row = 0; row < head.logits.rows(); ++row) {
                const Eigen::ArrayXd e = head.logits.row(row).transpose().array().cast<double>();
                const double ek = e[head.batch.largest[static_cast<std::size_t>(row)]];
                if (largestRanksFirst(head, row) || ek <= e.mean())  // nothing to mend, or best left uniform
                    continue;
                found.push_back({items, Gibbs(e, 1).entropy, 1 / bestBeta(e, ek)});
            }
        }
    }
    return found;
}

std::optional<std::array<double, 5>> fitTemperature(const std::vector<MisrankedSet>& points)
{
    if (points.size() < 20)
        return std::nullopt;
    Eigen::MatrixXd a(static_cast<Eigen::Index>(points.size()), 5);
    Eigen::VectorXd beta(a.rows());
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
        const MisrankedSet& point = points[static_cast<std::size_t>(i)];
        beta(i) = 1 / point.theta;
        double power = 1;
        for (Eigen::Index k = 4; k >= 0; --k, power *= point.entropy)
            a(i, k) = power;
    }
    const Eigen::VectorXd solution = a.colPivHouseholderQr().solve(beta);
    std::array<double, 5> coefficients{};
    for (std::size_t k = 0; k < 5; ++k)
        coefficients[k] = solution[static_cast<Eigen::Index>(k)];
    return coefficients;
}

double polynomialAt(const std::array<double, 5>& coefficients, double entropy)
{
    double value = 0;
    for (const double coefficient : coefficients)
        value = value * entropy + coefficient;
    return value;
}

}  // namespace attnscope

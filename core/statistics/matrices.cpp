#include "core/statistics/matrices.h"

#include "core/base/parallel.h"
#include "core/statistics/samples.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

std::optional<double> entropyOf(std::span<const double> weights)
{
    const double mass = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (!(mass > 0))
        return std::nullopt;
    double entropy = 0;
    for (const double w : weights)
        if (w > 0)
            entropy -= w / mass * std::log(w / mass);
    return entropy;
}

double meanSoftmaxEntropy(const Matrix& logits, double m)
{
    std::vector<double> entropies(static_cast<std::size_t>(logits.rows()));
    forEachInParallel(logits.rows(), 8, [&](std::int64_t row) {
        const Eigen::ArrayXd z = m * logits.row(row).array().cast<double>(), shifted = z - z.maxCoeff(),
                             e = shifted.exp();
        entropies[static_cast<std::size_t>(row)] = std::log(e.sum()) - (e * shifted).sum() / e.sum();
    });
    return sampleMean(entropies).mean;
}

std::optional<MatrixStatistics> matrixStatistics(std::span<const double> meanRow, std::span<const RowSummary> rows)
{
    double sum = 0, count = 0;
    for (const RowSummary& row : rows)
        if (row.visible > 0 && row.mass > 0) {
            sum += row.entropy;
            count += 1;
        }
    const std::optional<double> entropy = entropyOf(meanRow);
    if (count == 0 || !entropy)
        return std::nullopt;
    return MatrixStatistics{*entropy, std::max(0.0, *entropy - sum / count)};
}

double largestSingularValue(const Matrix& weights)
{
    if (weights.size() == 0)
        return 0;
    const Eigen::MatrixXd wide = weights.cast<double>();
    const Eigen::MatrixXd gram =
        wide.rows() < wide.cols() ? Eigen::MatrixXd(wide * wide.transpose()) : Eigen::MatrixXd(wide.transpose() * wide);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram, Eigen::EigenvaluesOnly);
    return std::sqrt(std::max(0.0, solver.eigenvalues().maxCoeff()));
}

}  // namespace attnscope

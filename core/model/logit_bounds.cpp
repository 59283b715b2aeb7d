#include "core/model/logit_bounds.h"

#include "core/attention/positions.h"
#include "core/statistics/matrices.h"
#include "core/theory/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace attnscope {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// All G u + c with |u| <= radius, G = diag(gain).
struct Ellipsoid {
    Eigen::VectorXd gain, centre;
    double radius = 0;

    Ellipsoid part(Index first, Index count) const
    {
        return {gain.segment(first, count), centre.segment(first, count), radius};
    }
    double longest() const { return gain.cwiseAbs().maxCoeff() * radius + centre.norm(); }
};

using Reached = std::optional<Ellipsoid>;  ///< nothing: no bound is known

/// Some of the numbers that a norm makes, whatever it is given.
Ellipsoid normed(const NormWeights& norm, Index first, Index count)
{
    const auto size = norm.group > 0 ? norm.group : static_cast<Index>(norm.weight.size());
    const bool fromOne = norm.norm == Norm::RmsFromOne || norm.norm == Norm::LayerFromOne;
    const Index groups = (first + count - 1) / size - first / size + 1;
    Ellipsoid made{Eigen::VectorXd(count), Eigen::VectorXd::Zero(count), std::sqrt(static_cast<double>(size * groups))};
    for (Index j = 0; j < count; ++j) {
        const auto own = static_cast<std::size_t>(norm.group > 0 ? first + j : (first + j) % size);
        made.gain[j] = (fromOne ? 1.0 : 0.0) + norm.weight[own];
        if (!norm.bias.empty())
            made.centre[j] = norm.bias[static_cast<std::size_t>((first + j) % size)];
    }
    return made;
}

/// Rows of W, those of its outputs.
Matrix rowsOf(const Linear& linear, Index first, Index count)
{
    Matrix rows(count, linear.inputs());
    std::vector<float> scratch;
    if (!linear.inputFirst) {
        const float* const numbers = linear.weight.floats(first, count, scratch);
        std::copy_n(numbers, count * linear.inputs(), rows.data());
        return rows;
    }
    const Index outputs = linear.weight.columns;  // of one of the matrices that lie below each other
    for (Index j = 0; j < count; ++j)
        for (Index i = 0; i < linear.inputs(); ++i)
            rows(j, i) =
                linear.weight.floats((first + j) / outputs * linear.inputs() + i, 1, scratch)[(first + j) % outputs];
    return rows;
}

/// W x + b for the x that are reached, as the ball around W c + b.
Ellipsoid mapped(const Linear& linear, const Ellipsoid& from, Index first, Index count)
{
    const Matrix weights = rowsOf(linear, first, count);
    Eigen::VectorXd centre = weights.cast<double>() * from.centre;
    if (!linear.bias.empty())
        centre += Eigen::Map<const Eigen::VectorXf>(linear.bias.data() + first, count).cast<double>();
    const Matrix stretched = weights * from.gain.cast<float>().asDiagonal();
    return {Eigen::VectorXd::Ones(count), std::move(centre), largestSingularValue(stretched) * from.radius};
}

class LayerReach {
public:
    LayerReach(const Model& model, std::size_t layer)
        : m_weights(model.layers[layer]), m_clamp(model.architecture.specs[layer].clamp), m_input(inputOf(model, layer))
    {
    }

    /// The longest that head h's queries, or keys, can be.
    double longest(const std::vector<HeadPart>& parts, Index h) const
    {
        double squares = 0;
        for (const HeadPart& part : parts) {
            const Reached all = reached(part.projection, part.at(h), part.count);
            const double length = all ? all->longest() : unbounded,
                         clamped = m_clamp > 0 && m_weights.projections[part.projection].norm.none()
                                       ? m_clamp * std::sqrt(static_cast<double>(part.count))
                                       : unbounded;
            squares += std::pow(std::min(length, clamped), 2);
        }
        return std::sqrt(squares);
    }

private:
    static Reached inputOf(const Model& model, std::size_t layer)
    {
        const auto whole = [&](const NormWeights& norm) -> Reached {
            return norm.none() ? Reached{} : normed(norm, 0, model.architecture.width);
        };
        if (!model.layers[layer].beforeAttention.none())
            return whole(model.layers[layer].beforeAttention);
        if (layer == 0)  // of the embeddings; a map that follows makes them any
            return model.embeddingMap.outputs() == 0 ? whole(model.embeddingNorm) : Reached{};
        return model.architecture.specs[layer - 1].norms == NormPlace::OfTheSum
                   ? whole(model.layers[layer - 1].afterFeed)
                   : Reached{};
    }

    /// Some of the numbers that a projection makes.
    Reached reached(std::size_t projection, Index first, Index count) const
    {
        const Projection& made = m_weights.projections[projection];
        if (!made.norm.none())
            return normed(made.norm, first, count);
        const Reached from = made.from < 0
                                 ? m_input
                                 : reached(static_cast<std::size_t>(made.from), 0,
                                           m_weights.projections[static_cast<std::size_t>(made.from)].map.outputs());
        return from ? Reached(mapped(made.map, *from, first, count)) : Reached{};
    }

    const LayerWeights& m_weights;
    double m_clamp;
    Reached m_input;
};

}  // namespace

Result<LongestVectors> longestVectors(const Model& model, const std::stop_token& stop)
{
    LongestVectors longest;
    for (std::size_t layer = 0; layer < model.layers.size(); ++layer) {
        const LayerReach reach(model, layer);
        const LayerWeights& weights = model.layers[layer];
        std::vector<double>&queries = longest.queries.emplace_back(), &keys = longest.keys.emplace_back();
        for (Index h = 0; h < model.architecture.heads && !stop.stop_requested(); ++h)
            queries.push_back(reach.longest(weights.query, h));
        for (Index h = 0; h < model.architecture.keyHeads && !stop.stop_requested(); ++h)
            keys.push_back(reach.longest(weights.key, h));
        TRY(unlessStopped(stop));
    }
    return longest;
}

Result<std::vector<std::vector<double>>> logitGapBounds(const Architecture& a, const LongestVectors& longest,
                                                        const ResolvedPolicy& policy)
{
    std::vector<std::vector<double>> bounds;
    for (std::size_t layer = 0; layer < longest.queries.size(); ++layer) {
        const LayerRule& rule = *policy.layers[layer];
        if (rule.spec.kernel.id != "dot")
            return failure(ErrorKind::InvalidArgument, "bounds from weights are of the kernel dot, and not of {}",
                           rule.spec.kernel.id);
        const Position& position = **findRow(positions(), rule.spec.position.id, "position");
        double factor = 1;  // on queries and on keys, of what turns
        if (position.frequencies) {
            factor = rotationOf(position, rule.spec.position, a.headSize).factor;
            if (turnedCoordinates(a.headSize, Parameters(position, rule.spec.position)) < a.headSize)
                factor = std::max(factor, 1.0);
        }
        std::vector<double>& heads = bounds.emplace_back();
        for (std::size_t h = 0; h < longest.queries[layer].size(); ++h) {
            double scale = 0;
            for (const double one : rule.scale(h))
                scale = std::max(scale, std::abs(one));
            scale *= factor * factor / std::sqrt(static_cast<double>(a.headSize));
            const double query = longest.queries[layer][h],
                         key = longest.keys[layer][h * longest.keys[layer].size() / longest.queries[layer].size()];
            double gap = std::isinf(query) || std::isinf(key) ? unbounded : largestGap(1, 1, query, key, scale);
            if (rule.spec.softCap > 0)
                gap = std::min(gap, 2 * rule.spec.softCap);
            heads.push_back(position.hasBias() ? unbounded : gap);
        }
    }
    return bounds;
}

}  // namespace attnscope

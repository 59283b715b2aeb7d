// The encoder of the Attention Model through the engine.

#include "core/networks/attention_encoder.h"

#include "core/attention/engines.h"
#include "core/base/parallel.h"
#include "core/model/norms.h"
#include "core/model/policy.h"
#include "core/rows/entropy_root.h"
#include "core/rows/rows.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <numeric>

namespace attnscope {

namespace {

/// What a step of the encoder adds to the stream, and the norm after it.
void addAndNormalise(Matrix& stream, const Matrix& added, const AttentionEncoder::NodeNorm& norm)
{
    const Eigen::Map<const Eigen::ArrayXf> factor(norm.factor.data(), stream.cols()),
        shift(norm.shift.data(), stream.cols());
    stream += added;
    if (norm.layer)
        normalise(stream, Norm::Layer, 1e-5, norm.factor, norm.shift);
    else
        stream.array() = (stream.array().rowwise() * factor.transpose()).rowwise() + shift.transpose();
}

class EncoderRun {
public:
    EncoderRun(const AttentionEncoder& encoder, Matrix& h, Index sets, const EncoderRequest& request,
               const Engine& engine)
        : m_encoder(encoder), m_stream(h), m_sets(sets), m_nodes(h.rows() / sets), m_request(request), m_engine(engine)
    {
    }

    Result<HeadRun> operator()()
    {
        Matrix projected, mixed(m_stream.rows(), m_encoder.width), added, inner;
        for (Index number = 0; number < std::ssize(m_encoder.layers); ++number) {
            const AttentionEncoder::Layer& layer = m_encoder.layers[static_cast<std::size_t>(number)];
            if (m_request.observe)
                m_request.observe(number, m_stream);
            if (!product(layer.projection, m_stream, projected))
                return stopped();
            const auto scales = TRY(scalesOf(number, projected));
            TRY(attend(projected, scales, mixed));
            if (!product(layer.output, mixed, added))
                return stopped();
            addAndNormalise(m_stream, added, layer.afterAttention);
            if (!product(layer.up, m_stream, inner))
                return stopped();
            inner = inner.cwiseMax(0.0f);
            if (!product(layer.down, inner, added))
                return stopped();
            addAndNormalise(m_stream, added, layer.afterFeed);
        }
        return std::move(m_heads);
    }

private:
    bool product(const Linear& linear, const MatrixView& x, Matrix& y) const
    {
        y.resize(x.rows(), linear.outputs());
        return apply(linear, x, y, false, m_request.stop);
    }

    using Scale = std::vector<double>;  // m of every row

    /// Of every head of a layer.
    Result<std::vector<Scale>> scalesOf(Index layer, const Matrix& projected) const
    {
        const bool acts = !m_request.layer || *m_request.layer == layer;
        std::vector<Scale> scales(static_cast<std::size_t>(m_encoder.heads),
                                  acts ? m_request.scale : Scale(m_request.scale.size(), 1.0));
        if (!acts)
            return scales;
        if (!m_request.multipliers.empty()) {
            for (std::size_t head = 0; head < scales.size(); ++head)
                std::ranges::fill(scales[head], m_request.multipliers[static_cast<std::size_t>(layer)][head]);
            return scales;
        }
        if (m_request.targets.empty())
            return scales;
        std::vector<Result<void>> done(scales.size());
        forEachInParallel(m_encoder.heads, 1, [&](std::int64_t head) {
            const auto h = static_cast<std::size_t>(head);
            done[h] = bringTo(m_request.targets[static_cast<std::size_t>(layer)][h], projected, head, scales[h]);
        });
        for (const Result<void>& one : done)
            TRY(one);
        return scales;
    }

    /// Multiplies the scale of a head by what alone brings the mean entropy of its rows, over all sets, to `target`.
    Result<void> bringTo(double target, const Matrix& projected, Index head, Scale& scale) const
    {
        std::vector<AttentionHead> sets;
        for (Index set = 0; set < m_sets; ++set)
            sets.push_back(TRY(preparedHead(projected, set, head)));
        const EntropyRoot root = TRY(entropyRoot(target, [&](double m) -> Result<double> {
            double sum = 0;
            for (const AttentionHead& one : sets) {
                const double entropy = TRY(meanEntropy(one, Scale(scale.size(), m)));
                sum += entropy;
            }
            return sum / static_cast<double>(m_sets);
        }));
        for (double& factor : scale)
            factor *= root.multiplier.value_or(1);
        return {};
    }

    /// Every set's heads, on any thread; the outputs beside each other in `mixed`.
    Result<void> attend(const Matrix& projected, const std::vector<Scale>& scales, Matrix& mixed)
    {
        const Index heads = m_encoder.heads, d = m_encoder.headSize(), w = m_encoder.width, count = m_sets * heads;
        std::vector<Result<double>> done(static_cast<std::size_t>(count), 0.0);
        forEachInParallel(count, 1, [&](std::int64_t index) {
            const Index set = index / heads, head = index % heads;
            done[static_cast<std::size_t>(index)] =
                attendHead(projected, set, head, scales[static_cast<std::size_t>(head)],
                           projected.block(set * m_nodes, 2 * w + head * d, m_nodes, d),
                           mixed.block(set * m_nodes, head * d, m_nodes, d));
        });
        std::vector<double> entropies(static_cast<std::size_t>(heads), 0.0), multipliers;
        for (Index index = 0; index < count; ++index) {
            const double entropy = TRY(done[static_cast<std::size_t>(index)]);
            entropies[static_cast<std::size_t>(index % heads)] += entropy / static_cast<double>(m_sets);
        }
        if (!m_request.entropies)
            return {};
        for (const Scale& scale : scales)
            multipliers.push_back(std::accumulate(scale.begin(), scale.end(), 0.0) / static_cast<double>(scale.size()));
        m_heads.entropies.push_back(std::move(entropies));
        m_heads.multipliers.push_back(std::move(multipliers));
        return {};
    }

    Result<AttentionHead> preparedHead(const Matrix& projected, Index set, Index head) const
    {
        const Index d = m_encoder.headSize(), row = set * m_nodes, column = head * d;
        HeadSet heads;
        heads.queries.push_back(projected.block(row, column, m_nodes, d));
        heads.keys.push_back(projected.block(row, m_encoder.width + column, m_nodes, d));
        return prepareHead(std::move(heads), 0,
                           {.kernel = {"dot", {}, {}},
                            .position = {"none", {}, {}},
                            .mask = {"full", {}, {}},
                            .normaliser = m_softmax});
    }

    /// The mean entropy of its rows, where it is wanted.
    Result<double> attendHead(const Matrix& projected, Index set, Index index, const Scale& scale,
                              const MatrixView& values, Eigen::Ref<Matrix> output) const
    {
        const auto head = TRY(preparedHead(projected, set, index));
        const AttendRequest request{.normaliser = m_softmax,
                                    .scale = scale,
                                    .values = values,
                                    .output = output,
                                    .firstRow = 0,
                                    .parallel = true};
        TRY(m_engine.attend(head, request, m_request.stop));
        return m_request.entropies ? meanEntropy(head, scale) : Result<double>(0.0);
    }

    Result<double> meanEntropy(const AttentionHead& head, const Scale& scale) const
    {
        const auto rows = TRY(summariesOf(head, m_softmax, m_engine, m_nodes, 0, scale, m_request.stop));
        return entropyMean(rows).mean;
    }

    const AttentionEncoder& m_encoder;
    Matrix& m_stream;
    Index m_sets, m_nodes;
    const EncoderRequest& m_request;
    const Engine& m_engine;
    const Choice m_softmax{"softmax", {}, {}};
    HeadRun m_heads;
};

}  // namespace

Result<ResolvedScale> resolveScale(const ScalePolicy& policy, Index headSize, std::int64_t n, Index nodes)
{
    const auto measuredLater = [](double) -> Result<double> { return 1.0; };
    const bool known = !policy.entropies.empty();
    const auto scaleOf = [&](bool inForce, const std::vector<std::int64_t>& rowKeys) -> Result<std::vector<double>> {
        if (!inForce)
            return std::vector<double>(rowKeys.size(), 1.0);
        const ScaleContext context{.keys = static_cast<double>(n),
                                   .nTrain = policy.trainLength,
                                   .d = static_cast<int>(headSize),
                                   .measured = known ? measuredLater : decltype(ScaleContext::measured)()};
        return rowMultipliers(policy.method, context, rowKeys);
    };
    std::vector<std::int64_t> allowed;
    for (std::int64_t node = 0; node < nodes; ++node)
        allowed.push_back(std::max<std::int64_t>(1, n - node));
    auto encoder = TRY(scaleOf(policy.encoder, std::vector<std::int64_t>(static_cast<std::size_t>(nodes), n))),
         decoder = TRY(scaleOf(policy.decoder, allowed));
    return ResolvedScale{std::move(encoder), std::move(decoder)};
}

Result<HeadRun> encodeNodes(const AttentionEncoder& encoder, Matrix& h, Index sets, const EncoderRequest& request)
{
    return EncoderRun(encoder, h, sets, request, *TRY(chooseEngine(request.engine)))();
}

}  // namespace attnscope

// The encoder of the Attention Model through the engine.

#include "core/model/attention_encoder.h"

#include "core/attention/engines.h"
#include "core/base/parallel.h"
#include "core/model/norms.h"
#include "core/model/policy.h"

#include <algorithm>

namespace attnscope {

namespace {

tl::unexpected<Error> encoderStopped() { return failure(ErrorKind::Cancelled, "stopped"); }

/// What a step of the encoder adds to the stream, and the norm after it.
void addAndNormalise(Matrix& stream, const Matrix& added, const AttentionEncoder::NodeNorm& norm)
{
    const Eigen::Map<const Eigen::ArrayXf> factor(norm.factor.data(), stream.cols()), shift(norm.shift.data(), stream.cols());
    stream += added;
    if (norm.layer)
        normalise(stream, Norm::Layer, 1e-5, norm.factor, norm.shift);
    else
        stream.array() = (stream.array().rowwise() * factor.transpose()).rowwise() + shift.transpose();
}

class EncoderRun {
public:
    EncoderRun(const AttentionEncoder& encoder, Matrix& h, Index sets, const EncoderRequest& request) : m_encoder(encoder), m_stream(h), m_sets(sets), m_nodes(h.rows() / sets), m_request(request) {}

    Result<std::vector<std::vector<double>>> operator()()
    {
        Matrix projected, mixed(m_stream.rows(), m_encoder.width), added, inner;
        for (const AttentionEncoder::Layer& layer : m_encoder.layers) {
            if (!product(layer.projection, m_stream, projected))
                return encoderStopped();
            if (const Result<void> done = attend(projected, mixed); !done)
                return tl::unexpected(done.error());
            if (!product(layer.output, mixed, added))
                return encoderStopped();
            addAndNormalise(m_stream, added, layer.afterAttention);
            if (!product(layer.up, m_stream, inner))
                return encoderStopped();
            inner = inner.cwiseMax(0.0f);
            if (!product(layer.down, inner, added))
                return encoderStopped();
            addAndNormalise(m_stream, added, layer.afterFeed);
        }
        return std::move(m_entropies);
    }

private:
    bool product(const Linear& linear, const MatrixView& x, Matrix& y) const
    {
        y.resize(x.rows(), linear.outputs());
        return apply(linear, x, y, false, m_request.stop);
    }

    /// Every set's heads, on any thread; the outputs beside each other in `mixed`.
    Result<void> attend(const Matrix& projected, Matrix& mixed)
    {
        const Index heads = m_encoder.heads, d = m_encoder.headSize(), w = m_encoder.width, count = m_sets * heads;
        const Result<const Engine*> engine = chooseEngine(m_request.engine);
        if (!engine)
            return tl::unexpected(engine.error());
        std::vector<Result<double>> done(static_cast<std::size_t>(count), 0.0);
        forEachInParallel(count, 1, [&](std::int64_t index) {
            const Index first = index / heads * m_nodes, column = index % heads * d;
            const auto part = [&](Index which) { return projected.block(first, which * w + column, m_nodes, d); };
            done[static_cast<std::size_t>(index)] = attendHead(**engine, part(0), part(1), part(2), mixed.block(first, column, m_nodes, d));
        });
        std::vector<double> entropies(static_cast<std::size_t>(heads), 0.0);
        for (Index index = 0; index < count; ++index) {
            const Result<double>& entropy = done[static_cast<std::size_t>(index)];
            if (!entropy)
                return tl::unexpected(entropy.error());
            entropies[static_cast<std::size_t>(index % heads)] += *entropy / static_cast<double>(m_sets);
        }
        if (m_request.entropies)
            m_entropies.push_back(std::move(entropies));
        return {};
    }

    /// The mean entropy of its rows, where it is wanted.
    Result<double> attendHead(const Engine& engine, Matrix query, Matrix key, const MatrixView& values, Eigen::Ref<Matrix> output) const
    {
        HeadSet heads;
        heads.queries.push_back(std::move(query));
        heads.keys.push_back(std::move(key));
        const Choice softmax{"softmax", {}, {}};
        const auto head = prepareHead(std::move(heads), 0, {.kernel = {"dot", {}, {}}, .position = {"none", {}, {}}, .mask = {"full", {}, {}}, .normaliser = softmax});
        if (!head)
            return tl::unexpected(head.error());
        const AttendRequest request{.normaliser = softmax, .scale = m_request.scale, .values = values, .output = output, .firstRow = 0, .parallel = true};
        if (const Result<void> attended = engine.attend(*head, request, m_request.stop); !attended)
            return tl::unexpected(attended.error());
        if (!m_request.entropies)
            return 0.0;
        const auto rows = engine.summarise(*head, {.normaliser = softmax, .passes = {{m_nodes, 0, m_nodes, m_request.scale}}, .parallel = true}, m_request.stop);
        if (!rows)
            return tl::unexpected(rows.error());
        double sum = 0;
        for (const RowSummary& row : rows->front())
            sum += row.entropy;
        return sum / static_cast<double>(m_nodes);
    }

    const AttentionEncoder& m_encoder;
    Matrix& m_stream;
    Index m_sets, m_nodes;
    const EncoderRequest& m_request;
    std::vector<std::vector<double>> m_entropies;
};

}  // namespace

Result<ResolvedScale> resolveScale(const ScalePolicy& policy, Index headSize, std::int64_t n, Index nodes)
{
    const auto scaleOf = [&](bool inForce, const std::vector<std::int64_t>& rowKeys) -> Result<std::vector<float>> {
        if (!inForce)
            return std::vector<float>(rowKeys.size(), 1.0f);
        const ScaleContext context{.keys = static_cast<double>(n), .nTrain = policy.trainLength, .d = static_cast<int>(headSize), .measured = {}};
        return rowMultipliers(policy.method, context, rowKeys).map([](const std::vector<double>& all) { return std::vector<float>(all.begin(), all.end()); });
    };
    std::vector<std::int64_t> allowed;
    for (std::int64_t node = 0; node < nodes; ++node)
        allowed.push_back(std::max<std::int64_t>(1, n - node));
    auto encoder = scaleOf(policy.encoder, std::vector<std::int64_t>(static_cast<std::size_t>(nodes), n));
    auto decoder = scaleOf(policy.decoder, allowed);
    if (!encoder)
        return tl::unexpected(encoder.error());
    if (!decoder)
        return tl::unexpected(decoder.error());
    return ResolvedScale{std::move(*encoder), std::move(*decoder)};
}

Result<std::vector<std::vector<double>>> encodeNodes(const AttentionEncoder& encoder, Matrix& h, Index sets, const EncoderRequest& request)
{
    return EncoderRun(encoder, h, sets, request)();
}

}  // namespace attnscope

#include "core/model/sequence.h"

#include "core/attention/engines.h"
#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/model/feed_forward.h"

#include <algorithm>
#include <cassert>

namespace attnscope {

namespace {

constexpr Index tokensOfChunk = 512;

/// body(first, count) over chunks of tokens; false as soon as the body is.
template <class Body>
bool forChunks(Index tokens, const Body& body)
{
    for (Index first = 0; first < tokens; first += tokensOfChunk)
        if (!body(first, std::min(tokensOfChunk, tokens - first)))
            return false;
    return true;
}

void append(Matrix& all, const Matrix& more)
{
    const Index before = all.rows();
    all.conservativeResize(before + more.rows(), more.cols());
    all.bottomRows(more.rows()) = more;
}

bool allFinite(const std::vector<Matrix>& heads) { return std::ranges::all_of(heads, isFinite); }

}  // namespace

Sequence::Sequence(const Model& model, ResolvedPolicy policy, SequenceOptions options)
    : m_model(model), m_policy(std::move(policy)), m_options(std::move(options)),
      m_memory(m_options.remember ? model.layers.size() : 1)
{
}

Result<Matrix> Sequence::embed(std::span<const int> ids) const
{
    const Architecture& a = m_model.architecture;
    const Index size = m_model.embedding.columns;
    Matrix stream(static_cast<Index>(ids.size()), size);
    std::vector<float> room;
    const auto row = [&](const StoredMatrix& table, Index index) {
        return Eigen::Map<const Eigen::RowVectorXf>(table.floats(index, 1, room), size);
    };
    for (Index t = 0; t < stream.rows(); ++t) {
        const int id = ids[static_cast<size_t>(t)];
        if (id < 0 || id >= a.vocabulary)
            return failure(ErrorKind::DataError,
                           "token {} is not in the model's vocabulary of {}; the tokens were made for another model",
                           id, a.vocabulary);
        stream.row(t) = row(m_model.embedding, id) * static_cast<float>(a.embeddingFactor);
        if (m_policy.learnedPositions)
            stream.row(t) += row(m_model.positions, m_count + t);
        if (!m_model.tokenType.empty())
            stream.row(t) += Eigen::Map<const Eigen::RowVectorXf>(m_model.tokenType.data(), size);
    }
    m_model.embeddingNorm.apply(stream);
    if (m_model.embeddingMap.outputs() == 0)
        return stream;
    Matrix wider(stream.rows(), a.width);
    if (!apply(m_model.embeddingMap, stream, wider, false, m_options.stop))
        return stopped();
    return wider;
}

Result<Matrix> Sequence::append(std::span<const int> ids)
{
    const auto count = static_cast<std::int64_t>(ids.size());
    assert((m_options.remember || m_count == 0) &&
           (m_options.places.empty() || (!m_options.remember && m_options.places.size() == ids.size())));
    if (count == 0 || m_count + count > m_policy.length)
        return failure(ErrorKind::InvalidArgument, "a policy for n = {} cannot run {} tokens", m_policy.length,
                       m_count + count);
    TRY(m_model.files->check());
    Matrix stream = TRY(embed(ids));
    if (!isFinite(stream))
        return tl::unexpected(m_model.files->whyNotFinite(std::nullopt));
    for (size_t layer = 0; layer < m_model.layers.size(); ++layer) {
        Memory& memory = m_memory[m_options.remember ? layer : 0];
        TRY(runLayer(static_cast<int>(layer), stream, memory));
        if (!m_options.remember)
            memory = {};
        if (m_options.progress)
            m_options.progress(static_cast<double>(layer + 1) / static_cast<double>(m_model.layers.size()));
    }
    TRY(m_model.files->check());  // what was read meanwhile may not be what was there
    m_count += count;
    return stream;
}

/// Queries (H of (T, d)), keys and values (H_k of them) of the tokens of `stream`.
bool Sequence::project(const LayerSpec& spec, const LayerWeights& weights, const Matrix& stream, HeadSet& heads,
                       std::vector<Matrix>& values) const
{
    const Architecture& a = m_model.architecture;
    const Index tokens = stream.rows();
    const auto most = static_cast<float>(spec.clamp);
    heads.queries.assign(static_cast<size_t>(a.heads), Matrix(tokens, a.headSize));
    heads.keys.assign(static_cast<size_t>(a.keyHeads), Matrix(tokens, a.headSize));
    values.assign(static_cast<size_t>(a.keyHeads), Matrix(tokens, a.valueSize));
    return forChunks(tokens, [&](Index first, Index count) {
        Matrix normed = stream.middleRows(first, count);
        weights.beforeAttention.apply(normed);
        std::vector<Matrix> projected;
        projected.reserve(weights.projections.size());
        for (const Projection& projection : weights.projections) {
            const Matrix& input = projection.from < 0 ? normed : projected[static_cast<size_t>(projection.from)];
            Matrix& made = projected.emplace_back(count, projection.map.outputs());
            if (!apply(projection.map, input, made, false, m_options.stop))
                return false;
            if (most > 0 && made.allFinite())  // what is not finite is not hidden
                made = made.cwiseMin(most).cwiseMax(-most);
            projection.norm.apply(made);
        }
        const auto take = [&](std::vector<Matrix>& target, const std::vector<HeadPart>& parts) {
            for (size_t h = 0; h < target.size(); ++h) {
                Index at = 0;
                for (const HeadPart& part : parts) {
                    target[h].block(first, at, count, part.count) =
                        projected[part.projection].middleCols(part.at(static_cast<Index>(h)), part.count);
                    at += part.count;
                }
            }
        };
        take(heads.queries, weights.query);
        take(heads.keys, weights.key);
        take(values, weights.value);
        return true;
    });
}

/// The heads' outputs beside each other, (T, H d).
Result<Matrix> Sequence::attend(int layer, HeadSet heads, const std::vector<Matrix>& values) const
{
    const LayerRule& rule = *m_policy.layers[static_cast<size_t>(layer)];
    const Index d = m_model.architecture.valueSize, tokens = heads.queryCount();
    const Engine* engine = TRY(chooseEngine(m_options.engine));
    AttentionSpec spec = rule.spec;
    if (!m_options.places.empty())
        TRY(turnTo(m_options.places, heads, spec));
    const std::vector<AttentionHead> prepared = TRY(prepareHeads(std::move(heads), spec));
    Matrix mixed(tokens, d * static_cast<Index>(prepared.size()));
    for (size_t h = 0; h < prepared.size(); ++h) {
        const AttendRequest request{
            .normaliser = rule.normaliser(h),
            .scale = rule.scale(h).subspan(static_cast<size_t>(m_count), static_cast<size_t>(tokens)),
            .values = values[h * values.size() / prepared.size()],
            .output = mixed.middleCols(static_cast<Index>(h) * d, d),
            .firstRow = 0,
            .parallel = tokens > 1};
        TRY(engine->attend(prepared[h], request, m_options.stop));
    }
    return mixed;
}

/// What comes after the heads, in the order of the layer's norms (architecture.h).
bool Sequence::feed(const LayerSpec& spec, const LayerWeights& weights, const Matrix& mixed, Matrix& stream) const
{
    const bool ofTheSum = spec.norms == NormPlace::OfTheSum;
    const auto factor = static_cast<float>(spec.residualFactor);
    return forChunks(stream.rows(), [&](Index first, Index count) {
        auto here = stream.middleRows(first, count);
        Matrix added(count, here.cols());
        const auto join = [&](const NormWeights& after) {
            if (!ofTheSum)
                after.apply(added);
            if (factor == 1)
                here += added;
            else
                here += factor * added;
            if (ofTheSum)
                after.apply(here);
        };
        if (!apply(weights.output, mixed.middleRows(first, count), added, false, m_options.stop))
            return false;
        Matrix normed = here;
        join(weights.afterAttention);
        if (!spec.parallel)
            normed = here;
        weights.beforeFeed.apply(normed);
        if (!feedForward(spec, weights, normed, added, m_options.stop))
            return false;
        join(weights.afterFeed);
        return true;
    });
}

Result<void> Sequence::runLayer(int layer, Matrix& stream, Memory& memory) const
{
    const LayerSpec& spec = m_model.architecture.specs[static_cast<size_t>(layer)];
    const LayerWeights& weights = m_model.layers[static_cast<size_t>(layer)];
    HeadSet heads;
    std::vector<Matrix> values;
    if (!project(spec, weights, stream, heads, values))
        return stopped();
    // what is not finite would be taken for a masked key: nothing is made of it
    if (!allFinite(heads.queries) || !allFinite(heads.keys) || !allFinite(values))
        return tl::unexpected(m_model.files->whyNotFinite(layer));
    if (m_options.remember) {
        memory.keys.resize(heads.keys.size());
        memory.values.resize(values.size());
        for (size_t h = 0; h < values.size(); ++h) {
            attnscope::append(memory.keys[h], heads.keys[h]);
            attnscope::append(memory.values[h], values[h]);
        }
        heads.keys = memory.keys;
        values = memory.values;
    }
    if (m_options.observe)
        TRY(m_options.observe({layer, heads, m_count, m_options.places}));
    const Matrix mixed = TRY(attend(layer, std::move(heads), values));
    if (!feed(spec, weights, mixed, stream))
        return stopped();
    if (!isFinite(stream))
        return tl::unexpected(m_model.files->whyNotFinite(layer));
    return {};
}

Result<void> turnTo(std::span<const std::int64_t> places, HeadSet& heads, AttentionSpec& spec)
{
    const auto position = TRY(findRow(positions(), spec.position.id, "position"));
    const auto mask = TRY(findRow(masks(), spec.mask.id, "mask"));
    if (position->hasBias() || position->distanceCap || mask->distanceCap)
        return failure(ErrorKind::InvalidArgument,
                       "{} under the mask {} counts distances from token to token, and these tokens have positions of "
                       "their own; choose rope, pi, ntk or yarn_rope, and the causal mask",
                       position->label, mask->label);
    assert(std::ssize(places) == heads.keyCount() && heads.queryCount() <= heads.keyCount());
    if (position->frequencies) {
        const Rotation by = rotationOf(*position, spec.position, heads.headSize());
        for (Matrix& key : heads.keys)
            rotate(key, places, by.frequencies, by.pairing, by.factor);
        for (Matrix& query : heads.queries)
            rotate(query, places.last(static_cast<size_t>(query.rows())), by.frequencies, by.pairing, by.factor);
    }
    spec.position = {"none", {}, {}};
    return {};
}

}  // namespace attnscope

#include "core/tuning/head_backward.h"

#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/networks/llama.h"
#include "core/learn/parallel.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace attnscope {

namespace {

constexpr Index rowsOfTurn = 64;

/// Floats that a pass may hold: 2 GiB.
constexpr double mostFloats = 1 << 29;

tl::unexpected<Error> notOnTape(const std::string& what) { return failure(ErrorKind::Unavailable, what); }

// --- the model ---------------------------------------------------------------------------------------------------

bool isPlain(const Linear& map) { return map.bias.empty() && !map.inputFirst; }
bool isRms(const NormWeights& norm, double epsilon)
{
    return !norm.none() && norm.norm == Norm::Rms && norm.epsilon == epsilon;
}

/// What of the model learn::Llama has not; empty: nothing.
std::string unlikeLlama(const Model& model)
{
    const Architecture& a = model.architecture;
    if (a.valueSize != a.headSize || a.headSize % 2 != 0)
        return "values of another size than its keys, or heads of an odd one";
    if (a.norm != Norm::Rms || !isRms(model.finalNorm, a.epsilon) || !model.embeddingNorm.none())
        return "norms other than RMS";
    if (a.embeddingFactor != 1 || a.outputFactor != 1 || a.outputCap != 0 || a.learnedPositions > 0 ||
        a.embeddingSize > 0 || !model.tokenType.empty() || model.headTransform.map.outputs() > 0 ||
        !isPlain(model.head))
        return "embeddings, or a last map, other than Llama's";
    for (std::size_t layer = 0; layer < a.specs.size(); ++layer) {
        const LayerSpec& spec = a.specs[layer];
        const LayerWeights& weights = model.layers[layer];
        if (spec.norms != NormPlace::Before || spec.parallel || spec.residualFactor != 1 ||
            !weights.afterAttention.none() || !weights.afterFeed.none() || !isRms(weights.beforeAttention, a.epsilon) ||
            !isRms(weights.beforeFeed, a.epsilon))
            return "layers whose norms and sums stand elsewhere";
        if (spec.experts || !spec.gated || spec.activation != Activation::Silu || spec.inner != a.specs.front().inner ||
            weights.feed.layout != GateLayout::Apart || !isPlain(weights.feed.gate) || !isPlain(weights.feed.up) ||
            !isPlain(weights.feed.down))
            return "another feed-forward than SwiGLU without biases";
        const bool ownNorms = spec.headNorm == HeadNorm::EachHead;
        if (spec.latent || spec.logitCap != 0 || spec.clamp != 0 ||
            weights.projections[weights.query.front().projection].norm.none() == ownNorms ||
            weights.projections[weights.key.front().projection].norm.none() == ownNorms || !spec.sinks.empty() ||
            !isPlain(weights.output) || (spec.headNorm != HeadNorm::None && spec.headNorm != HeadNorm::EachHead) ||
            spec.headNorm != a.specs.front().headNorm ||
            !std::ranges::all_of(weights.projections, [&](const Projection& projection) {
                return projection.from < 0 && isPlain(projection.map) &&
                       (projection.norm.none() ||
                        (isRms(projection.norm, a.epsilon) && std::ssize(projection.norm.weight) == a.headSize));
            }))
            return "queries, keys and values other than Llama's";
    }
    return {};
}

learn::LlamaShape shapeOf(const Architecture& a)
{
    return {.layers = a.layers,
            .width = a.width,
            .inner = a.specs.front().inner,
            .heads = a.heads,
            .keyHeads = a.keyHeads,
            .vocabulary = a.vocabulary,
            .epsilon = a.epsilon,
            .causal = a.causal,
            .tied = a.tiedEmbeddings,
            .alpha = a.specs.front().headNorm == HeadNorm::EachHead ? 1.0 : 0.0,  // whose gains are put in
            .size = a.headSize};
}

void copyRows(const StoredMatrix& from, Index first, Index count, learn::Matrix& to, Index at)
{
    std::vector<float> room;
    to.middleRows(at, count) = Eigen::Map<const learn::Matrix>(from.floats(first, count, room), count, from.columns);
}

void copyHeads(const LayerWeights& weights, const std::vector<HeadPart>& parts, int heads, learn::Matrix& to)
{
    Index at = 0;
    for (Index head = 0; head < heads; ++head)
        for (const HeadPart& part : parts) {
            copyRows(weights.projections[part.projection].map.weight, part.at(head), part.count, to, at);
            at += part.count;
        }
}

/// The model's numbers under the tape's names. Nothing learns here.
void fillFrom(const Model& model, learn::Llama& llama)
{
    const Architecture& a = model.architecture;
    std::map<std::string, learn::Matrix*> named;
    for (learn::Weight* weight : llama.weights()) {
        weight->trained = false;
        weight->gradient.resize(0, 0);
        named[weight->name] = &weight->value;
    }
    const auto copyAll = [&](const StoredMatrix& from, const std::string& name) {
        copyRows(from, 0, from.rows, *named.at(name + ".weight"), 0);
    };
    const auto copyNorm = [&](const NormWeights& from, const std::string& name) {
        *named.at(name + ".weight") = Eigen::Map<const learn::Matrix>(from.weight.data(), 1, std::ssize(from.weight));
    };
    copyAll(model.embedding, "model.embed_tokens");
    copyNorm(model.finalNorm, "model.norm");
    if (!a.tiedEmbeddings)
        copyAll(model.head.weight, "lm_head");
    for (int layer = 0; layer < a.layers; ++layer) {
        const LayerWeights& weights = model.layers[static_cast<std::size_t>(layer)];
        const std::string name = "model.layers." + std::to_string(layer) + ".";
        copyNorm(weights.beforeAttention, name + "input_layernorm");
        copyHeads(weights, weights.query, a.heads, *named.at(name + "self_attn.q_proj.weight"));
        copyHeads(weights, weights.key, a.keyHeads, *named.at(name + "self_attn.k_proj.weight"));
        copyHeads(weights, weights.value, a.keyHeads, *named.at(name + "self_attn.v_proj.weight"));
        if (llama.shape().alpha > 0) {
            copyNorm(weights.projections[weights.query.front().projection].norm, name + "self_attn.q_norm");
            copyNorm(weights.projections[weights.key.front().projection].norm, name + "self_attn.k_norm");
        }
        copyAll(weights.output.weight, name + "self_attn.o_proj");
        copyNorm(weights.beforeFeed, name + "post_attention_layernorm");
        copyAll(weights.feed.gate.weight, name + "mlp.gate_proj");
        copyAll(weights.feed.up.weight, name + "mlp.up_proj");
        copyAll(weights.feed.down.weight, name + "mlp.down_proj");
    }
}

// --- a layer's attention -----------------------------------------------------------------------------------------

/// x (n, heads d), each head's part of row i turned as if it stood at places[i]. Its transpose turns back.
learn::Var turned(learn::Tape& tape, learn::Var x, Index heads, const Rotation& by,
                  const std::shared_ptr<const std::vector<std::int64_t>>& places)
{
    const Index rows = tape.rows(x), d = tape.columns(x) / heads;
    const auto turn = [=](learn::ConstMatrixView from, learn::MatrixView to, const std::vector<double>& frequencies,
                          bool accumulate) {
        learn::forChunks(rows, rowsOfTurn, [&](Index begin, Index end, Index) {
            const auto here =
                std::span(*places).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
            for (Index head = 0; head < heads; ++head) {
                Matrix block = from.block(begin, head * d, end - begin, d);
                rotate(block, here, frequencies, by.pairing, by.factor);
                auto target = to.block(begin, head * d, end - begin, d);
                if (accumulate)
                    target += block;
                else
                    target = block;
            }
        });
    };
    std::vector<double> back = by.frequencies;
    std::ranges::transform(back, back.begin(), std::negate());
    const learn::Var y = tape.node(rows, heads * d, {x}, [=, out = tape.nextNode()](learn::Tape& t) {
        const learn::Tape::Slot dx = t.slot(x);
        turn(t.gradient(out), dx.view, back, dx.accumulate);
    });
    turn(tape.value(x), tape.fill(y), by.frequencies, false);
    return y;
}

/// x (n, heads d), each head's part of row i times m(i, head).
learn::Var timesOfHeads(learn::Tape& tape, learn::Var x, learn::Var m)
{
    const Index rows = tape.rows(x), heads = tape.columns(m), d = tape.columns(x) / heads;
    const learn::Var y = tape.node(rows, heads * d, {x, m}, [=, out = tape.nextNode()](learn::Tape& t) {
        learn::Matrix dx(rows, heads * d), dm(rows, heads);
        for (Index i = 0; i < rows; ++i)
            for (Index head = 0; head < heads; ++head) {
                const auto g = t.gradient(out).row(i).segment(head * d, d);
                dx.row(i).segment(head * d, d) = t.value(m)(i, head) * g;
                dm(i, head) = g.dot(t.value(x).row(i).segment(head * d, d));
            }
        t.addGradient(x, dx);
        t.addGradient(m, dm);
    });
    for (Index i = 0; i < rows; ++i)
        for (Index head = 0; head < heads; ++head)
            tape.fill(y).row(i).segment(head * d, d) =
                tape.value(m)(i, head) * tape.value(x).row(i).segment(head * d, d);
    return y;
}

/// What the rows of the mask see, as the tape's attention says it: all keys, those up to the row, or a window that ends
/// there.
std::optional<learn::SelfAttention> seenAs(const Choice& choice, std::int64_t n)
{
    const auto mask = checkedMask(choice);
    if (!mask)
        return std::nullopt;
    const Parameters parameters(**mask, choice);
    const auto seen = [&](std::int64_t row) { return (*mask)->visible(row, n, parameters); };
    const auto everyRow = [&](const auto& expected) {
        for (std::int64_t row = 0; row < n; ++row) {
            const VisibleKeys keys = seen(row);
            if (keys.begin - keys.sinkEnd > 0 && keys.sinkEnd > 0)
                return false;
            const std::int64_t begin = keys.sinkEnd > 0 ? 0 : keys.begin;
            if (std::pair(begin, keys.end) != expected(row))
                return false;
        }
        return true;
    };
    if (everyRow([&](std::int64_t) { return std::pair(std::int64_t{0}, n); }))
        return learn::SelfAttention{.causal = false};
    const std::int64_t window = seen(n - 1).count();
    if (everyRow([&](std::int64_t row) { return std::pair(std::max<std::int64_t>(0, row - window + 1), row + 1); }))
        return learn::SelfAttention{.causal = true, .window = window < n ? window : 0};
    return std::nullopt;
}

/// One layer's rule, as the tape has it.
struct TapeRule {
    std::optional<Rotation> rotation;  ///< nothing: queries and keys are not turned
    learn::SelfAttention attention;
};

Result<TapeRule> tapeRule(const LayerRule& rule, const Architecture& a, std::int64_t n)
{
    const AttentionSpec& spec = rule.spec;
    if (spec.kernel.id != "dot" || spec.normaliser.id != "softmax" || !rule.sinks.empty() || spec.softCap != 0)
        return notOnTape("its rows are not made by softmax of q.k alone");
    const Position* position = TRY(findRow(positions(), spec.position.id, "position"));
    if (position->hasBias() || position->distanceCap)
        return notOnTape("the positions " + spec.position.id + " do not only turn queries and keys");
    const auto attention = seenAs(spec.mask, n);
    if (!attention)
        return notOnTape("the mask " + spec.mask.id + " shows a row more than one range of keys");
    TapeRule made{.rotation = {}, .attention = *attention};
    made.attention.heads = a.heads;
    made.attention.keyHeads = a.keyHeads;
    made.attention.scale = {1 / std::sqrt(static_cast<float>(a.headSize))};
    if (position->frequencies)
        made.rotation = rotationOf(*position, spec.position, a.headSize);
    return made;
}

// --- the pass ----------------------------------------------------------------------------------------------------

class BackwardPass {
public:
    explicit BackwardPass(const Model& model)
        : m_model(model.architecture), m_llama(shapeOf(model.architecture), std::nullopt)
    {
        fillFrom(model, m_llama);
        for (const learn::Weight* weight : m_llama.weights())
            m_floats += 2 * static_cast<double>(weight->value.size());  // with the tape's copy
    }

    Result<WindowSlopes> operator()(const Policy& policy, const Window& window, std::int64_t last)
    {
        const auto n = std::ssize(window.inputs);
        std::vector<int> rows, targets;  // of the predictions that count and are asked for
        for (auto t = n - countedOf(m_model, n, last); t < n; ++t)
            if (const int target = window.targets[static_cast<std::size_t>(t)]; target >= 0) {
                rows.push_back(static_cast<int>(t));
                targets.push_back(target);
            }
        TRY(check(window, std::ssize(rows)));
        const ResolvedPolicy resolved = TRY(resolve(withDocuments(policy, m_model, window.inputs), m_model, n));
        std::vector<TapeRule> rules;
        std::vector<learn::Weight> multipliers;  // of each layer: (n, heads)
        for (const auto& rule : resolved.layers) {
            rules.push_back(TRY(tapeRule(*rule, m_model, n)));
            learn::Weight& m = multipliers.emplace_back("m", n, m_model.heads);
            for (Index head = 0; head < m_model.heads; ++head)
                for (Index i = 0; i < n; ++i)
                    m.value(i, head) =
                        static_cast<float>(rule->scale(static_cast<std::size_t>(head))[static_cast<std::size_t>(i)]);
        }
        auto places = std::make_shared<std::vector<std::int64_t>>(window.places);
        if (places->empty()) {
            places->resize(static_cast<std::size_t>(n));
            std::iota(places->begin(), places->end(), 0);
        }
        m_tape.clear();
        const auto attend = [&](learn::Tape& tape, Index layer, learn::Var q, learn::Var k, learn::Var v) {
            const TapeRule& rule = rules[static_cast<std::size_t>(layer)];
            if (rule.rotation) {
                q = turned(tape, q, m_model.heads, *rule.rotation, places);
                k = turned(tape, k, m_model.keyHeads, *rule.rotation, places);
            }
            q = timesOfHeads(tape, q, tape.weight(multipliers[static_cast<std::size_t>(layer)]));
            return selfAttention(tape, q, k, v, rule.attention);
        };
        const learn::Var logits = m_llama(m_tape, window.inputs, 1, {.rows = rows, .attend = attend});
        const learn::Var loss = tokenLoss(m_tape, logits, targets).loss;
        m_tape.backward(loss);
        WindowSlopes slopes{.loss = static_cast<double>(m_tape.value(loss)(0, 0)), .gradients = {}};
        if (!std::isfinite(slopes.loss))
            return notOnTape("its numbers are not finite");
        for (const learn::Weight& m : multipliers) {
            std::vector<double>& layer = slopes.gradients.emplace_back();
            for (Index head = 0; head < m_model.heads; ++head)
                layer.push_back(m.gradient.col(head).cast<double>().dot(m.value.col(head).cast<double>()));
        }
        return slopes;
    }

private:
    Result<void> check(const Window& window, std::ptrdiff_t asked) const
    {
        if (asked == 0)
            return notOnTape("nothing is asked for in a window");
        if (std::ranges::any_of(window.inputs, [&](int id) { return id < 0 || id >= m_model.vocabulary; }) ||
            std::ranges::any_of(window.targets, [&](int id) { return id >= m_model.vocabulary; }))
            return notOnTape("a token lies beyond the vocabulary");
        const double perToken = m_model.layers * (6.0 * m_model.width + 8.0 * m_model.heads * m_model.headSize +
                                                  3.0 * m_model.specs.front().inner),
                     floats = m_floats + 2 * (static_cast<double>(window.inputs.size()) * perToken +
                                              static_cast<double>(asked) * m_model.vocabulary);
        if (floats > mostFloats)
            return notOnTape("a pass would hold more than 2 GiB");
        return {};
    }

    Architecture m_model;
    learn::Llama m_llama;
    learn::Tape m_tape;
    double m_floats = 0;
};

}  // namespace

Result<HeadBackward> headBackward(const Model& model)
{
    if (const std::string what = unlikeLlama(model); !what.empty())
        return notOnTape("the model has " + what);
    if (2.0 * static_cast<double>(model.parameters) > mostFloats)
        return notOnTape("its weights alone would take more than 2 GiB");
    return [pass = std::make_shared<BackwardPass>(model)](const Policy& policy, const Window& window,
                                                          std::int64_t last) { return (*pass)(policy, window, last); };
}

}  // namespace attnscope

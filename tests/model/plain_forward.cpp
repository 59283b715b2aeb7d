// The forward pass of the published families, one number after another in double precision.

#include "tests/model/small_models.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

class Plain {
public:
    Plain(const SmallModel& model, const PlainPolicy& policy)
        : m_model(model), m_policy(policy), m_type(model.config["model_type"].get<std::string>())
    {
    }

    Rows operator()(const std::vector<int>& ids) const
    {
        const bool gpt = m_type == "gpt2", neox = m_type == "gpt_neox", gemma2 = m_type == "gemma2";
        const std::string embedding = gpt    ? "wte.weight"
                                      : neox ? "gpt_neox.embed_in.weight"
                                             : "model.embed_tokens.weight";
        Rows stream;
        for (std::size_t t = 0; t < ids.size(); ++t) {
            stream.push_back(row(embedding, ids[t]));
            for (std::size_t c = 0; c < stream[t].size(); ++c)
                stream[t][c] = stream[t][c] * (isGemma() ? std::sqrt(static_cast<double>(stream[t].size()))
                                                         : m_model.config.value("embedding_multiplier", 1.0)) +
                               (gpt ? row("wpe.weight", static_cast<int>(t))[c] : 0);
        }
        const int layers = number(gpt ? "n_layer" : "num_hidden_layers");
        for (int l = 0; l < layers; ++l)
            layer(stream, l);
        Rows logits;
        const std::string head = gpt                                                  ? "wte.weight"
                                 : neox                                               ? "embed_out.weight"
                                 : m_model.config.value("tie_word_embeddings", false) ? embedding
                                                                                      : "lm_head.weight";
        for (const Vector& h : stream) {
            logits.push_back(times(head, norm(gpt ? "ln_f" : neox ? "gpt_neox.final_layer_norm" : "model.norm", h)));
            for (double& z : logits.back())
                z = gemma2 ? 3 * std::tanh(z / 3) : z / m_model.config.value("logits_scaling", 1.0);
        }
        return logits;
    }

private:
    bool isGemma() const { return m_type.starts_with("gemma"); }
    int number(const char* key) const { return m_model.config[key].get<int>(); }
    const SmallTensor& tensor(const std::string& name) const { return m_model.tensors.at(name); }
    bool has(const std::string& name) const { return m_model.tensors.count(name) > 0; }
    Vector row(const std::string& name, int index) const
    {
        const SmallTensor& t = tensor(name);
        const auto columns = static_cast<std::size_t>(t.shape[1]);
        const auto begin = t.values.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(index) * columns);
        return {begin, begin + static_cast<std::ptrdiff_t>(columns)};
    }
    /// W x for W (out, in).
    Vector times(const std::string& name, const Vector& x) const
    {
        Vector y;
        for (int o = 0; o < static_cast<int>(tensor(name).shape[0]); ++o) {
            const Vector w = row(name, o);
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i)
                sum += w[i] * x[i];
            y.push_back(sum);
        }
        return y;
    }
    /// W x + b; GPT-2's W is (in, out).
    Vector linear(const std::string& name, const Vector& x) const
    {
        Vector y;
        if (m_type == "gpt2") {
            y.assign(static_cast<std::size_t>(tensor(name + ".weight").shape[1]), 0);
            for (std::size_t i = 0; i < x.size(); ++i) {
                const Vector w = row(name + ".weight", static_cast<int>(i));
                for (std::size_t o = 0; o < y.size(); ++o)
                    y[o] += w[o] * x[i];
            }
        } else {
            y = times(name + ".weight", x);
        }
        if (has(name + ".bias"))
            for (std::size_t o = 0; o < y.size(); ++o)
                y[o] += static_cast<double>(tensor(name + ".bias").values[o]);
        return y;
    }
    Vector norm(const std::string& name, Vector x) const
    {
        const SmallTensor& weight = tensor(name + ".weight");
        const bool centred = has(name + ".bias");
        double mean = 0, square = 0;
        for (const double v : x)
            mean += centred ? v / static_cast<double>(x.size()) : 0;
        for (const double v : x)
            square += (v - mean) * (v - mean) / static_cast<double>(x.size());
        const double epsilon = m_model.config.value("rms_norm_eps", 1e-5);
        for (std::size_t c = 0; c < x.size(); ++c)
            x[c] = (x[c] - mean) / std::sqrt(square + epsilon) *
                       (static_cast<double>(weight.values[c]) + (isGemma() ? 1 : 0)) +
                   (centred ? static_cast<double>(tensor(name + ".bias").values[c]) : 0);
        return x;
    }
    static Vector plus(Vector a, const Vector& b)
    {
        for (std::size_t c = 0; c < a.size(); ++c)
            a[c] += b[c];
        return a;
    }
    static Vector times(double factor, Vector x)
    {
        for (double& v : x)
            v *= factor;
        return x;
    }
    double activation(double x) const
    {
        if (m_type == "gpt2" || isGemma())
            return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
        return m_type == "gpt_neox" ? 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))) : x / (1 + std::exp(-x));
    }
    /// Softmax of all the router's numbers; the two largest are taken, and their weights made a sum of 1.
    Vector experts(const std::string& name, const Vector& x) const
    {
        const bool mixtral = m_type == "mixtral";
        Vector weights = times(name + "gate.weight", x);
        for (double& w : weights)
            w = std::exp(w);
        Vector sorted = weights;
        std::sort(sorted.rbegin(), sorted.rend());
        Vector sum(x.size(), 0);
        for (std::size_t e = 0; e < weights.size(); ++e) {
            if (weights[e] < sorted[1])
                continue;
            const std::string expert = name + "experts." + std::to_string(e) + ".";
            Vector up = times(expert + (mixtral ? "w3" : "up_proj") + ".weight", x);
            const Vector gate = times(expert + (mixtral ? "w1" : "gate_proj") + ".weight", x);
            for (std::size_t c = 0; c < up.size(); ++c)
                up[c] *= activation(gate[c]) * weights[e] / (sorted[0] + sorted[1]);
            sum = plus(sum, times(expert + (mixtral ? "w2" : "down_proj") + ".weight", up));
        }
        return sum;
    }
    Vector feed(const std::string& layer, const Vector& x) const
    {
        if (m_type == "mixtral" || m_type == "qwen3_moe")
            return experts(layer + (m_type == "mixtral" ? "block_sparse_moe." : "mlp."), x);
        const bool gpt = m_type == "gpt2", neox = m_type == "gpt_neox";
        Vector up = linear(layer + (gpt ? "mlp.c_fc" : neox ? "mlp.dense_h_to_4h" : "mlp.up_proj"), x);
        const Vector gate = gpt || neox ? up : linear(layer + "mlp.gate_proj", x);
        for (std::size_t c = 0; c < up.size(); ++c)
            up[c] = activation(gate[c]) * (gpt || neox ? 1 : up[c]);
        return linear(layer + (gpt ? "mlp.c_proj" : neox ? "mlp.dense_4h_to_h" : "mlp.down_proj"), up);
    }
    /// Does the layer see a window?
    bool slides(int layer) const
    {
        return m_type == "mistral" || (m_type == "gemma2" && layer % 2 == 0) ||
               (m_type == "gemma3_text" && (layer + 1) % number("sliding_window_pattern") != 0);
    }
    /// Angle per token of pair p of `turned` coordinates.
    double angle(int p, int turned, int layer) const
    {
        const bool local = m_type == "gemma3_text" && slides(layer);
        const double plain =
            std::pow(m_model.config.value(local ? "rope_local_base_freq" : "rope_theta", 10000.0), -2.0 * p / turned) /
            m_policy.stretch;
        if (!m_model.config.contains("rope_scaling") || local)
            return plain;
        const auto& scaling = m_model.config["rope_scaling"];  // Llama 3.1, or one factor for all
        if (!scaling.contains("low_freq_factor"))
            return plain / scaling["factor"].get<double>();
        const double length = scaling["original_max_position_embeddings"], factor = scaling["factor"],
                     low = scaling["low_freq_factor"], high = scaling["high_freq_factor"];
        const double wave = 2 * std::numbers::pi / plain;
        if (wave < length / high)
            return plain;
        if (wave > length / low)
            return plain / factor;
        const double smooth = (length / wave - low) / (high - low);
        return (1 - smooth) * plain / factor + smooth * plain;
    }
    /// Half-split pairs of the first `turned` coordinates.
    void turn(Vector& x, int place, int turned, int layer) const
    {
        if (m_type == "smollm3" && m_model.config["no_rope_layers"][static_cast<std::size_t>(layer)] == 0)
            return;
        for (int p = 0; p < turned / 2; ++p) {
            const auto a = static_cast<std::size_t>(p), b = static_cast<std::size_t>(p + turned / 2);
            const std::complex<double> z = std::complex(x[a], x[b]) * std::polar(1.0, angle(p, turned, layer) * place);
            x[a] = z.real();
            x[b] = z.imag();
        }
    }
    void layer(Rows& stream, int l) const
    {
        const bool gpt = m_type == "gpt2", neox = m_type == "gpt_neox", around = isGemma() && m_type != "gemma",
                   olmo = m_type == "olmo2";
        const std::string name = (gpt ? "h." : neox ? "gpt_neox.layers." : "model.layers.") + std::to_string(l) + ".";
        const int heads = number(gpt ? "n_head" : "num_attention_heads");
        const int width = static_cast<int>(stream[0].size());
        const int d = m_model.config.value("head_dim", width / heads),
                  keyHeads = m_model.config.value("num_key_value_heads", heads);
        const int turned = gpt ? 0 : neox ? static_cast<int>(d * m_model.config["rotary_pct"].get<double>()) : d;

        // [head][token]
        std::vector<Rows> q(static_cast<std::size_t>(heads)), k(static_cast<std::size_t>(keyHeads)), v = k;
        for (std::size_t t = 0; t < stream.size(); ++t) {
            const Vector x = olmo ? stream[t] : norm(name + (gpt ? "ln_1" : "input_layernorm"), stream[t]);
            const auto cut = [&](const Vector& all, int begin) {
                return Vector(all.begin() + begin, all.begin() + begin + d);
            };
            if (gpt || neox) {
                const Vector all = linear(name + (gpt ? "attn.c_attn" : "attention.query_key_value"), x);
                for (int h = 0; h < heads; ++h) {
                    q[static_cast<std::size_t>(h)].push_back(cut(all, gpt ? h * d : 3 * h * d));
                    k[static_cast<std::size_t>(h)].push_back(cut(all, gpt ? width + h * d : 3 * h * d + d));
                    v[static_cast<std::size_t>(h)].push_back(cut(all, gpt ? 2 * width + h * d : 3 * h * d + 2 * d));
                }
            } else {
                Vector queries = linear(name + "self_attn.q_proj", x), keys = linear(name + "self_attn.k_proj", x);
                const Vector values = linear(name + "self_attn.v_proj", x);
                if (olmo) {  // over all heads together
                    queries = norm(name + "self_attn.q_norm", queries);
                    keys = norm(name + "self_attn.k_norm", keys);
                }
                const bool normed = !olmo && has(name + "self_attn.q_norm.weight");
                for (int h = 0; h < heads; ++h)
                    q[static_cast<std::size_t>(h)].push_back(
                        normed ? norm(name + "self_attn.q_norm", cut(queries, h * d)) : cut(queries, h * d));
                for (int h = 0; h < keyHeads; ++h) {
                    k[static_cast<std::size_t>(h)].push_back(normed ? norm(name + "self_attn.k_norm", cut(keys, h * d))
                                                                    : cut(keys, h * d));
                    v[static_cast<std::size_t>(h)].push_back(cut(values, h * d));
                }
            }
            for (Rows& head : q)
                turn(head[t], static_cast<int>(t), turned, l);
            for (Rows& head : k)
                turn(head[t], static_cast<int>(t), turned, l);
        }
        const int window = slides(l) ? number("sliding_window") : 1 << 30;
        const double scale = m_model.config.value(
            "attention_multiplier", 1 / std::sqrt(around ? number("query_pre_attn_scalar") : static_cast<double>(d)));
        const double residual = m_model.config.value("residual_multiplier", 1.0);
        Rows next;
        for (int t = 0; t < static_cast<int>(stream.size()); ++t) {
            Vector mixed;
            for (int h = 0; h < heads; ++h) {
                const auto group = static_cast<std::size_t>(h * keyHeads / heads);
                const Vector out = attended(q[static_cast<std::size_t>(h)][static_cast<std::size_t>(t)], k[group],
                                            v[group], std::max(0, t - window + 1), t, scale * m_policy.multiplier(t));
                mixed.insert(mixed.end(), out.begin(), out.end());
            }
            const Vector& before = stream[static_cast<std::size_t>(t)];
            Vector added = linear(name + (gpt ? "attn.c_proj" : neox ? "attention.dense" : "self_attn.o_proj"), mixed);
            if (around || olmo)
                added = norm(name + "post_attention_layernorm", added);
            Vector h = plus(before, times(residual, added));
            const Vector normed = olmo ? h
                                       : norm(name + (gpt      ? "ln_2"
                                                      : around ? "pre_feedforward_layernorm"
                                                               : "post_attention_layernorm"),
                                              neox ? before : h);
            added = feed(name, normed);
            if (around || olmo)
                added = norm(name + "post_feedforward_layernorm", added);
            next.push_back(plus(h, times(residual, added)));
        }
        stream = next;
    }
    Vector attended(const Vector& q, const Rows& k, const Rows& v, int begin, int end, double scale) const
    {
        const double cap = m_model.config.value("attn_logit_softcapping", 0.0);
        Vector out(q.size(), 0), logits;
        for (int j = begin; j <= end; ++j) {
            double z = 0;
            for (std::size_t c = 0; c < q.size(); ++c)
                z += scale * q[c] * k[static_cast<std::size_t>(j)][c];
            logits.push_back(cap > 0 ? cap * std::tanh(z / cap) : z);
        }
        const double top = *std::max_element(logits.begin(), logits.end());
        double sum = 0;
        for (const double z : logits)
            sum += std::exp(z - top);
        for (int j = begin; j <= end; ++j)
            for (std::size_t c = 0; c < out.size(); ++c)
                out[c] += std::exp(logits[static_cast<std::size_t>(j - begin)] - top) / sum *
                          v[static_cast<std::size_t>(j)][c];
        return out;
    }

    const SmallModel& m_model;
    const PlainPolicy& m_policy;
    std::string m_type;
};

}  // namespace

std::vector<std::vector<double>> plainLogits(const SmallModel& model, const std::vector<int>& ids,
                                             const PlainPolicy& policy)
{
    return Plain(model, policy)(ids);
}

double plainLoss(const std::vector<double>& logits, int next)
{
    const double top = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const double z : logits)
        sum += std::exp(z - top);
    return top + std::log(sum) - logits[static_cast<std::size_t>(next)];
}

// Qwen 2 (biases on queries, keys and values), Qwen 3 (norms of every query and key) and their mixtures of
// experts (arXiv 2407.10671, 2505.09388); transformers, models/qwen2, models/qwen2_moe, models/qwen3, models/qwen3_moe.

#include "core/model/families/families.h"

#include <algorithm>

namespace attnscope::family {

namespace {

/// Which layers have a window where use_sliding_window is set: those from max_window_layers on; of Qwen 2 MoE every
/// other one before it; of Qwen 3 MoE all, whose modeling_qwen3_moe.py has one mask.
enum class QwenWindows { From, EveryOtherBefore, All };

void qwenWindows(ConfigReader& config, QwenWindows which)
{
    const bool used = config.flag("use_sliding_window", false);
    const int from = config.whole("max_window_layers", 28, 0, ConfigReader::mostLayers);
    config.windows(4096, [&](int layer) {
        if (which == QwenWindows::EveryOtherBefore)
            return layer % 2 == 0 && layer < from;
        return which == QwenWindows::All || layer >= from;
    });
    if (!used)
        config.everyLayer([](LayerSpec& spec) { spec.mask = LayerSpec{}.mask; });
}

struct QwenDefaults {
    int inner = 22016, keyHeads = 32, headSize = 0;
    bool biases = false;
    QwenWindows windows = QwenWindows::From;
    HeadNorm headNorm = HeadNorm::None;
};

void qwenConfig(ConfigReader& config, const QwenDefaults& defaults)
{
    llamaLike::sizes(config, {.inner = defaults.inner, .keyHeads = defaults.keyHeads, .headSize = defaults.headSize});
    config.biases();
    config.everyLayer([&](LayerSpec& spec) {
        spec.queryKeyBias = defaults.biases || spec.queryKeyBias;
        spec.headNorm = defaults.headNorm;
    });
    qwenWindows(config, defaults.windows);
    config.mayBeEncoder();
    config.rotaryEverywhere();
}

void qwen2Config(ConfigReader& config) { qwenConfig(config, {.biases = true}); }

void qwen3Config(ConfigReader& config) { qwenConfig(config, {.headSize = 128, .headNorm = HeadNorm::EachHead}); }

/// In the layers that are not `mlp_only_layers`.
void qwenExperts(ConfigReader& config, Experts byDefault, const char* count)
{
    byDefault.inner = config.whole("moe_intermediate_size", byDefault.inner, 1, ConfigReader::mostInner);
    byDefault.renormalised = config.flag("norm_topk_prob", false);
    const Experts experts = config.countedExperts(byDefault, count);
    const int step = config.whole("decoder_sparse_step", 1, 1, ConfigReader::mostLayers);
    const std::vector<int> dense = config.layersNamed("mlp_only_layers");
    for (int layer = 0; layer < config.a.layers; ++layer)
        if ((layer + 1) % step == 0 && std::find(dense.begin(), dense.end(), layer) == dense.end())
            config.spec(layer).experts = experts;
}

/// One expert more sees every token, times sigmoid(g x).
void qwen2MoeConfig(ConfigReader& config)
{
    const bool bias = config.flag("qkv_bias", true);
    qwenConfig(config, {.inner = 5632, .keyHeads = 16, .biases = bias, .windows = QwenWindows::EveryOtherBefore});
    qwenExperts(config,
                {.count = 60,
                 .chosen = 4,
                 .inner = 1408,
                 .sharedInner = config.whole("shared_expert_intermediate_size", 5632, 1, ConfigReader::mostInner),
                 .sharedGate = true},
                "num_experts");
}

void qwen3MoeConfig(ConfigReader& config)
{
    qwenConfig(config, {.inner = 6144, .keyHeads = 4, .windows = QwenWindows::All, .headNorm = HeadNorm::EachHead});
    qwenExperts(config, {.count = 128, .chosen = 8, .inner = 768},
                config.field("num_local_experts") ? "num_local_experts" : "num_experts");  // transformers 5, and before
}

void qwen2MoeGguf(GgufConfigMaker& make)
{
    make.llama();
    make.experts("num_experts", "moe_intermediate_size");
    make.config["shared_expert_intermediate_size"] =
        make.real("expert_shared_feed_forward_length", make.real("feed_forward_length", 0));
    make.takeWhether("qkv_bias", "blk.0.attn_q.bias");
    make.config["norm_topk_prob"] = false;  // llama.cpp knows no other
}

constexpr GgufName qwen2MoeNames[]{{"mlp.shared_expert_gate", "ffn_gate_inp_shexp"},
                                   {"mlp.shared_expert.gate_proj", "ffn_gate_shexp"},
                                   {"mlp.shared_expert.up_proj", "ffn_up_shexp"},
                                   {"mlp.shared_expert.down_proj", "ffn_down_shexp"}};

void qwen3MoeGguf(GgufConfigMaker& make)
{
    make.llama();
    make.experts("num_experts", "moe_intermediate_size");
    make.config["norm_topk_prob"] = true;  // llama.cpp knows no other
}

}  // namespace

Family qwen2() { return {"qwen2", "Qwen 2", qwen2Config, llamaLike::weights, {"qwen2", llamaLike::gguf}}; }
Family qwen2Moe()
{
    return {"qwen2_moe", "Qwen 2 MoE", qwen2MoeConfig, llamaLike::weights, {"qwen2moe", qwen2MoeGguf, qwen2MoeNames}};
}
Family qwen3() { return {"qwen3", "Qwen 3", qwen3Config, llamaLike::weights, {"qwen3", llamaLike::gguf}}; }
Family qwen3Moe()
{
    return {"qwen3_moe", "Qwen 3 MoE", qwen3MoeConfig, llamaLike::weights, {"qwen3moe", qwen3MoeGguf}};
}

}  // namespace attnscope::family

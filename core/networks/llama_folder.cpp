#include "core/networks/llama_folder.h"

#include "core/base/json_text.h"
#include "core/base/replace_file.h"
#include "core/learn/rounding.h"
#include "core/tensor/tensor_writer.h"

#include <filesystem>

#include <nlohmann/json.hpp>

namespace attnscope::learn {

std::string llamaConfig(const LlamaShape& shape, const LlamaFolder& about)
{
    const bool headNorms = shape.alpha > 0;  // which a Llama has not, and Qwen 3 has
    nlohmann::ordered_json config{{"architectures", {headNorms ? "Qwen3ForCausalLM" : "LlamaForCausalLM"}},
                                  {"model_type", headNorms ? "qwen3" : "llama"},
                                  {"hidden_size", shape.width},
                                  {"intermediate_size", shape.inner},
                                  {"num_hidden_layers", shape.layers},
                                  {"num_attention_heads", shape.heads},
                                  {"num_key_value_heads", shape.keyHeads},
                                  {"head_dim", shape.headSize()},
                                  {"vocab_size", shape.vocabulary},
                                  {"max_position_embeddings", about.trainLength},
                                  {"hidden_act", "silu"},
                                  {"rms_norm_eps", shape.epsilon},
                                  {"rope_theta", shape.base},
                                  {"attention_bias", false},
                                  {"mlp_bias", false},
                                  {"tie_word_embeddings", shape.tied},
                                  {"torch_dtype", about.bfloat16 ? "bfloat16" : "float32"}};
    if (about.beginToken)
        config["bos_token_id"] = *about.beginToken;
    if (about.maskToken)
        config["mask_token_id"] = *about.maskToken;
    if (!shape.causal)
        config["is_causal"] = false;
    return jsonText(config, 2) + "\n";
}

Result<void> saveLlama(const std::string& folder, Llama& model, const LlamaFolder& about)
{
    TRY(makeFolder(folder));
    const auto path = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
    std::vector<std::vector<std::uint16_t>> rounded;
    std::vector<TensorView> tensors;
    for (const Weight* weight : model.weights()) {
        const std::vector<std::int64_t> shape =
            weight->vector ? std::vector<std::int64_t>{weight->value.cols()}
                           : std::vector<std::int64_t>{weight->value.rows(), weight->value.cols()};
        if (about.bfloat16) {
            rounded.push_back(bfloat16Of({weight->value.data(), static_cast<std::size_t>(weight->value.size())}));
            tensors.push_back({weight->name, Dtype::BF16, shape, std::as_bytes(std::span(rounded.back()))});
        } else {
            tensors.push_back(tensorView(
                weight->name, shape,
                std::span<const float>(weight->value.data(), static_cast<std::size_t>(weight->value.size()))));
        }
    }
    Metadata metadata = about.facts;
    metadata["format"] = "pt";  // without which one widely used reader refuses the file
    TRY(writeSafetensors(path("model.safetensors"), tensors, metadata));
    const std::string config = llamaConfig(model.shape(), about), configPath = path("config.json"),
                      tokenizerPath = path("tokenizer.json");
    std::vector<FileText> texts{{configPath, config}};
    if (!about.tokenizer.empty())
        texts.push_back({tokenizerPath, about.tokenizer});
    return replaceFiles(texts);
}

}  // namespace attnscope::learn

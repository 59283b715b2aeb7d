#include "core/model/model_config.h"

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/model/families/families.h"

namespace attnscope {

namespace {

/// Fields that say nothing about what is computed from ids to logits, or are redundant.
constexpr std::initializer_list<const char*> harmless{
    "_attn_implementation_autoset",
    "_name_or_path",
    "activation_dropout",
    "architectures",
    "attention_dropout",
    "attention_probs_dropout_prob",
    "attn_implementation",
    "attn_pdrop",
    "auto_map",
    "cache_implementation",
    "classifier_dropout",
    "clf_pooling",
    "directionality",
    "dtype",
    "embd_pdrop",
    "eos_token_id",
    "gradient_checkpointing",
    "hidden_dropout",
    "hidden_dropout_prob",
    "id2label",
    "initializer_range",
    "is_decoder",
    "label2id",
    "n_ctx",
    "output_past",
    "output_router_logits",
    "pad_token_id",
    "pooler_fc_size",
    "pooler_num_attention_heads",
    "pooler_num_fc_layers",
    "pooler_size_per_head",
    "pooler_type",
    "pretraining_tp",
    "reorder_and_upcast_attn",
    "resid_pdrop",
    "router_aux_loss_coef",
    "router_jitter_noise",
    "sep_token_id",
    "summary_activation",
    "summary_first_dropout",
    "summary_proj_to_labels",
    "summary_type",
    "summary_use_proj",
    "task_specific_params",
    "tokenizer_class",
    "torch_dtype",
    "transformers_version",
    "unk_token_id",
    "use_cache",
};

void eraseNulls(nlohmann::json& object)
{
    for (auto field = object.begin(); field != object.end();) {
        if (field->is_object())
            eraseNulls(*field);
        field = field->is_null() ? object.erase(field) : std::next(field);
    }
}

/// null says absent, but where the default is something, null says that there is none.
void readNulls(nlohmann::json& config)
{
    for (const char* key : {"sliding_window", "attn_logit_softcapping", "final_logit_softcapping", "q_lora_rank"})
        if (config.contains(key) && config[key].is_null())
            config[key] = 0;
    if (config.contains("num_key_value_heads") && config["num_key_value_heads"].is_null() &&
        config.contains("num_attention_heads"))
        config["num_key_value_heads"] = config["num_attention_heads"];
    eraseNulls(config);
}

constexpr const char* textField = "text_config";

/// Of a model of texts and pictures the part for texts; nothing where it is none.
std::optional<nlohmann::json> textPart(const nlohmann::json& config)
{
    const auto text = config.find(textField), type = config.find("model_type");
    if (text == config.end() || !text->is_object() || type == config.end() || !type->is_string())
        return std::nullopt;
    const auto wrapper = findRow(wrappers(), type->get<std::string>(), "model_type");
    if (!wrapper)
        return std::nullopt;
    nlohmann::json part = *text;
    if (!part.contains("model_type"))
        part["model_type"] = (*wrapper)->within;
    for (const char* key : {"bos_token_id", "tie_word_embeddings", "quantization_config"})
        if (config.contains(key) && !part.contains(key))
            part[key] = config[key];
    return part;
}

/// Floats of eight bits in squares of 128, as DeepSeek V3 is published, or with a factor a row or a matrix, as
/// compressed-tensors writes them, or gpt-oss's MXFP4: what core/model/weight_files.h reads.
bool isReadAsStored(const nlohmann::json& quantised, std::string_view type)
{
    const auto says = [&](const char* key, const nlohmann::json& value) {
        return quantised.is_object() && quantised.contains(key) && quantised[key] == value;
    };
    if (says("quant_method", "compressed-tensors"))
        return says("format", "float-quantized");
    if (says("quant_method", "mxfp4"))
        return type == "gpt_oss";
    return says("quant_method", "fp8") &&
           (!quantised.contains("weight_block_size") || says("weight_block_size", nlohmann::json::array({128, 128})));
}

/// What turns without making longer or shorter.
void withoutFactor(OwnPosition& position)
{
    position.choice.values.erase("m");
    if (position.beyond)
        position.beyond->values.erase("m");
}

Result<ModelConfig> readFamily(const Family& family, ConfigReader& reader)
{
    Architecture& a = reader.a;
    if (const nlohmann::json* quantised = reader.field("quantization_config");
        quantised && !isReadAsStored(*quantised, a.type))
        reader.refuse("quantised weights (quantization_config)");
    family.config(reader);
    reader.everyLayer([](LayerSpec& spec) {
        if (spec.headNorm == HeadNorm::Unit)
            withoutFactor(spec.position);
    });
    if (a.valueSize == 0)
        a.valueSize = a.headSize;
    a.beginToken = reader.token("bos_token_id");
    a.maskToken = reader.token("mask_token_id");
    if (a.causal)
        a.maskToken.reset();  // a decoder predicts what comes next
    TRY(reader.status());
    reader.passOver(harmless);
    return ModelConfig{a, reader.unasked(), reader.remarks()};
}

}  // namespace

Result<ModelConfig> readModelConfig(std::string_view json, const std::string& path)
{
    nlohmann::json config = TRY(parseJson(json, path));
    if (!config.is_object())
        return failure(ErrorKind::InvalidHeader, path + ": must be an object { ... }");
    std::optional<nlohmann::json> part = textPart(config);
    if (part)
        config = std::move(*part);
    readNulls(config);
    ConfigReader reader(config, path);
    const nlohmann::json* name = reader.field("model_type");
    TRY(reader.status());
    const std::string type = name && name->is_string() ? name->get<std::string>() : "";
    const auto family = findRow(families(), type, "model_type");
    if (!family)
        return failure(ErrorKind::Unavailable,
                       path +
                           (type.empty() ? " has no model_type"
                                         : " says model_type '" + type.substr(0, 40) + "', which is not run here") +
                           "; what is run: " + joined(families(), ", ", &Family::id));
    reader.a.type = type;
    ModelConfig read = TRY(readFamily(**family, reader));
    if (part)
        read.architecture.positionFields.within = textField;
    return read;
}

}  // namespace attnscope

#include "core/model/model_config.h"

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/model/model_type.h"
#include "core/model/rope_scaling.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

constexpr int mostLayers = 1024, mostWidth = 65536, mostHeads = 1024, mostHeadSize = 1024, mostTokens = 1 << 22,
              mostInner = 1 << 20;
constexpr double longest = 1e9;

/// Fields that say nothing about what is computed from ids to logits, or are redundant.
constexpr std::array passedOver{
    "_name_or_path",
    "architectures",
    "attention_dropout",
    "attention_probs_dropout_prob",
    "attn_implementation",
    "attn_pdrop",
    "auto_map",
    "bos_token_id",
    "cache_implementation",
    "classifier_dropout",
    "dtype",
    "embd_pdrop",
    "eos_token_id",
    "gradient_checkpointing",
    "hidden_dropout",
    "id2label",
    "initializer_range",
    "is_decoder",
    "label2id",
    "n_ctx",
    "pad_token_id",
    "pretraining_tp",
    "resid_pdrop",
    "summary_activation",
    "summary_first_dropout",
    "summary_proj_to_labels",
    "summary_type",
    "summary_use_proj",
    "task_specific_params",
    "torch_dtype",
    "transformers_version",
    "reorder_and_upcast_attn",
    "unk_token_id",
    "use_cache",
};

tl::unexpected<Error> notRun(const std::string& where, const std::string& what)
{
    return failure(ErrorKind::Unavailable, where + " asks for " + what + ", which is not run here");
}

/// One config.json on its way to an Architecture.
class ConfigReader {
public:
    ConfigReader(const nlohmann::json& config, std::string path) : m_fields(config, path), m_path(std::move(path)) {}

    Result<ModelConfig> read();

private:
    void llama(const ModelType& type);
    void gpt2(const ModelType& type);
    void gptNeoX(const ModelType& type);
    void gemma2(const ModelType& type);
    void sizes(const char* width, const char* layers, const char* heads, const char* positions);
    void keyHeads(const ModelType& type);
    void headSize(const ModelType& type);
    void activation(const char* key, const char* byDefault);
    void windows(WindowedLayers layers);
    void rotary(double base);
    void must(const char* key, bool wanted, const char* what);
    int whole(const char* key, int byDefault, int minimum, int maximum);
    double real(const char* key, double byDefault, double minimum, double maximum);
    bool flag(const char* key, bool byDefault);
    void refuse(const std::string& what)
    {
        if (!m_refused)
            m_refused = notRun(m_path, what).value();
    }

    ObjectReader m_fields;
    std::string m_path;
    Architecture m_a;
    std::optional<Error> m_refused;
};

int ConfigReader::whole(const char* key, int byDefault, int minimum, int maximum)
{
    m_fields.number(key, byDefault, minimum, maximum);
    return byDefault;
}

double ConfigReader::real(const char* key, double byDefault, double minimum, double maximum)
{
    m_fields.number(key, byDefault, minimum, maximum);
    return byDefault;
}

bool ConfigReader::flag(const char* key, bool byDefault)
{
    m_fields.boolean(key, byDefault);
    return byDefault;
}

void ConfigReader::must(const char* key, bool wanted, const char* what)
{
    if (flag(key, wanted) != wanted)
        refuse(what);
}

void ConfigReader::sizes(const char* width, const char* layers, const char* heads, const char* positions)
{
    for (const char* key : {width, layers, heads, "vocab_size", positions})
        if (!m_fields.field(key))
            m_fields.fail(m_fields.pathOf(key) + " is missing; this is no whole config.json");
    m_a.width = whole(width, 0, 1, mostWidth);
    m_a.layers = whole(layers, 0, 1, mostLayers);
    m_a.heads = whole(heads, 0, 1, mostHeads);
    m_a.vocabulary = whole("vocab_size", 0, 1, mostTokens);
    m_fields.number(positions, m_a.largestLength, 1, longest);
    m_a.trainLength = m_a.largestLength;
    m_a.keyHeads = m_a.heads;
}

void ConfigReader::keyHeads(const ModelType& type)
{
    m_a.keyHeads = whole("num_key_value_heads", type.keyHeads > 0 ? type.keyHeads : m_a.heads, 1, mostHeads);
    if (m_a.keyHeads == 0 || m_a.heads % m_a.keyHeads != 0)
        m_fields.fail(m_fields.pathOf("num_key_value_heads") + " must divide num_attention_heads, " +
                      std::to_string(m_a.heads));
}

void ConfigReader::headSize(const ModelType& type)
{
    const int size = whole("head_dim", type.headSize, 1, mostHeadSize);
    if (size == 0 && m_a.heads > 0 && m_a.width % m_a.heads != 0)
        m_fields.fail(m_path + ": " + std::to_string(m_a.heads) + " heads do not divide a width of " +
                      std::to_string(m_a.width) + ", and head_dim is missing");
    m_a.headSize = size > 0 ? size : m_a.width / std::max(m_a.heads, 1);
    if (m_a.headSize > mostHeadSize)
        m_fields.fail(m_path + ": heads of size " + std::to_string(m_a.headSize) + "; at most " +
                      std::to_string(mostHeadSize) + " is read");
}

void ConfigReader::activation(const char* key, const char* byDefault)
{
    std::string name = byDefault;
    m_fields.text(key, name);
    if (name == "silu" || name == "swish")
        m_a.activation = Activation::Silu;
    else if (name == "gelu")
        m_a.activation = Activation::Gelu;
    else if (name == "gelu_new" || name == "gelu_pytorch_tanh" || name == "gelu_fast")
        m_a.activation = Activation::GeluTanh;
    else
        refuse("the activation '" + name.substr(0, 40) + "'");
}

void ConfigReader::windows(WindowedLayers layers)
{
    if (layers == WindowedLayers::None)
        return;
    const bool chosen = layers == WindowedLayers::FromOneOn, used = !chosen || flag("use_sliding_window", false);
    const int from = chosen ? whole("max_window_layers", 28, 0, mostLayers) : 0,
              step = layers == WindowedLayers::EverySecond ? 2 : 1;
    std::int64_t window = used ? 4096 : 0;
    m_fields.number("sliding_window", window, 0, longest);
    std::vector<bool> sliding(static_cast<size_t>(m_a.layers));
    for (int layer = from; layer < m_a.layers; layer += step)
        sliding[static_cast<size_t>(layer)] = window > 0;
    if (const nlohmann::json* types = m_fields.field("layer_types")) {
        if (!types->is_array() || types->size() != sliding.size())
            return m_fields.fail(m_fields.pathOf("layer_types") + " must be a list of " +
                                 std::to_string(sliding.size()) + " texts, one a layer");
        for (size_t layer = 0; layer < sliding.size(); ++layer) {
            const std::string type = (*types)[layer].is_string() ? (*types)[layer].get<std::string>() : "";
            if (type != "full_attention" && type != "sliding_attention")
                return refuse("layers of type '" + type.substr(0, 40) + "'");
            sliding[layer] = type == "sliding_attention" && window > 0;
        }
    }
    if (!used || std::find(sliding.begin(), sliding.end(), true) == sliding.end())
        return;
    for (const bool slide : sliding)
        m_a.windows.push_back(slide ? window : 0);
}

void ConfigReader::rotary(double base)
{
    RopeScaling scaling{.base = base, .dims = m_a.headSize, .trainLength = m_a.largestLength};
    m_fields.number("rope_theta", scaling.base, 1.0001, 1e12);
    if (real("partial_rotary_factor", 1, 0, 1) != 1)
        refuse("rotary positions on a part of each head (partial_rotary_factor)");
    for (const char* key : {"rope_scaling", "rope_parameters"})
        if (const nlohmann::json* given = m_fields.field(key)) {
            const Result<void> read = readRopeScaling(*given, m_fields.pathOf(key), scaling);
            if (!read && read.error().kind == ErrorKind::Unavailable)
                m_refused = m_refused.value_or(read.error());
            else if (!read)
                m_fields.fail(read.error());
        }
    if (m_a.headSize % 2 != 0)
        refuse("rotary positions on heads of odd size");
    m_a.position = scaling.position();
    m_a.trainLength = scaling.trainLength;
    m_a.positionFactor = scaling.logitFactor;
}

void ConfigReader::llama(const ModelType& type)
{
    sizes("hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings");
    m_a.inner = whole("intermediate_size", type.inner, 1, mostInner);
    keyHeads(type);
    headSize(type);
    m_a.epsilon = real("rms_norm_eps", 1e-6, 0, 1);
    activation("hidden_act", "silu");
    m_a.tiedEmbeddings = flag("tie_word_embeddings", false);
    m_a.headNorms = type.headNorms;
    const bool attentionBias = flag("attention_bias", false);
    m_a.queryKeyBias = attentionBias || type.queryKeyBias;
    m_a.outputBias = attentionBias;
    m_a.feedBias = flag("mlp_bias", false);
    windows(type.windows);
    m_a.causal = flag("is_causal", true);
    rotary(10000);
}

void ConfigReader::gpt2(const ModelType& type)
{
    sizes("n_embd", "n_layer", "n_head", "n_positions");
    m_a.inner = whole("n_inner", std::min(4 * m_a.width, mostInner), 1, mostInner);
    headSize(type);
    m_a.norm = Norm::Layer;
    m_a.epsilon = real("layer_norm_epsilon", 1e-5, 0, 1);
    activation("activation_function", "gelu_new");
    m_a.gated = false;
    m_a.queryKeyBias = type.queryKeyBias;
    m_a.outputBias = m_a.feedBias = true;
    m_a.tiedEmbeddings = flag("tie_word_embeddings", true);
    m_a.learnedPositions = m_a.largestLength;
    must("scale_attn_weights", true, "logits that are not divided by sqrt(d) (scale_attn_weights)");
    must("scale_attn_by_inverse_layer_idx", false, "a scale by layer (scale_attn_by_inverse_layer_idx)");
    must("add_cross_attention", false, "cross-attention (add_cross_attention)");
}

void ConfigReader::gptNeoX(const ModelType& type)
{
    sizes("hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings");
    m_a.inner = whole("intermediate_size", type.inner, 1, mostInner);
    headSize(type);
    m_a.norm = Norm::Layer;
    m_a.epsilon = real("layer_norm_eps", 1e-5, 0, 1);
    activation("hidden_act", "gelu");
    m_a.gated = false;
    m_a.queryKeyBias = m_a.outputBias = flag("attention_bias", true);
    m_a.feedBias = true;
    m_a.parallelResidual = flag("use_parallel_residual", true);
    m_a.tiedEmbeddings = flag("tie_word_embeddings", false);

    const double part = real("rotary_pct", 0.25, 0, 1);
    RopeScaling scaling{.base = real("rotary_emb_base", 10000, 1.0001, 1e12),
                        .dims = static_cast<int>(m_a.headSize * part),
                        .trainLength = m_a.largestLength};
    if (m_fields.field("rope_scaling") || m_fields.field("rope_parameters"))
        refuse("stretched positions on GPT-NeoX (rope_scaling)");
    if (scaling.dims % 2 != 0)
        refuse("rotary positions on an odd number of coordinates");
    scaling.whole = scaling.dims == m_a.headSize;
    if (scaling.dims > 0)
        m_a.position = scaling.position();
}

void ConfigReader::gemma2(const ModelType& type)
{
    sizes("hidden_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings");
    m_a.inner = whole("intermediate_size", type.inner, 1, mostInner);
    keyHeads(type);
    headSize(type);
    m_a.norm = Norm::RmsFromOne;
    m_a.epsilon = real("rms_norm_eps", 1e-6, 0, 1);
    activation(m_fields.field("hidden_activation") ? "hidden_activation" : "hidden_act", "gelu_pytorch_tanh");
    if (m_fields.field("hidden_activation"))
        m_fields.field("hidden_act");  // an old name beside the new one, which counts
    m_a.twoSidedNorms = true;
    m_a.tiedEmbeddings = flag("tie_word_embeddings", true);
    must("attention_bias", false, "biases on Gemma 2's attention (attention_bias)");
    m_a.logitFactor = std::sqrt(m_a.headSize / real("query_pre_attn_scalar", 256, 1e-6, 1e6));
    m_a.logitCap = real("attn_logit_softcapping", 50, 0, 1e6);
    m_a.outputCap = real("final_logit_softcapping", 30, 0, 1e6);
    m_a.embeddingFactor = std::sqrt(m_a.width);
    windows(type.windows);
    rotary(10000);
}

Result<ModelConfig> ConfigReader::read()
{
    const nlohmann::json* name = m_fields.field("model_type");
    TRY(m_fields.status());
    m_a.type = name && name->is_string() ? name->get<std::string>() : "";
    const auto row = findRow(modelTypes(), m_a.type, "model_type");
    if (!row)
        return failure(ErrorKind::Unavailable, m_path +
                                                   (m_a.type.empty() ? " has no model_type"
                                                                     : " says model_type '" + m_a.type.substr(0, 40) +
                                                                           "', which is not run here") +
                                                   "; what is run: " + joined(modelTypes(), ", ", &ModelType::id));
    const ModelType& type = **row;
    m_a.family = type.family;
    if (m_fields.field("quantization_config"))
        refuse("quantised weights (quantization_config)");
    switch (m_a.family) {
    case Family::Llama:
        llama(type);
        break;
    case Family::Gpt2:
        gpt2(type);
        break;
    case Family::GptNeoX:
        gptNeoX(type);
        break;
    case Family::Gemma2:
        gemma2(type);
        break;
    }
    for (const auto& [key, token] :
         {std::pair{"bos_token_id", &m_a.beginToken}, std::pair{"mask_token_id", &m_a.maskToken}})
        if (const nlohmann::json* id = m_fields.field(key);
            id && id->is_number_unsigned() && id->get<std::uint64_t>() < static_cast<std::uint64_t>(m_a.vocabulary))
            *token = id->get<int>();
    if (m_a.causal)
        m_a.maskToken.reset();  // a decoder predicts what comes next
    TRY(m_fields.status());
    if (!m_a.causal && !m_a.maskToken)
        refuse("an encoder (is_causal) and names no mask_token_id");
    if (m_refused)
        return tl::unexpected(*m_refused);
    for (const char* key : passedOver)
        m_fields.field(key);
    return ModelConfig{m_a, m_fields.unasked()};
}

}  // namespace

namespace {

/// null says absent, but where the default is something, null says that there is none.
void readNulls(nlohmann::json& config)
{
    for (const char* key : {"sliding_window", "attn_logit_softcapping", "final_logit_softcapping"})
        if (config.contains(key) && config[key].is_null())
            config[key] = 0;
    if (config.contains("num_key_value_heads") && config["num_key_value_heads"].is_null() &&
        config.contains("num_attention_heads"))
        config["num_key_value_heads"] = config["num_attention_heads"];
    for (auto field = config.begin(); field != config.end();)
        field = field->is_null() ? config.erase(field) : std::next(field);
}

}  // namespace

Result<ModelConfig> readModelConfig(std::string_view json, const std::string& path)
{
    nlohmann::json config = TRY(parseJson(json, path));
    if (!config.is_object())
        return failure(ErrorKind::InvalidHeader, path + ": must be an object { ... }");
    readNulls(config);
    return ConfigReader(config, path).read();
}

}  // namespace attnscope

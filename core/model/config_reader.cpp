#include "core/model/config_reader.h"

#include <algorithm>

namespace attnscope {

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

std::string ConfigReader::text(const char* key, const char* byDefault)
{
    std::string text = byDefault;
    m_fields.text(key, text);
    return text;
}

void ConfigReader::must(const char* key, bool wanted, const char* what)
{
    if (flag(key, wanted) != wanted)
        refuse(what);
}

void ConfigReader::passOver(std::initializer_list<const char*> keys)
{
    for (const char* key : keys)
        m_fields.field(key);
}

void ConfigReader::sizes(const SizeFields& names)
{
    const auto size = [&](const char* key, int byDefault, int most) {
        if (!m_fields.field(key) && byDefault == 0)
            m_fields.fail(m_fields.pathOf(key) + " is missing");
        return whole(key, byDefault, 1, most);
    };
    a.width = size(names.width, names.widthByDefault, mostWidth);
    a.layers = size(names.layers, names.layersByDefault, mostLayers);
    a.heads = size(names.heads, names.headsByDefault, mostHeads);
    a.vocabulary = size("vocab_size", names.tokensByDefault, mostTokens);
    if (names.positions)
        a.largestLength = size(names.positions, names.positionsByDefault, static_cast<int>(longest));
    a.trainLength = a.largestLength;
    a.keyHeads = a.heads;
    a.specs.assign(static_cast<size_t>(std::max(a.layers, 1)), {});  // one even of a wrong config, to be asked of
}

void ConfigReader::keyHeads(int byDefault, const char* key)
{
    a.keyHeads = whole(key, byDefault > 0 ? byDefault : a.heads, 1, mostHeads);
    if (a.keyHeads == 0 || a.heads % a.keyHeads != 0)
        m_fields.fail(fmt::format("{} must divide num_attention_heads, {}", m_fields.pathOf(key), a.heads));
}

void ConfigReader::headSize(int byDefault)
{
    const int size = whole("head_dim", byDefault, 1, mostHeadSize);
    if (size == 0 && a.heads > 0 && a.width % a.heads != 0)
        m_fields.fail(
            fmt::format("{}: {} heads do not divide a width of {}, and head_dim is missing", m_path, a.heads, a.width));
    a.headSize = a.valueSize = size > 0 ? size : a.width / std::max(a.heads, 1);
    if (a.headSize > mostHeadSize)
        m_fields.fail(fmt::format("{}: heads of size {}; at most {} is read", m_path, a.headSize, mostHeadSize));
}

void ConfigReader::headsShareTheWidth()
{
    headSize();
    if (a.heads > 0 && a.headSize * a.heads != a.width)
        m_fields.fail(fmt::format("{} is {}, and {} heads share a width of {} in this family",
                                  m_fields.pathOf("head_dim"), a.headSize, a.heads, a.width));
}

void ConfigReader::norm(Norm norm, const char* key, double byDefault)
{
    a.norm = norm;
    a.epsilon = real(key, byDefault, 0, 1);
}

void ConfigReader::feed(const char* key, int byDefault, Activation activation, bool gated)
{
    const int inner = whole(key, byDefault, 1, mostInner);
    everyLayer([&](LayerSpec& spec) {
        spec.inner = inner;
        spec.activation = activation;
        spec.gated = gated;
    });
}

Activation ConfigReader::activation(const char* key, const char* byDefault)
{
    const std::string name = text(key, byDefault);
    if (name == "silu" || name == "swish")
        return Activation::Silu;
    if (name == "gelu")
        return Activation::Gelu;
    if (name == "relu")
        return Activation::Relu;
    if (name == "relu2")
        return Activation::SquaredRelu;
    if (name != "gelu_new" && name != "gelu_pytorch_tanh" && name != "gelu_fast")
        refuse("the activation '" + name.substr(0, 40) + "'");
    return Activation::GeluTanh;
}

void ConfigReader::biases(bool attentionByDefault)
{
    const bool attention = flag("attention_bias", attentionByDefault), feed = flag("mlp_bias", false);
    everyLayer([&](LayerSpec& spec) {
        spec.queryKeyBias = spec.outputBias = attention;
        spec.feedBias = feed;
    });
}

void ConfigReader::seesBothWays()
{
    a.causal = false;
    everyLayer([](LayerSpec& spec) { spec.mask = {"full", {}, {}}; });
}

void ConfigReader::mayBeEncoder()
{
    if (!flag("is_causal", true))
        seesBothWays();
}

void ConfigReader::putWindows(std::int64_t window, std::vector<bool> sliding)
{
    m_fields.number("sliding_window", window, 0, longest);
    if (const nlohmann::json* types = m_fields.field("layer_types")) {
        if (!types->is_array() || types->size() != sliding.size())
            return m_fields.fail(fmt::format("{} must be a list of {} texts, one a layer",
                                             m_fields.pathOf("layer_types"), sliding.size()));
        for (size_t layer = 0; layer < sliding.size(); ++layer) {
            const std::string type = (*types)[layer].is_string() ? (*types)[layer].get<std::string>() : "";
            if (type != "full_attention" && type != "sliding_attention")
                return refuse("layers of type '" + type.substr(0, 40) + "'");
            sliding[layer] = type == "sliding_attention";
        }
    }
    for (size_t layer = 0; layer < sliding.size(); ++layer)
        if (sliding[layer] && window > 0)
            a.specs[layer].mask = {"window", {{"w", static_cast<double>(window)}}, {}};
}

void ConfigReader::sigmoidExperts(Experts experts, int shared, int dense)
{
    experts.score = Experts::Score::Sigmoid;
    experts.count = whole("n_routed_experts", experts.count, 1, mostExperts);
    experts.chosen = whole("num_experts_per_tok", experts.chosen, 1, mostExperts);
    experts.inner = whole("moe_intermediate_size", experts.inner, 1, mostInner);
    experts.renormalised = flag("norm_topk_prob", experts.renormalised);
    experts.factor = real("routed_scaling_factor", experts.factor, 0, 1e6);
    experts.groups = whole("n_group", experts.groups, 1, mostExperts);
    experts.chosenGroups = whole("topk_group", experts.chosenGroups, 1, mostExperts);
    experts.sharedInner = std::min(experts.inner * whole("n_shared_experts", shared, 0, 64), mostInner);
    for (int layer = whole("first_k_dense_replace", dense, 0, mostLayers); layer < a.layers; ++layer)
        spec(layer).experts = experts;
    checkExperts(experts);
}

Experts ConfigReader::countedExperts(Experts experts, const char* count)
{
    experts.count = whole(count, experts.count, 1, mostExperts);
    experts.chosen = whole("num_experts_per_tok", experts.chosen, 1, mostExperts);
    if (experts.inner == 0)
        experts.inner = specOf(0).inner;
    checkExperts(experts);
    return experts;
}

void ConfigReader::checkExperts(const Experts& experts)
{
    if (experts.chosen > experts.count || experts.chosenGroups > experts.groups || experts.count % experts.groups != 0)
        m_fields.fail(fmt::format("{}: a token cannot take {} of {} experts in {} of {} equal groups", m_path,
                                  experts.chosen, experts.count, experts.chosenGroups, experts.groups));
}

std::vector<int> ConfigReader::layersNamed(const char* key)
{
    std::vector<int> layers;
    m_fields.numbers(key, layers, 0, mostLayers, mostLayers);
    return layers;
}

std::vector<bool> ConfigReader::turnedLayers(bool emptyIsAbsent)
{
    const int interval = whole("no_rope_layer_interval", 4, 1, mostLayers);
    std::vector<bool> turned;
    for (int layer = 0; layer < a.layers; ++layer)
        turned.push_back((layer + 1) % interval != 0);
    std::vector<int> given;
    m_fields.numbers("no_rope_layers", given, 0, 1, mostLayers);
    if (!m_fields.field("no_rope_layers") || (emptyIsAbsent && given.empty()))
        return turned;
    if (given.size() != turned.size()) {
        m_fields.fail(fmt::format("{} must be a list of {} numbers, one a layer", m_fields.pathOf("no_rope_layers"),
                                  turned.size()));
        return turned;
    }
    return {given.begin(), given.end()};
}

/// As transformers takes them: a `rope_scaling` that says anything stands in the place of `rope_parameters`, but where
/// those are given by type of layer; there it is added to those of the layers that are stretched.
std::pair<nlohmann::json, std::string> ConfigReader::positionFields(const RotaryFields& names)
{
    using Json = nlohmann::json;
    const Json* const scaling = m_fields.field("rope_scaling");
    const Json* const parameters = m_fields.field("rope_parameters");
    const bool scales = scaling && !(scaling->is_object() && scaling->empty());
    const auto ofLayers = [&](const Json* given) {
        return names.layerType && given && given->is_object() && given->contains(names.layerType);
    };
    if (!(scales && ofLayers(scaling)) && ofLayers(parameters)) {
        Json fields = (*parameters)[names.layerType];
        if (names.scaled && scales && fields.is_object() && scaling->is_object())
            fields.update(*scaling);
        return {std::move(fields), m_fields.pathOf("rope_parameters") + "." + names.layerType};
    }
    if (scales && parameters && *scaling != *parameters)
        remark("rope_scaling is taken in the place of rope_parameters, which differ, as transformers does");
    const Json* const given = scales ? scaling : parameters;
    if (!given)
        return {names.otherwise, m_path};
    const std::string path = m_fields.pathOf(scales ? "rope_scaling" : "rope_parameters");
    if (ofLayers(given))
        return {(*given)[names.layerType], path + "." + names.layerType};
    if (names.scaled || !given->is_object())
        return {*given, path};
    Json fields = Json::object();
    if (names.baseField == std::string_view("rope_theta"))  // another base is of other layers
        for (const char* key : {"rope_theta", "partial_rotary_factor"})
            if (given->contains(key))
                fields[key] = (*given)[key];
    return {std::move(fields), path};
}

OwnPosition ConfigReader::rotary(const RotaryFields& names)
{
    m_scaling = {.base = names.base,
                 .headSize = names.headSize > 0 ? names.headSize : a.headSize,
                 .part = real(names.partField, names.part, 0, 1),
                 .interleaved = flag("rope_interleave", names.interleaved),
                 .largestLength = a.largestLength};
    if (names.baseField)
        m_fields.number(names.baseField, m_scaling.base, 1.0001, 1e12);
    m_fields.number("original_max_position_embeddings", m_scaling.originalLength, 1, longest);
    const auto [given, path] = positionFields(names);
    const Result<OwnPosition> read = readRope(given.is_null() ? nullptr : &given, path, m_scaling, names.also);
    if (!read) {
        if (read.error().kind != ErrorKind::Unavailable)
            m_fields.fail(read.error());
        else
            keep(read.error());
        return {};
    }
    if (m_scaling.originalLength > 0)
        a.trainLength = m_scaling.originalLength;
    a.positionFields = {};
    if (names.baseField && !names.layerType && !names.fixed) {
        const bool newer = path == m_fields.pathOf("rope_parameters");
        a.positionFields = {names.baseField, newer ? "rope_parameters" : "rope_scaling",
                            given.is_null() ? std::string()
                                            : given.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                            !names.otherwise.is_null()};
    }
    return *read;
}

void ConfigReader::rotaryEverywhere(const RotaryFields& names)
{
    const OwnPosition position = rotary(names);
    everyLayer([&](LayerSpec& spec) { spec.position = position; });
}

std::optional<int> ConfigReader::token(const char* key)
{
    const nlohmann::json* id = m_fields.field(key);
    if (!id)
        return std::nullopt;
    if (id->is_number_unsigned() && id->get<std::uint64_t>() < static_cast<std::uint64_t>(a.vocabulary))
        return id->get<int>();
    if (!id->is_null())
        remark(fmt::format("{} is no token of the vocabulary of {}, {}; the model is run without one", key,
                           a.vocabulary, id->dump().substr(0, 40)));
    return std::nullopt;
}

Result<void> ConfigReader::status() const
{
    TRY(m_fields.status());
    return allIsRun();
}

}  // namespace attnscope

#include "core/model/model.h"

#include "core/base/fingerprint.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/base/measured_text.h"
#include "core/model/check_model.h"
#include "core/model/families/families.h"
#include "core/model/gguf_model.h"
#include "core/model/model_config.h"
#include "core/model/tokenizer_files.h"
#include "core/model/tokenizer_parts.h"
#include "core/tensor/byte_source.h"

#include <filesystem>
#include <span>

namespace attnscope {

namespace {

/// What a file says wrongly is no wrong usage.
Error faultOfFile(Error error)
{
    if (error.kind == ErrorKind::InvalidArgument || error.kind == ErrorKind::UnknownName)
        error.kind = ErrorKind::DataError;
    return error;
}

constexpr std::uint64_t longestVocabulary = 64 << 20;

/// What stands for hidden tokens: BERT's kin, RoBERTa's.
bool isMask(std::string_view token) { return token == "[MASK]" || token == "<mask>"; }

Result<nlohmann::json> jsonIn(const std::string& folder, const char* name)
{
    return readText((std::filesystem::path(folder) / name).string(), longestVocabulary)
        .and_then([&](const std::string& text) { return parseJson(text, name); });
}

/// The token that stands for hidden ones, where the config does not say it: of vocab.txt, a token a line, of
/// vocab.json, or among those that tokenizer.json adds.
std::optional<int> maskTokenOf(const std::string& folder, int vocabulary)
{
    const std::filesystem::path path(folder);
    std::int64_t id = -1;
    if (const auto lines = readText((path / "vocab.txt").string(), longestVocabulary)) {
        std::int64_t line = 0;
        for (const std::string_view token : split(*lines, '\n')) {
            if (isMask(trimmed(token)))
                id = line;
            ++line;
        }
    }
    if (const auto ids = jsonIn(folder, "vocab.json"); ids && ids->is_object())
        for (const char* mask : {"[MASK]", "<mask>"})
            if (const auto found = ids->find(mask); found != ids->end() && found->is_number_unsigned())
                id = found->get<std::int64_t>();
    const auto json = jsonIn(folder, "tokenizer.json");
    if (json && json->is_object() && json->contains("added_tokens") && (*json)["added_tokens"].is_array())
        for (const nlohmann::json& token : (*json)["added_tokens"])
            if (token.is_object() && token.contains("content") && token["content"].is_string() &&
                isMask(token["content"].get<std::string>()) && token.contains("id") && token["id"].is_number_unsigned())
                id = token["id"].get<std::int64_t>();
    return id >= 0 && id < vocabulary ? std::optional(static_cast<int>(id)) : std::nullopt;
}

/// config.json says which token may begin a text; whether one does says add_bos_token of tokenizer_config.json, else
/// the tokeniser, as transformers takes them. Where neither does, the config's begins every text.
void settleBegin(Architecture& a, const std::string& folder, const Tokenizer* tokenizer)
{
    if (!a.causal)  // what an encoder's text begins with is a token of its text here
        return;
    TextBegin begin;
    bool said = false;
    const auto take = [&](const std::optional<TextBegin>& one) {
        if (one) {
            begin = *one;
            said = true;
        }
    };
    if (tokenizer)
        take(tokenizer->begin());
    else if (const auto json = jsonIn(folder, "tokenizer.json"); json && json->is_object())  // of a kind not run here
        take(beginOf(json->value("post_processor", nlohmann::json())));
    if (const auto config = readTokenizerConfig(folder))
        if (const auto add = config->find("add_bos_token"); add != config->end() && add->is_boolean())
            take(TextBegin{add->get<bool>(), begin.token});
    if (said && !begin.any)
        a.betweenDocuments = std::exchange(a.beginToken, std::nullopt);
    else if (said && begin.token && *begin.token < a.vocabulary)
        a.beginToken = begin.token;
}

Result<void> readWeights(Model& model, const Family& family)
{
    WeightReader read(*model.files, model.architecture);
    family.weights(read, model);
    for (const char* worked : {"rope_freqs.weight", "rope_factors_"})  // of .gguf files: the positions have them
        read.passOver(worked);
    // of .gguf files: layers that predict a token further
    for (int l = model.architecture.layers; read.has("blk." + std::to_string(l) + ".nextn.eh_proj.weight"); ++l)
        read.passOver("blk." + std::to_string(l) + ".");
    if (read.error())
        return tl::unexpected(faultOfFile(*read.error()));
    TRY(checkHeads(model.architecture, model.layers));
    model.unreadTensors = read.unread();
    model.parameters = read.elements();
    if (model.files->metadata("lab") == "recall")
        model.says = model.files->metadata("copied") == "1" ? TrainedToSay::Copies : TrainedToSay::Values;
    return {};
}

constexpr std::uint64_t longestConfig = 1 << 20;

}  // namespace

std::vector<std::string> notesOf(const Model& model)
{
    constexpr size_t named = 6;
    std::vector<std::string> notes = model.remarks;
    const auto add = [&](const std::vector<std::string>& names, const std::string& one, const std::string& more,
                         const char* why) {
        if (names.empty())
            return;
        const std::span first(names.data(), std::min(names.size(), named));
        notes.push_back((names.size() == 1 ? one : fmt::format("{} {}", names.size(), more)) + ": " +
                        joined(first, ", ") + (names.size() > named ? ", ..." : "") + "; " + why);
    };
    if (model.head.outputs() == 0)
        notes.push_back(
            "it makes vectors of texts and has no head that says tokens: there is no loss, only what its heads "
            "do");
    if (model.says != TrainedToSay::Text)
        notes.push_back(std::string("it was trained to say ") +
                        (model.says == TrainedToSay::Values ? "what a key was told with" : "words again") +
                        ", and no other token: its loss over a text says nothing; attnscope probe and the window's "
                        "Probes ask what it can");
    add(model.unknownFields, "a field of config.json is not known here", "fields of config.json are not known here",
        "what they ask for is not run, and the numbers may not be the model's");
    add(model.unreadTensors, "a tensor of the weights is not read", "tensors of the weights are not read",
        "config.json asks for none of them, and the numbers may not be the model's");
    return notes;
}

ModelOutline outlineOf(const Model& model)
{
    return {model.architecture, model.files->dtypes(), model.files->bytes(), model.files->numbers()};
}

std::vector<std::string> linesOf(const ModelOutline& outline)
{
    return {describe(outline.architecture),
            inUnits(static_cast<double>(outline.numbers)) + " parameters in " + outline.dtypes + ", " +
                inUnits(static_cast<double>(outline.bytes), "B"),
            "Positions: " + positionsInWords(outline.architecture)};
}

bool isModel(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored)
               ? std::filesystem::exists(std::filesystem::path(path) / "config.json", ignored)
               : isGgufFile(path);
}

namespace {

using Soon = std::function<void(const ModelOutline&)>;
using MakeTokenizer = std::function<Result<std::shared_ptr<const Tokenizer>>()>;

/// What config and the headers of the files tell. `path` is the config's, for messages.
Result<Model> begunModel(const std::string& name, const std::string& path, const Result<std::string>& configText,
                         Result<WeightFiles> files)
{
    const auto config = TRY(configText.and_then([&](const std::string& text) { return readModelConfig(text, path); })
                                .map_error(faultOfFile));
    Model model;
    model.folder = name;
    model.architecture = config.architecture;
    model.configStamp = fingerprint(*configText);
    model.unknownFields = config.unknown;
    model.remarks = config.remarks;
    model.files = std::make_shared<const WeightFiles>(TRY(std::move(files)));
    return model;
}

Result<Model> readModel(const std::string& name, const std::string& path, const Result<std::string>& configText,
                        Result<WeightFiles> files, const MakeTokenizer& makeTokenizer, const Soon& soon)
{
    Model model = TRY(begunModel(name, path, configText, std::move(files)));
    if (soon)
        soon(outlineOf(model));
    const Family& family = **findRow(families(), model.architecture.type, "model_type");
    if (family.fromWeights)
        family.fromWeights(*model.files, model.architecture);
    TRY(readWeights(model, family));
    const bool says = model.head.outputs() > 0;
    if (!says)
        model.architecture.maskToken.reset();
    else if (!model.architecture.causal && !model.architecture.maskToken)
        model.architecture.maskToken = maskTokenOf(name, model.architecture.vocabulary);
    if (says && !model.architecture.causal && !model.architecture.maskToken)
        return failure(ErrorKind::Unavailable, path + " is an encoder's, and neither it (mask_token_id) nor vocab.txt, "
                                                      "vocab.json or tokenizer.json ([MASK], <mask>) says "
                                                      "what stands for a hidden token");
    if (auto tokenizer = makeTokenizer())
        model.tokenizer = std::move(*tokenizer);
    else
        model.withoutTokenizer = tokenizer.error().message;
    settleBegin(model.architecture, name, model.tokenizer.get());
    return model;
}

std::string configOf(const std::string& folder) { return (std::filesystem::path(folder) / "config.json").string(); }

std::string configOf(const GgufModel& file)
{
    return file.config.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<std::string> configIn(const std::string& folder)
{
    std::error_code ignored;
    if (!std::filesystem::is_directory(folder, ignored))
        return failure(ErrorKind::NotFound,
                       "{}: no such folder; give the folder of a model, with config.json and model.safetensors in it, "
                       "a .gguf file, or a model that comes with the program: {}",
                       folder, joined(shippedModels(), ", ", &ShippedModel::id));
    if (!std::filesystem::exists(configOf(folder), ignored))
        return failure(
            ErrorKind::NotFound,
            "{}: no model is in this folder, which has no config.json; give the one that has config.json and "
            "model.safetensors in it, or a .gguf file",
            folder);
    return readText(configOf(folder), longestConfig);
}

}  // namespace

Result<Model> openShipped(const ShippedModel& model)
{
    const auto text = [](const Embedded& file) {
        return std::string(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    };
    return readModel(
        model.id, configOf(model.id), text(model.config()), WeightFiles::fromMemory(model.weights().bytes, model.id),
        [&] { return readTokenizerJson(text(model.tokenizer()), std::string(model.tokenizer().name)); }, {});
}

Result<Model> openModel(const std::string& folder, const Soon& soon)
{
    if (const ShippedModel* shipped = shippedModelAt(folder))
        return openShipped(*shipped);
    if (isGgufFile(folder)) {
        GgufModel file = TRY(openGguf(folder).map_error(faultOfFile));
        return readModel(folder, folder, configOf(file), std::move(file.weights), file.tokenizer, soon);
    }
    const auto config = TRY(configIn(folder));
    return readModel(
        folder, configOf(folder), config, WeightFiles::open(folder), [&] { return openTokenizer(folder); }, soon);
}

Result<void> checkModel(const std::string& folder, const std::stop_token& stop)
{
    if (shippedModelAt(folder))
        return {};
    if (isGgufFile(folder)) {
        TRY(unlessStopped(stop));
        GgufModel file = TRY(openGguf(folder).map_error(faultOfFile));
        TRY(unlessStopped(stop));
        return begunModel(folder, folder, configOf(file), std::move(file.weights)).map([](const Model&) {});
    }
    TRY(unlessStopped(stop));
    const auto config = TRY(configIn(folder));
    TRY(unlessStopped(stop));
    return begunModel(folder, configOf(folder), config, WeightFiles::open(folder)).map([](const Model&) {});
}

}  // namespace attnscope

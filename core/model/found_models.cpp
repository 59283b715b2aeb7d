#include "core/model/found_models.h"

#include "core/base/choice.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/model/families/families.h"
#include "core/model/gguf_model.h"
#include "core/tensor/byte_source.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

namespace attnscope {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Models = std::vector<FoundModel>;

constexpr std::uint64_t longestDescription = 1 << 20;
constexpr int mostEntries = 20000;  // that a walk looks at: the folders are anybody's
constexpr int deepest = 6;

/// The first of the variables that is set, with what follows it there; else below the home folder.
fs::path folderOf(std::initializer_list<std::pair<const char*, const char*>> variables, const char* below)
{
    for (const auto& [variable, then] : variables)
        if (const char* value = std::getenv(variable); value && *value)
            return fs::path(value) / then;
    const char* home = std::getenv("HOME");
    return home && *home ? fs::path(home) / below : fs::path();
}

/// Files below a folder, with their places as paths from there, in the order of their names. Links to folders are not
/// followed, so a walk ends.
std::vector<fs::path> filesBelow(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
    for (int looked = 0; !error && at != fs::recursive_directory_iterator() && looked < mostEntries;
         at.increment(error), ++looked) {
        std::error_code ignored;
        if (at.depth() >= deepest)
            at.disable_recursion_pending();
        if (at->is_regular_file(ignored))
            files.push_back(at->path().lexically_relative(folder));
    }
    std::ranges::sort(files);
    return files;
}

std::uint64_t sizeOf(const fs::path& file)
{
    std::error_code error;
    const auto size = fs::file_size(file, error);
    return error ? 0 : size;
}

Json descriptionIn(const fs::path& file)
{
    const auto read = readText(file.string(), longestDescription).and_then([&](const std::string& text) {
        return parseJson(text, file.string());
    });
    return read && read->is_object() ? *read : Json::object();
}

std::string textIn(const Json& object, const char* key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The models among the .gguf files of a folder: of one in several files its first, and nothing of what only helps
/// others.
void addGgufFiles(const fs::path& folder, const char* program, Models& models)
{
    for (const fs::path& file : filesBelow(folder)) {
        const std::string stem = file.stem().string();
        if (file.extension() != ".gguf" || stem.starts_with("mmproj"))
            continue;
        const fs::path path = folder / file;
        const auto parts = partsOfGguf(path.string());
        if (!parts || parts->front() != path.string())
            continue;
        FoundModel model{program, stem, path.string(), 0, quantisationIn(stem)};
        for (const std::string& part : *parts)
            model.bytes += sizeOf(part);
        models.push_back(std::move(model));
    }
}

/// "sha256:0d0e..." is the file blobs/sha256-0d0e...; none for a text that is no digest, and so might lead elsewhere.
std::optional<fs::path> blobOf(const fs::path& models, const Json& described)
{
    std::string digest = textIn(described, "digest");
    if (!digest.starts_with("sha256:") || !std::all_of(digest.begin() + 7, digest.end(), [](char c) {
            return ('0' <= c && c <= '9') || ('a' <= c && c <= 'f');
        }))
        return std::nullopt;
    digest[6] = '-';
    std::error_code ignored;
    const fs::path blob = models / "blobs" / digest;
    return fs::is_regular_file(blob, ignored) ? std::optional(blob) : std::nullopt;
}

/// manifests/registry.ollama.ai/library/llama3.2/1b names the blobs of llama3.2:1b; of other places the name begins
/// with them.
void addOllama(const fs::path& folder, Models& models)
{
    const fs::path manifests = folder / "manifests";
    for (const fs::path& file : filesBelow(manifests)) {
        const Json manifest = descriptionIn(manifests / file);
        const auto layers = manifest.find("layers"), config = manifest.find("config");
        if (layers == manifest.end() || !layers->is_array())
            continue;
        std::string name = file.parent_path().generic_string();
        for (const std::string_view usual : {"registry.ollama.ai/library/", "registry.ollama.ai/"})
            if (name.starts_with(usual)) {
                name.erase(0, usual.size());
                break;
            }
        for (const Json& layer : *layers) {
            const auto blob = blobOf(folder, layer);
            if (textIn(layer, "mediaType") != "application/vnd.ollama.image.model" || !blob)
                continue;
            const auto about = config == manifest.end() ? std::nullopt : blobOf(folder, *config);
            models.push_back({"Ollama", name + ":" + file.filename().string(), blob->string(), sizeOf(*blob),
                              about ? textIn(descriptionIn(*about), "file_type") : ""});
            break;  // further ones are parts of it: of pictures
        }
    }
}

bool isRun(const std::string& modelType)
{
    return findRow(families(), modelType, "model_type") || findRow(wrappers(), modelType, "model_type");
}

/// models--ORGANISATION--NAME/snapshots/REVISION: of several revisions the one that `main` is.
void addHub(const fs::path& folder, Models& models)
{
    std::error_code error;
    std::vector<fs::path> repositories;
    for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error))
        if (at->path().filename().string().starts_with("models--"))
            repositories.push_back(at->path());
    std::ranges::sort(repositories);
    for (const fs::path& repository : repositories) {
        const auto main = readText((repository / "refs" / "main").string(), longestDescription);
        const std::string revision(trimmed(main.value_or("")));
        if (revision.empty() || revision.find('/') != revision.npos || revision.starts_with('.'))
            continue;
        const fs::path snapshot = repository / "snapshots" / revision;
        addGgufFiles(snapshot, "Hugging Face", models);
        const Json config = descriptionIn(snapshot / "config.json");
        if (!isRun(textIn(config, "model_type")))
            continue;
        std::string name = repository.filename().string().substr(8);
        if (const std::size_t between = name.find("--"); between != name.npos)
            name.replace(between, 2, "/");
        FoundModel model{"Hugging Face", name, snapshot.string(), 0, ""};
        for (const fs::path& file : filesBelow(snapshot))
            if (file.extension() == ".safetensors" && !file.has_parent_path())
                model.bytes += sizeOf(snapshot / file);
        static const std::map<std::string, const char*> dtypes{
            {"float32", "F32"}, {"float16", "F16"}, {"bfloat16", "BF16"}};
        for (const char* key : {"torch_dtype", "dtype"})
            if (const auto found = dtypes.find(textIn(config, key)); found != dtypes.end())
                model.quantisation = found->second;
        if (model.bytes > 0)
            models.push_back(std::move(model));
    }
}

}  // namespace

std::string quantisationIn(const std::string& name)
{
    std::string upper = name;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    static constexpr std::string_view kinds[]{"F32", "F16", "FP16", "BF16", "MXFP4"};
    std::string found;
    for (std::size_t at = 0; at < upper.size();) {  // words between dots and dashes; those within Q4_K_M stay
        const std::size_t end = std::min(upper.find_first_of(".-", at), upper.size());
        const std::string_view word = std::string_view(upper).substr(at, end - at);
        const std::string_view digits = word.substr(std::min<std::size_t>(word.starts_with("IQ") ? 2 : 1, word.size()));
        const bool quantised = (word.starts_with('Q') || word.starts_with("IQ")) && digits.size() >= 3 &&
                               '1' <= digits[0] && digits[0] <= '8' && digits[1] == '_';
        if (quantised || std::ranges::find(kinds, word) != std::end(kinds))
            found = word;
        at = end + 1;
    }
    return found;
}

std::vector<FoundModel> foundModels()
{
    Models models;
    addOllama(folderOf({{"OLLAMA_MODELS", ""}}, ".ollama/models"), models);
    addOllama("/usr/share/ollama/.ollama/models", models);  // where it runs as a service
    addGgufFiles(folderOf({}, ".lmstudio/models"), "LM Studio", models);
    addGgufFiles(folderOf({{"XDG_CACHE_HOME", "lm-studio/models"}}, ".cache/lm-studio/models"), "LM Studio", models);
    addGgufFiles(folderOf({{"LLAMA_CACHE", ""}, {"XDG_CACHE_HOME", "llama.cpp"}}, ".cache/llama.cpp"), "llama.cpp",
                 models);
    addHub(folderOf({{"HF_HUB_CACHE", ""}, {"HF_HOME", "hub"}, {"XDG_CACHE_HOME", "huggingface/hub"}},
                    ".cache/huggingface/hub"),
           models);
    return models;
}

}  // namespace attnscope

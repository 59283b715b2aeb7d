#include "core/tensor/byte_source.h"
#include "core/tensor/head_file.h"
#include "core/tensor/head_names.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

namespace attnscope {

namespace {

using Names = std::map<std::string_view, const TensorInfo*>;

bool hasRank(const TensorInfo& tensor, std::size_t most)
{
    return !tensor.unreadable && tensor.shape.size() >= 2 && tensor.shape.size() <= most;
}
constexpr std::size_t mostAxes = 4, mostOfFinished = 5;

/// "W_query", "layers.0.self_attn.q_proj.weight": a matrix of the model, not something that a token has.
bool isProjection(std::string_view name, const Counterpart& word)
{
    const std::string_view found = name.substr(word.wordBegin, word.wordEnd - word.wordBegin);
    const bool w =
        found.front() == 'W' || found.front() == 'w' || lowered(name.substr(0, word.wordBegin)).ends_with("w_");
    return w || lowered(name).ends_with(".weight");
}

/// Layers that make queries, keys and more with one matrix, as models name them.
constexpr std::array fusedLayers{"c_attn", "query_key_value", "qkv_proj", "Wqkv", "qkv", "attn_qkv", "in_proj"};

/// "layers.0.self_attn.q_proj.weight", (outputs, inputs): certainly the matrix of a layer, for what a layer gives has
/// its name, and no parameter's. W_query, or more axes, may be one: that is a guess, and is opened and said.
bool isWeightOfLayer(const TensorInfo& tensor)
{
    return tensor.shape.size() == 2 && (tensor.name.ends_with(".weight") || tensor.name.ends_with("in_proj_weight"));
}

bool makesQueries(const TensorInfo& weight)
{
    const std::string_view layer = std::string_view(weight.name).substr(0, weight.name.size() - 7);  // "_weight"
    return !keyNames(weight.name).empty() || std::ranges::any_of(fusedLayers, [&](std::string_view fused) {
        return layer.ends_with(fused) &&
               (layer.size() == fused.size() || layer[layer.size() - fused.size() - 1] == '.');
    });
}

/// What comes before the word, without the separator: "layer3.q" -> "layer3".
std::string labelOf(const HeadCandidate& candidate, std::string_view name, std::size_t wordBegin,
                    const std::string& path)
{
    std::string_view prefix = name.substr(0, wordBegin);
    for (const std::string_view hook : {"hook_rot_", "hook_", "W_", "w_"})
        if (prefix.ends_with(hook)) {
            prefix.remove_suffix(hook.size());
            break;
        }
    prefix = prefix.substr(0, prefix.find_last_not_of("._/- ") + 1);
    std::string label = prefix.empty() ? std::filesystem::path(path).stem().string() : std::string(prefix);
    if (candidate.preRope)
        label += ", before RoPE";
    if (candidate.projection)
        label += ", projections";
    return label;
}

std::optional<HeadCandidate> pairOf(const TensorInfo& query, const Names& names, const std::string& path)
{
    if (isWeightOfLayer(query))
        return std::nullopt;
    for (const Counterpart& counterpart : keyNames(query.name)) {
        const auto key = names.find(counterpart.name);
        if (key == names.end() || key->second->shape.size() != query.shape.size())
            continue;
        HeadCandidate candidate{.label = {}, .query = query.name, .key = counterpart.name, .holds = {}, .layout = {}};
        candidate.projection = isProjection(query.name, counterpart);
        const std::string rotated = rotatedName(query.name);
        candidate.preRope = saysPreRope(query.name) || (!rotated.empty() && names.contains(rotated));
        candidate.label = labelOf(candidate, query.name, counterpart.wordBegin, path);
        return candidate;
    }
    return std::nullopt;
}

/// A tensor that stacks the attentions of layers is a candidate a layer.
std::vector<HeadCandidate> layerByLayer(const TensorFile& file, std::vector<HeadCandidate> candidates)
{
    constexpr std::int64_t mostLayers = 1024;
    std::vector<HeadCandidate> all;
    for (HeadCandidate& candidate : candidates) {
        const std::vector<std::int64_t>& shape = (*file.find(candidate.query))->shape;
        if (shape.size() < mostOfFinished || shape[0] < 2 || shape[0] > mostLayers) {
            all.push_back(std::move(candidate));
            continue;
        }
        for (std::int64_t layer = 0; layer < shape[0]; ++layer) {
            all.push_back(candidate);
            all.back().label += fmt::format(", layer {}", layer);
            all.back().batch = layer * shape[1];
        }
    }
    return all;
}

/// Below are the better offers.
int rankOf(const HeadCandidate& candidate)
{
    return candidate.projection ? 3 : !candidate.holds.empty() ? 2 : candidate.preRope ? 1 : 0;
}

}  // namespace

std::vector<HeadCandidate> findCandidates(const TensorFile& file)
{
    Names names;
    for (const TensorInfo& tensor : file.tensors())
        names.emplace(tensor.name, &tensor);
    std::vector<HeadCandidate> candidates;
    for (const TensorInfo& tensor : file.tensors()) {
        if (!hasRank(tensor, mostOfFinished))
            continue;
        if (auto pair = hasRank(tensor, mostAxes) ? pairOf(tensor, names, file.path()) : std::nullopt)
            candidates.push_back(std::move(*pair));
        else if (const std::string_view holds = heldBy(tensor.name); !holds.empty())
            candidates.push_back(
                {.label = tensor.name, .query = tensor.name, .key = {}, .holds = std::string(holds), .layout = {}});
    }
    // a file of one square tensor: there is nothing else that it could be
    if (candidates.empty() && file.tensors().size() == 1) {
        const TensorInfo& only = file.tensors().front();
        if (hasRank(only, mostOfFinished) && only.shape.back() == only.shape[only.shape.size() - 2])
            candidates.push_back({.label = only.name, .query = only.name, .key = {}, .holds = "weights", .layout = {}});
    }
    std::optional<HeadsBeside> beside;
    std::erase_if(candidates, [&](HeadCandidate& candidate) {
        const auto reading = readLayout(
            file, {.path = file.path(), .query = candidate.query, .key = candidate.key, .holds = candidate.holds},
            &beside);
        if (reading) {
            candidate.layout = reading->layout->id;
            candidate.headCount = reading->headCount;
        }
        return !reading;
    });
    candidates = layerByLayer(file, std::move(candidates));
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const HeadCandidate& a, const HeadCandidate& b) { return rankOf(a) < rankOf(b); });
    return candidates;
}

std::optional<std::string> modelFolderOf(const std::string& path)
{
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored) || !std::filesystem::exists(folder / "config.json", ignored))
        return std::nullopt;
    return folder.empty() ? "." : folder.string();
}

std::optional<Error> weightsOfModel(const TensorFile& file)
{
    const auto found = std::ranges::find_if(
        file.tensors(), [](const TensorInfo& tensor) { return isWeightOfLayer(tensor) && makesQueries(tensor); });
    if (found == file.tensors().end() || !findCandidates(file).empty())
        return std::nullopt;
    const auto folder = modelFolderOf(file.path());
    const bool itself = file.path().ends_with(".gguf");
    const std::string model = itself ? file.path() : folder.value_or("FOLDER");
    return Error{ErrorKind::DataError,
                 file.path() + ": the weights of a model, not queries and keys of tokens: " + inQuotes(found->name) +
                     " " + describeShape(found->shape) + " is the matrix of a layer. " +
                     (itself   ? std::string("Open it as a model")
                      : folder ? "Its folder " + *folder + " is the model: open that"
                               : std::string("Open the model, a folder with its config.json beside this file")) +
                     "; attnscope model " + model +
                     " --text FILE --save-qk HEADS.safetensors saves the queries and keys that it makes of a text. To "
                     "look at the weights all the same, name both, queries and keys"};
}

std::string describeHeads(const TensorSelection& selection)
{
    if (selection.mean.size() < 2)
        return fmt::format("head {}", selection.mean.empty() ? selection.head : selection.mean.front());
    std::string text;
    for (std::size_t i = 0; i < selection.mean.size();) {
        std::size_t end = i + 1;  // of a run of neighbours
        while (end < selection.mean.size() && selection.mean[end] == selection.mean[end - 1] + 1)
            ++end;
        text += (text.empty() ? "" : ", ") + std::to_string(selection.mean[i]);
        if (end - i > 2)
            text += "-" + std::to_string(selection.mean[end - 1]);
        else if (end - i == 2)
            text += fmt::format(", {}", selection.mean[end - 1]);
        i = end;
    }
    return "mean of heads " + text;
}

Result<TensorSelection> resolveSelection(const TensorFile& file, const TensorSelection& selection)
{
    TensorSelection full = selection;
    if (selection.query.empty() || (selection.key.empty() && selection.holds.empty())) {
        const std::vector<HeadCandidate> candidates = findCandidates(file);
        const auto fits = [&](const HeadCandidate& candidate) {
            return (selection.query.empty() || selection.query == candidate.query) &&
                   (selection.key.empty() || selection.key == candidate.key) &&
                   (selection.holds.empty() || selection.holds == candidate.holds);
        };
        const auto found = std::find_if(candidates.begin(), candidates.end(), fits);
        if (found != candidates.end()) {
            full.query = found->query;
            full.key = found->key;
            full.holds = found->holds;
        } else {
            for (const std::string& name : {selection.query, selection.key})
                if (!name.empty())
                    TRY(file.find(name));
            if (const Error* unreadable = file.firstUnreadable(); unreadable && candidates.empty())
                return tl::unexpected<Error>(*unreadable);
            if (auto weights = weightsOfModel(file))
                return tl::unexpected<Error>(std::move(*weights));
            if (selection.query.empty() && selection.key.empty())
                return failure(ErrorKind::DataError, "{}: no tensors are named like {}; choose them by name",
                               file.path(),
                               selection.holds.empty() ? "queries and keys (q and k, query and key, q_proj and k_proj)"
                                                       : "attention " + selection.holds);
            return failure(ErrorKind::InvalidArgument,
                           "{}: nothing is named like the counterpart of {}; name both queries and keys", file.path(),
                           inQuotes(selection.query.empty() ? selection.key : selection.query));
        }
    }
    return readLayout(file, full).map([&](const LayoutReading& reading) {
        full.layout = reading.layout->id;
        full.headCount = reading.headCount;
        return full;
    });
}

std::vector<HeadCandidate> layersAmong(std::vector<HeadCandidate> candidates)
{
    std::erase_if(candidates,
                  [first = candidates.empty() ? HeadCandidate{} : candidates.front()](const HeadCandidate& one) {
                      return one.projection || one.preRope != first.preRope || one.holds != first.holds;
                  });
    return candidates;
}

}  // namespace attnscope

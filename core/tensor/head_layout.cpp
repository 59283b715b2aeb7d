#include "core/base/json_reader.h"
#include "core/tensor/byte_source.h"
#include "core/tensor/head_file.h"
#include "core/tensor/head_names.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace attnscope {

namespace {

Layout makeLayout(std::string id, std::string label, std::string about, std::vector<Axis> axes)
{
    Layout layout;
    layout.id = std::move(id);
    layout.label = std::move(label);
    layout.formula = layout.label;
    layout.about = std::move(about);
    layout.axes = std::move(axes);
    return layout;
}

struct AxisName {
    std::string_view name;
    Axis axis;
};
constexpr std::array<AxisName, 30> axisNames{{
    {"batch", Axis::Batch},      {"b", Axis::Batch},         {"batch_size", Axis::Batch},
    {"heads", Axis::Heads},      {"head", Axis::Heads},      {"h", Axis::Heads},
    {"n_heads", Axis::Heads},    {"num_heads", Axis::Heads}, {"head_index", Axis::Heads},
    {"tokens", Axis::Tokens},    {"token", Axis::Tokens},    {"t", Axis::Tokens},
    {"n", Axis::Tokens},         {"pos", Axis::Tokens},      {"position", Axis::Tokens},
    {"positions", Axis::Tokens}, {"seq", Axis::Tokens},      {"seq_len", Axis::Tokens},
    {"sequence", Axis::Tokens},  {"length", Axis::Tokens},   {"queries", Axis::Tokens},
    {"dim", Axis::Dim},          {"d", Axis::Dim},           {"head_dim", Axis::Dim},
    {"d_head", Axis::Dim},       {"head_size", Axis::Dim},   {"hidden", Axis::Dim},
    {"keys", Axis::Dim},         {"key_tokens", Axis::Dim},  {"d_k", Axis::Dim},
}};

/// "heads, tokens, head_dim" -> {Heads, Tokens, Dim}; empty where a word is not known.
std::vector<Axis> axesOf(std::string_view text)
{
    std::vector<Axis> axes;
    std::string word;
    for (const char c : lowered(text) + ",") {
        if ((c >= 'a' && c <= 'z') || c == '_') {
            word += c;
        } else if (!word.empty()) {
            const auto row = std::find_if(axisNames.begin(), axisNames.end(),
                                          [&](const AxisName& name) { return name.name == word; });
            if (row == axisNames.end())
                return {};
            axes.push_back(row->axis);
            word.clear();
        }
    }
    return axes;
}

const Layout* layoutWith(std::span<const Axis> axes)
{
    const auto all = layouts();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Layout& layout) { return std::ranges::equal(layout.axes, axes); });
    return found == all.end() ? nullptr : &*found;
}

const Layout& layoutNamed(std::string_view id)
{
    const auto all = layouts();
    return *std::find_if(all.begin(), all.end(), [&](const Layout& layout) { return layout.id == id; });
}

HeadsBeside readHeadsBeside(const std::string& path)
{
    const auto config = (std::filesystem::path(path).parent_path() / "config.json").string();
    constexpr std::uint64_t longestConfig = 1 << 18;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored) || !std::filesystem::is_regular_file(config, ignored))
        return {};
    const auto json =
        readText(config, longestConfig).and_then([&](const std::string& text) { return parseJson(text, config); });
    if (!json || !json->is_object())
        return {};
    const nlohmann::json& fields = json->contains("text_config") ? (*json)["text_config"] : *json;
    const auto number = [&](std::initializer_list<const char*> keys) -> std::int64_t {
        constexpr std::int64_t most = 1 << 20;
        for (const char* key : keys)
            if (fields.is_object() && fields.contains(key) && fields[key].is_number_unsigned())
                return std::min(fields[key].get<std::uint64_t>(), std::uint64_t{most});
        return 0;
    };
    HeadsBeside heads{.queries = number({"num_attention_heads", "n_head", "num_heads"}),
                      .keys = number({"num_key_value_heads", "n_head_kv"}),
                      .size = number({"head_dim"})};
    if (heads.keys == 0)
        heads.keys = heads.queries;
    if (const std::int64_t width = number({"hidden_size", "n_embd"}); heads.size == 0 && heads.queries > 0)
        heads.size = width / heads.queries;
    return heads;
}

const HeadsBeside& headsBeside(const TensorFile& file, std::optional<HeadsBeside>& beside)
{
    if (!beside)
        beside = readHeadsBeside(file.path());
    return *beside;
}

/// Which of the two axes behind the batch is the heads'.
enum class HeadAxis { First, Second, Unknown };

/// Keys that are grouped have fewer heads, and these divide the queries'; an axis that differs otherwise is of tokens.
struct UnlikeAxis {
    HeadAxis heads = HeadAxis::Unknown;
    std::size_t differs = 0;
    bool grouped = false;  ///< or, more rarely, so many times more queries than keys
};
UnlikeAxis byUnlikeAxis(const std::array<std::int64_t, 2>& query, const std::array<std::int64_t, 2>& key)
{
    if ((query[0] == key[0]) == (query[1] == key[1]))
        return {};
    UnlikeAxis axis{.differs = query[0] == key[0] ? 1U : 0U};
    axis.grouped = key[axis.differs] > 0 && query[axis.differs] % key[axis.differs] == 0;
    axis.heads = (axis.differs == 0) == axis.grouped ? HeadAxis::First : HeadAxis::Second;
    return axis;
}

HeadAxis byConfig(const HeadsBeside& heads, const std::array<std::int64_t, 2>& query,
                  const std::array<std::int64_t, 2>& key)
{
    const auto fits = [&](std::size_t axis) {
        return heads.queries > 0 && query[axis] == heads.queries &&
               (key[axis] == heads.keys || key[axis] == query[axis]);
    };
    if (fits(0) == fits(1))
        return HeadAxis::Unknown;
    return fits(0) ? HeadAxis::First : HeadAxis::Second;
}

std::string layoutId(std::size_t rank, bool tokensFirst)
{
    return std::string(rank == 4 ? "batch_" : "") + (tokensFirst ? "tokens_heads_dim" : "heads_tokens_dim");
}

/// Grouped heads, and the other reading: as many heads of queries and of keys, of which the queries are a multiple.
/// None where it is far-fetched: one head, or at least as many heads as keys.
LayoutReading groupedReading(const TensorInfo& query, const std::array<std::int64_t, 2>& of,
                             const std::array<std::int64_t, 2>& keys, std::size_t differs, const Layout& taken,
                             const Layout& other)
{
    const std::int64_t same = of[1 - differs];
    LayoutReading reading{&taken, 0, {}, nullptr};
    if (same < 2 || same >= keys[differs])
        return reading;
    reading.other = &other;
    reading.doubts = fmt::format(
        "which axis of {} {} is of heads is a guess: {} heads of {} tokens on {} key heads are taken; it may be {} "
        "heads of {} queries and {} keys (layout {})",
        inQuotes(query.name), describeShape(query.shape), of[differs], same, keys[differs], same, of[differs],
        keys[differs], other.id);
    return reading;
}

/// Queries and keys of three or four axes, of which two are tokens and heads.
LayoutReading readHeadAxes(const TensorFile& file, const TensorInfo& query, const TensorInfo& key,
                           std::optional<HeadsBeside>& beside)
{
    const std::size_t rank = query.shape.size(), at = rank - 3;
    const std::array<std::int64_t, 2> of{query.shape[at], query.shape[at + 1]}, keys{key.shape[at], key.shape[at + 1]};
    const UnlikeAxis unlike = byUnlikeAxis(of, keys);
    HeadAxis heads = unlike.grouped ? HeadAxis::Unknown : unlike.heads;
    if (heads == HeadAxis::Unknown && query.name.find("hook_") != std::string::npos)
        heads = HeadAxis::Second;
    if (heads == HeadAxis::Unknown)
        heads = byConfig(headsBeside(file, beside), of, keys);
    if (heads != HeadAxis::Unknown)
        return {&layoutNamed(layoutId(rank, heads == HeadAxis::Second)), 0, {}, nullptr};
    if (unlike.grouped) {
        const bool second = unlike.heads == HeadAxis::Second;
        return groupedReading(query, of, keys, unlike.differs, layoutNamed(layoutId(rank, second)),
                              layoutNamed(layoutId(rank, !second)));
    }
    const bool tokensFirst = std::max(of[0], keys[0]) > std::max(of[1], keys[1]);
    const std::int64_t headCount = of[tokensFirst ? 1 : 0], tokens = of[tokensFirst ? 0 : 1];
    LayoutReading reading{&layoutNamed(layoutId(rank, tokensFirst)), 0, {}, nullptr};
    // one head of many tokens goes without saying, but not where its axis stands first, as that of few heads would
    constexpr std::int64_t mostHeads = 256;
    if ((of[0] != 1 && of[1] != 1) || (tokensFirst && tokens > 1 && tokens <= mostHeads))
        reading.other = &layoutNamed(layoutId(rank, !tokensFirst)),
        reading.doubts = fmt::format("which axis of {} {} is of heads is a guess: {} heads of {} tokens are taken, the "
                                     "longer axis; it may be {} heads of {} tokens (layout {})",
                                     inQuotes(query.name), describeShape(query.shape), headCount, tokens, tokens,
                                     headCount, layoutId(rank, !tokensFirst));
    return reading;
}

/// Projections of a model, (tokens, heads x size) or (1, tokens, heads x size): heads side by side.
LayoutReading readFlat(const TensorFile& file, const TensorInfo& query, const TensorInfo& key,
                       std::optional<HeadsBeside>& beside)
{
    const bool batched = query.shape.size() == 3;
    LayoutReading reading{&layoutNamed(batched ? "batch_tokens_dim" : "tokens_dim"), 0, {}, nullptr};
    const HeadsBeside& heads = headsBeside(file, beside);
    const std::int64_t width = query.shape.back();
    if (heads.queries > 1 && heads.size > 0 && width == heads.queries * heads.size &&
        key.shape.back() == heads.keys * heads.size) {
        reading.headCount = static_cast<int>(heads.queries);
        return reading;
    }
    if (batched)
        reading.layout = &layoutNamed("heads_tokens_dim");
    reading.doubts =
        fmt::format("{} {} is taken as one head of size {}, which is a guess: projections have their heads side by "
                    "side; say how many with --head-count, or put the model's config.json beside the file",
                    inQuotes(query.name), describeShape(query.shape), width);
    return reading;
}

}  // namespace

std::span<const Layout> layouts()
{
    static const std::array<Layout, 7> rows{
        makeLayout("tokens_dim", "(tokens, dim)", "One head.", {Axis::Tokens, Axis::Dim}),
        makeLayout("heads_tokens_dim", "(heads, tokens, dim)", "Head by head, as PyTorch's attention wants it.",
                   {Axis::Heads, Axis::Tokens, Axis::Dim}),
        makeLayout("tokens_heads_dim", "(tokens, heads, dim)", "Token by token, as a projection gives it.",
                   {Axis::Tokens, Axis::Heads, Axis::Dim}),
        makeLayout("batch_tokens_dim", "(batch, tokens, dim)", "A batch of projections; one of them is shown.",
                   {Axis::Batch, Axis::Tokens, Axis::Dim}),
        makeLayout("batch_heads_tokens_dim", "(batch, heads, tokens, dim)",
                   "A batch of sequences; one of them is shown.", {Axis::Batch, Axis::Heads, Axis::Tokens, Axis::Dim}),
        makeLayout("batch_tokens_heads_dim", "(batch, tokens, heads, dim)",
                   "A batch of sequences, tokens before heads; one of them is shown.",
                   {Axis::Batch, Axis::Tokens, Axis::Heads, Axis::Dim}),
        makeLayout("layers_batch_heads_tokens_dim", "(layers, batch, heads, tokens, dim)",
                   "Every layer's attentions, stacked; one element of both is shown.",
                   {Axis::Batch, Axis::Batch, Axis::Heads, Axis::Tokens, Axis::Dim}),
    };
    return rows;
}

Result<LayoutReading> readLayout(const TensorFile& file, const TensorSelection& selection,
                                 std::optional<HeadsBeside>* beside)
{
    std::optional<HeadsBeside> ownBeside;
    std::optional<HeadsBeside>& known = beside ? *beside : ownBeside;
    const TensorInfo* query = TRY(file.find(selection.query));
    const bool finished = !selection.holds.empty();
    const TensorInfo* key = finished ? query : TRY(file.find(selection.key));
    const std::string where = file.path() + ": tensor " + inQuotes(selection.query) + ": ";
    const std::size_t rank = query->shape.size(), most = finished ? 5 : 4;
    if (rank < 2 || rank > most)
        return failure(ErrorKind::DataError, "{}shape {} has {} axes; 2 to {} are wanted, as in (heads, tokens, dim)",
                       where, describeShape(query->shape), rank, most);
    if (key->shape.size() != rank)
        return failure(ErrorKind::DataError,
                       "{}shape {} and the keys' {} have different numbers of axes; reshape one of them", where,
                       describeShape(query->shape), describeShape(key->shape));
    LayoutReading reading{nullptr, selection.headCount, {}, nullptr};
    if (!selection.layout.empty()) {
        reading.layout = TRY(findRow(layouts(), selection.layout, "layout"));
        if (reading.layout->axes.size() != rank)
            return failure(ErrorKind::DataError, "{}layout {} has {} axes, but the shape is {}; choose another layout",
                           where, reading.layout->id, reading.layout->axes.size(), describeShape(query->shape));
        return reading;
    }
    if (selection.headCount > 0) {
        if (finished || rank > 3)
            return failure(ErrorKind::DataError,
                           "{}heads that lie side by side are wanted in (tokens, heads x dim) or (batch, tokens, heads "
                           "x dim), not in {}",
                           where, describeShape(query->shape));
        reading.layout = &layoutNamed(rank == 2 ? "tokens_dim" : "batch_tokens_dim");
        return reading;
    }
    if (const auto said = file.metadata().find("layout"); said != file.metadata().end())
        if (const Layout* layout = layoutWith(axesOf(said->second)); layout && layout->axes.size() == rank)
            return reading.layout = layout, reading;
    if (finished)
        return reading.layout = &layoutNamed(rank == 2   ? "tokens_dim"
                                             : rank == 3 ? "heads_tokens_dim"
                                             : rank == 4 ? "batch_heads_tokens_dim"
                                                         : "layers_batch_heads_tokens_dim"),
               reading;
    // a row of a projection is a token's, of all heads: its name says so, and its first axis is a batch of one
    const std::string name = lowered(query->name);
    if (name.find("_proj") != std::string::npos && !name.ends_with(".weight") &&
        (rank == 2 || (rank == 3 && query->shape[0] == 1)))
        return readFlat(file, *query, *key, known);
    if (rank == 2)
        return reading.layout = &layoutNamed("tokens_dim"), reading;
    return readHeadAxes(file, *query, *key, known);
}

Result<const Layout*> layoutOf(const TensorFile& file, const TensorSelection& selection)
{
    return readLayout(file, selection).map([](const LayoutReading& reading) { return reading.layout; });
}

}  // namespace attnscope

#include "core/tensor/byte_source.h"
#include "core/tensor/head_file.h"
#include "core/tensor/head_names.h"

#include <algorithm>
#include <array>

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

/// By shape: tokens are the longer of the two axes that could be tokens or heads. TransformerLens' hooks have tokens
/// first; weights and logits have heads first.
const Layout& guessed(const TensorInfo& query, const TensorInfo* key, bool finished)
{
    const std::size_t rank = query.shape.size();
    const std::size_t axis = rank - 3;  // heads, if they come before tokens
    bool tokensFirst = false;
    if (rank > 2 && !finished) {
        const std::int64_t first = std::max(query.shape[axis], key ? key->shape[axis] : 0);
        const std::int64_t second = std::max(query.shape[axis + 1], key ? key->shape[axis + 1] : 0);
        tokensFirst = first > second || query.name.find("hook_") != std::string::npos;
    }
    const auto all = layouts();
    return rank == 2 ? all[0] : rank == 3 ? all[tokensFirst ? 2 : 1] : all[tokensFirst ? 4 : 3];
}

}  // namespace

std::span<const Layout> layouts()
{
    static const std::array<Layout, 5> rows{
        makeLayout("tokens_dim", "(tokens, dim)", "One head.", {Axis::Tokens, Axis::Dim}),
        makeLayout("heads_tokens_dim", "(heads, tokens, dim)", "Head by head, as PyTorch's attention wants it.",
                   {Axis::Heads, Axis::Tokens, Axis::Dim}),
        makeLayout("tokens_heads_dim", "(tokens, heads, dim)", "Token by token, as a projection gives it.",
                   {Axis::Tokens, Axis::Heads, Axis::Dim}),
        makeLayout("batch_heads_tokens_dim", "(batch, heads, tokens, dim)",
                   "A batch of sequences; one of them is shown.", {Axis::Batch, Axis::Heads, Axis::Tokens, Axis::Dim}),
        makeLayout("batch_tokens_heads_dim", "(batch, tokens, heads, dim)",
                   "A batch of sequences, tokens before heads; one of them is shown.",
                   {Axis::Batch, Axis::Tokens, Axis::Heads, Axis::Dim}),
    };
    return rows;
}

Result<const Layout*> layoutOf(const TensorFile& file, const TensorSelection& selection)
{
    const TensorInfo* query = TRY(file.find(selection.query));
    const bool finished = !selection.holds.empty();
    const TensorInfo* key = finished ? query : TRY(file.find(selection.key));
    const std::string where = file.path() + ": tensor " + inQuotes(selection.query) + ": ";
    const std::size_t rank = query->shape.size();
    if (rank < 2 || rank > 4)
        return failure(ErrorKind::DataError, where + "shape " + describeShape(query->shape) + " has " +
                                                 std::to_string(rank) +
                                                 " axes; 2 to 4 are wanted, as in (heads, tokens, dim)");
    if (key->shape.size() != rank)
        return failure(ErrorKind::DataError, where + "shape " + describeShape(query->shape) + " and the keys' " +
                                                 describeShape(key->shape) +
                                                 " have different numbers of axes; reshape one of them");
    if (!selection.layout.empty()) {
        const auto layout = findRow(layouts(), selection.layout, "layout");
        if (layout && (*layout)->axes.size() != rank)
            return failure(ErrorKind::DataError,
                           where + "layout " + (*layout)->id + " has " + std::to_string((*layout)->axes.size()) +
                               " axes, but the shape is " + describeShape(query->shape) + "; choose another layout");
        return layout;
    }
    if (const auto said = file.metadata().find("layout"); said != file.metadata().end())
        if (const Layout* layout = layoutWith(axesOf(said->second)); layout && layout->axes.size() == rank)
            return layout;
    return &guessed(*query, finished ? nullptr : key, finished);
}

}  // namespace attnscope

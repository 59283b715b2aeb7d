#include "core/tensor/byte_source.h"
#include "core/tensor/head_file.h"
#include "core/tensor/head_names.h"
#include "core/tensor/token_labels.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

namespace attnscope {

namespace {

constexpr double lowestOfHalf = 65504;  ///< of float16, without its sign

/// What the values must be.
enum class Allowed { Finite, FiniteOrMasked, NonNegative };

/// A tensor seen through its layout. Absent axes have extent 1.
struct Placed {
    const TensorInfo* tensor;
    std::int64_t batches = 1, heads = 1, tokens = 1, dim = 1;
    Eigen::Index headStep = 0, tokenStep = 0;  ///< in the elements of one batch; the dim's is 1
};

/// `headSize`: of heads that lie side by side in the last axis; 0: they do not.
Placed placed(const TensorInfo& tensor, const Layout& layout, std::int64_t headSize)
{
    Placed out{&tensor};
    std::int64_t step = 1;
    for (std::size_t a = layout.axes.size(); a-- > 0;) {
        const std::int64_t extent = tensor.shape[a];
        switch (layout.axes[a]) {
        case Axis::Batch:
            out.batches *= extent;
            break;
        case Axis::Heads:
            out.heads = extent, out.headStep = step;
            break;
        case Axis::Tokens:
            out.tokens = extent, out.tokenStep = step;
            break;
        case Axis::Dim:
            out.dim = extent;
            if (headSize > 0)
                out.heads = extent / headSize, out.headStep = headSize, out.dim = headSize;
            break;
        }
        step *= extent;
    }
    return out;
}

std::string nameOf(const TensorFile& file, const TensorInfo& tensor)
{
    return file.path() + ": tensor " + inQuotes(tensor.name) + ": ";
}

Result<void> checkExtents(const TensorFile& file, const Placed& placed, const Layout& layout, std::int64_t batch)
{
    const std::string where = nameOf(file, *placed.tensor) + "shape " + describeShape(placed.tensor->shape) +
                              ", read as " + layout.label + ", ";
    for (std::size_t a = 0; a < layout.axes.size(); ++a)
        if (placed.tensor->shape[a] == 0)
            return failure(ErrorKind::DataError,
                           "{}has extent 0 at axis {}; there is no row to show, choose another pair", where, a);
    if (batch < 0 || batch >= placed.batches)
        return failure(ErrorKind::InvalidArgument, "{}has no batch index {}; choose 0 to {}", where, batch,
                       placed.batches - 1);
    if (placed.heads > mostHeads || placed.dim > std::numeric_limits<int>::max())
        return failure(ErrorKind::DataError, "{}has {} heads of size {}; choose another layout", where, placed.heads,
                       placed.dim);
    return {};
}

/// "[2, 17, 5]", of an element of one batch.
std::string indexText(const Placed& placed, const Layout& layout, std::int64_t batch, std::size_t element)
{
    const Box box = boxOfBatch(layout, placed.tensor->shape, batch);
    std::vector<std::int64_t> index = box.begin;
    std::size_t rest = element;
    for (std::size_t a = index.size(); a-- > 0;) {
        const auto count = static_cast<std::size_t>(box.count[a]);
        index[a] += static_cast<std::int64_t>(rest % count);
        rest /= count;
    }
    return describeShape(index);
}

Result<void> checkValues(const TensorFile& file, const Placed& placed, const Layout& layout, std::int64_t batch,
                         std::span<const float> values, Allowed allowed)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float value = values[i];
        const bool fine = allowed == Allowed::Finite ? std::isfinite(value)
                          : allowed == Allowed::NonNegative
                              ? std::isfinite(value) && value >= 0
                              : std::isfinite(value) || value == -std::numeric_limits<float>::infinity();
        if (fine)
            continue;
        const std::string what = std::isnan(value)                    ? "NaN"
                                 : std::isfinite(value)               ? "a negative weight"
                                 : placed.tensor->dtype == Dtype::F64 ? "infinity, or a number too large for float32,"
                                                                      : "infinity";
        return failure(ErrorKind::DataError, nameOf(file, *placed.tensor) + what + " at " +
                                                 indexText(placed, layout, batch, i) +
                                                 (allowed == Allowed::NonNegative && std::isfinite(value)
                                                      ? "; open it as logits, or choose another tensor"
                                                      : "; find where the model makes it, or choose another tensor"));
    }
    return {};
}

/// The largest logit that counts as a masked key. A mask is the lowest number of the model's own type, added to the
/// score or put in its place: half of what the file's type can hold is far beyond any score, and still far from where a
/// mask ends up.
double highestMask(Dtype dtype)
{
    switch (dtype) {
    case Dtype::F16:
        return -lowestOfHalf / 2;
    case Dtype::BF16:
    case Dtype::F32:
    case Dtype::F64:
        return static_cast<double>(std::numeric_limits<float>::lowest()) / 2;  // numbers are taken as float32
    default:
        return -std::numeric_limits<double>::infinity();
    }
}

/// Puts -inf in the place of every logit that stands for a masked key, and counts them.
std::int64_t markMasked(Dtype dtype, std::span<float> logits)
{
    const double highest = highestMask(dtype);
    const bool wide = numbersOfBlock(dtype) == 1 && dtypeSize(dtype) >= sizeof(float);
    std::int64_t count = 0;
    for (float& logit : logits) {
        const double value = static_cast<double>(logit);
        // a dump of a float16 model is often widened when it is saved
        if (std::isinf(value) || !(value <= highest || (value == -lowestOfHalf && wide)))
            continue;
        logit = -std::numeric_limits<float>::infinity();
        ++count;
    }
    return count;
}

Result<std::vector<Matrix>> readMatrices(const TensorFile& file, const Placed& placed, const Layout& layout,
                                         std::int64_t batch, Allowed allowed, std::int64_t* masked = nullptr)
{
    auto values = TRY(file.read<float>(*placed.tensor, boxOfBatch(layout, placed.tensor->shape, batch)));
    if (masked)
        *masked = markMasked(placed.tensor->dtype, values);
    TRY(checkValues(file, placed, layout, batch, values, allowed));
    std::vector<Matrix> heads;
    heads.reserve(static_cast<std::size_t>(placed.heads));
    for (std::int64_t h = 0; h < placed.heads; ++h)
        heads.emplace_back(Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(
            values.data() + h * placed.headStep, placed.tokens, placed.dim, Eigen::OuterStride<>(placed.tokenStep)));
    return heads;
}

Result<void> checkPair(const TensorFile& file, const Placed& query, const Placed& key)
{
    const std::string where = file.path() + ": " + inQuotes(query.tensor->name) + " " +
                              describeShape(query.tensor->shape) + " and " + inQuotes(key.tensor->name) + " " +
                              describeShape(key.tensor->shape) + ": ";
    if (query.dim != key.dim)
        return failure(ErrorKind::DataError, "{}head sizes {} and {} differ; choose another pair or layout", where,
                       query.dim, key.dim);
    if (query.heads % key.heads != 0)  // no extent is 0 here
        return failure(ErrorKind::DataError,
                       "{}{} key heads do not divide {} query heads; choose another pair or layout", where, key.heads,
                       query.heads);
    if (query.batches != key.batches)
        return failure(ErrorKind::DataError, "{}batches of {} and {}; choose another pair or layout", where,
                       query.batches, key.batches);
    return {};
}

/// A selection with everything filled in, and its tensors seen through the layout: shapes that make heads.
struct Chosen {
    TensorSelection selection;
    const Layout* layout = nullptr;
    Placed query;
    std::optional<Placed> key;  ///< none for logits and weights
};

/// The size of the heads that lie side by side in the last axis of the queries; 0 where `count` says that none do.
Result<std::int64_t> sideBySide(const TensorFile& file, const TensorInfo& query, const Layout& layout, int count)
{
    if (count <= 0)
        return 0;
    if (std::find(layout.axes.begin(), layout.axes.end(), Axis::Heads) != layout.axes.end())
        return failure(ErrorKind::DataError,
                       "{}layout {} has an axis of heads already; leave the layout, or the number of heads, away",
                       nameOf(file, query), layout.id);
    if (const std::int64_t width = query.shape.back(); width == 0 || width % count != 0)
        return failure(ErrorKind::DataError,
                       "{}{} heads do not divide its last axis of {}; choose another --head-count", nameOf(file, query),
                       count, width);
    return query.shape.back() / count;
}

Result<Chosen> chosenTensors(const TensorFile& file, const TensorSelection& selection)
{
    const auto full = TRY(resolveSelection(file, selection));
    if (!full.holds.empty() && full.holds != "logits" && full.holds != "weights")
        return failure(ErrorKind::UnknownName,
                       "tensors hold {}; known: logits, weights, or nothing for queries and keys",
                       inQuotes(full.holds));
    const Layout& layout = **findRow(layouts(), full.layout, "layout");
    const TensorInfo& query = **file.find(full.query);
    const std::int64_t headSize = TRY(sideBySide(file, query, layout, full.headCount));
    Chosen chosen{full, &layout, placed(query, layout, headSize), {}};
    if (full.holds.empty()) {
        const TensorInfo& key = **file.find(full.key);
        if (headSize > 0 && key.shape.back() % headSize != 0)
            return failure(ErrorKind::DataError,
                           "{}heads of size {} do not divide its last axis of {}; choose another --head-count",
                           nameOf(file, key), headSize, key.shape.back());
        chosen.key = placed(key, layout, headSize);
    }
    for (const Placed* part : {&chosen.query, chosen.key ? &*chosen.key : nullptr})
        if (part)
            TRY(checkExtents(file, *part, layout, full.batch));
    if (!chosen.key)
        return chosen;
    TRY(checkPair(file, chosen.query, *chosen.key));
    if (chosen.key->dim > largestHeadSize)
        return failure(ErrorKind::DataError, "{}has heads of size {}, and they may have {}; choose another layout",
                       nameOf(file, query), chosen.key->dim, largestHeadSize);
    return chosen;
}

Result<void> addTokens(const TensorFile& file, HeadSet& heads)
{
    const auto take = [&](const char* field, std::int64_t extent, const auto& beside,
                          std::vector<std::string>& target) -> Result<void> {
        const auto count = static_cast<std::size_t>(extent);
        if (const auto said = file.metadata().find(field);
            said != file.metadata().end() && said->second.starts_with('['))
            if (auto labels = parseTokenJson(said->second, file.path()); labels && labels->size() == count)
                return target = std::move(*labels), Result<void>{};
        target = TRY(beside(file.path(), count));
        return {};
    };
    TRY(take("tokens", heads.keyCount(), tokenLabelsBeside, heads.tokens));
    return take("query_tokens", heads.queryCount(), queryLabelsBeside, heads.queryTokens);
}

/// Of a file that holds one tensor, and has its name: where the keys of its queries would be, or the queries of its
/// keys.
std::vector<std::string> counterpartsBeside(const std::string& path)
{
    const std::filesystem::path file(path);
    std::vector<std::string> files;
    for (const auto& names : {keyNames(file.stem().string()), queryNames(file.stem().string())})
        for (const Counterpart& counterpart : names)
            files.push_back((file.parent_path() / (counterpart.name + file.extension().string())).string());
    return files;
}

}  // namespace

Box boxOfBatch(const Layout& layout, const std::vector<std::int64_t>& shape, std::int64_t batch)
{
    Box box{std::vector<std::int64_t>(shape.size(), 0), shape};
    for (std::size_t a = shape.size(); a-- > 0;)
        if (layout.axes[a] == Axis::Batch) {
            box.begin[a] = batch % shape[a];
            box.count[a] = 1;
            batch /= shape[a];
        }
    return box;
}

std::vector<std::string> filesOfHeads(const std::string& path)
{
    std::vector<std::string> files{path, (std::filesystem::path(path).parent_path() / "config.json").string()};
    for (const auto& beside : {counterpartsBeside(path), tokenFilesBeside(path)})
        files.insert(files.end(), beside.begin(), beside.end());
    return files;
}

Result<TensorFile> openHeadFile(const std::string& path)
{
    auto file = TensorFile::open(path);
    if (!file || file->format() != FileFormat::Npy || file->tensors().empty())
        return file;
    for (const std::string& beside : counterpartsBeside(path)) {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(beside, ignored))
            continue;
        auto other = TRY(TensorFile::open(beside));
        file->add(std::move(other));
        return file;
    }
    return file;
}

Result<HeadSizes> sizesOf(const TensorFile& file, const TensorSelection& selection)
{
    return chosenTensors(file, selection).map([](const Chosen& chosen) {
        const Placed &query = chosen.query, &key = chosen.key ? *chosen.key : chosen.query;
        HeadSizes sizes{.batches = query.batches,
                        .heads = query.heads,
                        .keyHeads = key.heads,
                        .queries = query.tokens,
                        .keys = key.tokens};
        if (chosen.key)
            sizes.headSize = static_cast<int>(query.dim);
        else
            sizes.keys = query.dim;
        return sizes;
    });
}

Result<HeadSet> loadHeads(const TensorFile& file, const TensorSelection& selection)
{
    const auto chosen = TRY(chosenTensors(file, selection));
    const std::string& holds = chosen.selection.holds;
    HeadSet heads;
    heads.kind = holds == "logits"    ? HeadSet::Kind::Logits
                 : holds == "weights" ? HeadSet::Kind::Weights
                                      : HeadSet::Kind::QueryKey;
    const Allowed allowed = holds == "logits"    ? Allowed::FiniteOrMasked
                            : holds == "weights" ? Allowed::NonNegative
                                                 : Allowed::Finite;
    heads.queries = TRY(readMatrices(file, chosen.query, *chosen.layout, chosen.selection.batch, allowed,
                                     heads.kind == HeadSet::Kind::Logits ? &heads.maskedByValue : nullptr));
    if (chosen.key)
        heads.keys = TRY(readMatrices(file, *chosen.key, *chosen.layout, chosen.selection.batch, allowed));
    TRY(addTokens(file, heads));
    HeadFacts facts = factsOf(file, chosen.selection.query);
    heads.rotated = facts.rotated.value_or(false);
    if (facts.sinks.size() == heads.queries.size())
        heads.sinks = std::move(facts.sinks);
    return heads;
}

}  // namespace attnscope

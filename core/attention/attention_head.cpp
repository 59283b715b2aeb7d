#include "core/attention/attention_head.h"

#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/tensor/copy_rows.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace attnscope {

namespace {

template <class Row>
Result<const Row*> findChoice(std::span<const Row> rows, const Choice& choice, std::string_view what)
{
    const Row* row = TRY(findRow(rows, choice.id, what));
    TRY(validate(*row, choice));
    return row;
}

/// The rows of the registries that a spec names.
struct ChosenRows {
    const Kernel* kernel;
    const Position* position;
    const Mask* mask;
};

Result<ChosenRows> readSpec(const AttentionSpec& spec)
{
    const auto kernel = TRY(findChoice(kernels(), spec.kernel, "kernel"));
    const auto position = TRY(findChoice(positions(), spec.position, "position"));
    const auto mask = TRY(checkedMask(spec.mask));
    TRY(findChoice(normalisers(), spec.normaliser, "normaliser"));
    if (position->check)
        TRY(position->check(spec.position.text));
    if (spec.softCap != 0 && !(spec.softCap >= smallestSoftCap && spec.softCap <= largestSoftCap))
        return failure(ErrorKind::InvalidArgument, "the soft-cap must be 0 (none) or from {} to {}, not {}",
                       formatNumber(smallestSoftCap), formatNumber(largestSoftCap), formatNumber(spec.softCap));
    return ChosenRows{kernel, position, mask};
}

Result<void> checkShapes(const HeadSet& heads, int head)
{
    if (head < 0 || head >= heads.headCount())
        return failure(ErrorKind::InvalidArgument, "there is no head {}; the heads are 0 to {}", head,
                       heads.headCount() - 1);
    if (heads.kind != HeadSet::Kind::QueryKey)
        return {};
    if (heads.keys.empty() || heads.queries.size() % heads.keys.size() != 0)
        return failure(ErrorKind::BadShape, "the number of key heads must divide the number of query heads");
    if (heads.query(head).cols() != heads.key(head).cols())
        return failure(ErrorKind::BadShape, "queries of size {} do not fit keys of size {}", heads.query(head).cols(),
                       heads.key(head).cols());
    return {};
}

std::vector<std::int64_t> upwardsFrom(std::int64_t first, std::int64_t count)
{
    std::vector<std::int64_t> all(static_cast<size_t>(count));
    std::iota(all.begin(), all.end(), first);
    return all;
}

/// The largest distance that rotary positions see.
std::int64_t distanceCap(const AttentionSpec& spec, const ChosenRows& chosen)
{
    std::int64_t cap = std::numeric_limits<std::int64_t>::max();
    if (chosen.position->distanceCap)
        cap = chosen.position->distanceCap(Parameters(*chosen.position, spec.position));
    if (chosen.position->frequencies && chosen.mask->distanceCap)
        cap = std::min(cap, chosen.mask->distanceCap(Parameters(*chosen.mask, spec.mask)));
    return cap;
}

/// The keys of one key head, turned and as the kernel wants them. `far` is empty where no distance is held.
struct PreparedKeys {
    SharedMatrix near, far;
};

PreparedKeys prepareKeys(const SharedMatrix& key, const AttentionSpec& spec, const ChosenRows& chosen, bool capped)
{
    const bool rotary = chosen.position->frequencies != nullptr;
    const Rotation rotation =
        rotary ? rotationOf(*chosen.position, spec.position, static_cast<int>(key.cols())) : Rotation{};
    const auto prepared = [&](bool turned) -> SharedMatrix {
        if (!turned && rotation.factor == 1 && !chosen.kernel->prepareKeys)
            return key;
        Matrix keys = firstRows(*key, key.rows());
        if (turned)
            rotate(keys, upwardsFrom(0, keys.rows()), rotation.frequencies, rotation.pairing, rotation.factor);
        else if (rotation.factor != 1)
            rotateAll(keys, 0, rotation.frequencies, rotation.pairing, rotation.factor);
        if (chosen.kernel->prepareKeys)
            chosen.kernel->prepareKeys(keys, Parameters(*chosen.kernel, spec.kernel));
        return keys;
    };
    return {prepared(rotary), capped ? prepared(false) : SharedMatrix()};
}

/// Turns the queries to their positions, and makes those for keys beyond the distance cap.
void turnQueries(AttentionHead& head, Matrix& query, const AttentionSpec& spec, const ChosenRows& chosen)
{
    const Parameters ofKernel(*chosen.kernel, spec.kernel);
    const Rotation by = rotationOf(*chosen.position, spec.position, static_cast<int>(query.cols()));
    const auto turnedAll = [&](std::int64_t distance) {
        Matrix turned = query;
        rotateAll(turned, distance, by.frequencies, by.pairing, by.factor);
        chosen.kernel->prepareQueries(turned, ofKernel);
        return turned;
    };
    if (head.far) {
        head.far->queryBefore = turnedAll(head.far->cap);
        if (looksAhead(head.mask))
            head.far->queryAfter = turnedAll(-head.far->cap);
    }
    rotate(query, upwardsFrom(head.keyCount - query.rows(), query.rows()), by.frequencies, by.pairing, by.factor);
}

Matrix preparedQueries(AttentionHead& head, Matrix query, const AttentionSpec& spec, const ChosenRows& chosen)
{
    if (chosen.position->frequencies)
        turnQueries(head, query, spec, chosen);
    chosen.kernel->prepareQueries(query, Parameters(*chosen.kernel, spec.kernel));
    return query;
}

/// What a reader should know about the combination: sentences without their full stop, since they are joined. Nothing
/// is changed on its account.
std::vector<std::string> explain(const HeadSet& heads, const AttentionHead& head, const AttentionSpec& spec,
                                 const ChosenRows& chosen)
{
    std::vector<std::string> notes;
    const bool finished = heads.kind != HeadSet::Kind::QueryKey;
    const bool rotary = chosen.position->frequencies != nullptr;
    const Eigen::Index d =
        rotary ? turnedCoordinates(static_cast<int>(head.query.cols()), Parameters(*chosen.position, spec.position))
               : 0;

    if (heads.maskedByValue > 0)
        notes.push_back(fmt::format("{}{} the lowest number of a type (65504, 3.4e38 below 0), or near it",
                                    heads.maskedByValue,
                                    heads.maskedByValue == 1 ? " logit of the file counts as a masked key: it is"
                                                             : " logits of the file count as masked keys: they are"));
    if (heads.kind == HeadSet::Kind::Weights)
        notes.push_back("These are finished weights: their logarithms are taken as logits, so that softmax at scale 1 "
                        "gives them back where they sum to 1, and as_given whatever they sum to");
    if (finished && spec.kernel != Choice{"dot", {}, {}})
        notes.push_back(chosen.kernel->label +
                        " has no effect: the source holds finished logits, not queries and keys");
    if (finished && rotary)
        notes.push_back(chosen.position->label +
                        " has no effect: it turns queries and keys, and the source holds finished logits");
    if (hasPositions(spec.position) && !heads.hasOrder && !(finished && rotary))
        notes.push_back(
            chosen.position->label +
            " on a source without order: its keys are exchangeable, so distances between them mean nothing");
    if (!finished && rotary && heads.rotated)
        notes.push_back(
            chosen.position->label +
            " turns these queries and keys a second time: they were recorded with rotary positions already applied");
    if (!finished && rotary && d == 1)
        notes.push_back(chosen.position->label + " has no effect: a head of size 1 has no pair of coordinates to turn");
    else if (!finished && rotary && d % 2 == 1)
        notes.push_back(
            fmt::format("{}{}: the last of the {} coordinates has no partner and is not turned", chosen.position->label,
                        d == head.query.cols() ? " with an odd head size" : " on an odd number of coordinates", d));
    if (const std::string why =
            !finished && d >= 2 && chosen.position->asRope ? chosen.position->asRope(static_cast<int>(d)) : "";
        !why.empty())
        notes.push_back(chosen.position->label + " has no effect " + why);
    if (!chosen.position->ahead.empty() && looksAhead(spec.mask))
        notes.push_back(chosen.position->label + " was made for causal rows; here " + chosen.position->ahead);
    if (chosen.mask->distanceCap && (!rotary || finished))
        notes.push_back(chosen.mask->label +
                        " holds the distances of rotary positions; without them it only hides keys");
    if (head.queryCount() > head.keyCount && head.visible(0, head.keyCount).count() == 0)
        notes.push_back("There are more queries than keys and the last of both stand together, so the first queries "
                        "come before every key and see none");
    return notes;
}

void takeLogarithms(Matrix& weights) { weights = weights.array().log().matrix(); }

Result<ChosenRows> check(const HeadSet& heads, int index, const AttentionSpec& spec)
{
    const ChosenRows chosen = TRY(readSpec(spec));
    return checkShapes(heads, index).map([&] { return chosen; });
}

/// What `check` has passed, without its keys. Of `heads` only what is said about them is looked at.
Result<AttentionHead> prepareAllButKeys(const HeadSet& heads, int index, const AttentionSpec& spec,
                                        const ChosenRows& chosen, Matrix query, std::int64_t keyCount)
{
    AttentionHead head;
    head.keyCount = keyCount;
    head.softCap = spec.softCap;
    head.mask = spec.mask;
    const std::int64_t longer = std::max<std::int64_t>(keyCount, query.rows());
    const Parameters position(*chosen.position, spec.position);
    if (chosen.position->slope)
        head.slope = chosen.position->slope(index, heads.headCount(), position);
    if (chosen.position->bias)
        head.bias = TRY(chosen.position->bias(index, longer, position));
    if (!heads.sinks.empty())
        head.sink = heads.sinks.at(static_cast<size_t>(index));
    if (heads.kind == HeadSet::Kind::Weights)
        takeLogarithms(query);
    if (heads.kind == HeadSet::Kind::QueryKey) {
        if (const std::int64_t cap = distanceCap(spec, chosen); cap < longer) {
            head.far = std::make_unique<FarProducts>();
            head.far->cap = cap;
        }
        query = preparedQueries(head, std::move(query), spec, chosen);
    }
    head.query = std::move(query);
    head.notes = explain(heads, head, spec, chosen);
    return head;
}

void giveKeys(AttentionHead& head, const PreparedKeys& keys)
{
    head.key = keys.near;
    if (head.far)
        head.far->key = keys.far;
}

Result<AttentionHead> prepare(const HeadSet& heads, int index, const AttentionSpec& spec, const ChosenRows& chosen,
                              Matrix query, const SharedMatrix& key)
{
    const bool finished = heads.kind != HeadSet::Kind::QueryKey;
    const std::int64_t keyCount = finished ? query.cols() : key.rows();
    Result<AttentionHead> head = prepareAllButKeys(heads, index, spec, chosen, std::move(query), keyCount);
    if (head && !finished)
        giveKeys(*head, prepareKeys(key, spec, chosen, head->far != nullptr));
    return head;
}

}  // namespace

AttentionSpec trainedAt(AttentionSpec spec, double nTrain)
{
    if (const auto row = findRow(positions(), spec.position.id, "position"))
        spec.position = withTrainLength(**row, std::move(spec.position), nTrain);
    return spec;
}

VisibleKeys AttentionHead::visible(std::int64_t row, std::int64_t prefix) const
{
    const Result<const Mask*> known = findRow(masks(), mask.id, "mask");
    assert(known && "prepareHead has checked the mask");
    return (*known)->visible(position(row), prefix, Parameters(**known, mask));
}

std::int64_t AttentionHead::seenKeys(std::int64_t row, std::int64_t prefix) const
{
    const VisibleKeys keys = visible(row, prefix);
    if (key.rows() > 0 || query.allFinite())
        return keys.count();
    const auto logits = (*query).row(row);
    std::int64_t seen = 0;
    for (std::int64_t j = 0; j < keys.end; ++j)
        seen += keys.sees(j) && logits[j] != -std::numeric_limits<float>::infinity();
    return seen;
}

Result<AttentionHead> prepareHead(const HeadSet& heads, int index, const AttentionSpec& spec)
{
    return check(heads, index, spec).and_then([&](const ChosenRows& chosen) {
        const bool finished = heads.kind != HeadSet::Kind::QueryKey;
        return prepare(heads, index, spec, chosen, firstRows(heads.query(index), heads.queryCount()),
                       finished ? Matrix() : firstRows(heads.key(index), heads.keyCount()));
    });
}

Result<AttentionHead> prepareHead(const std::shared_ptr<const HeadSet>& heads, int index, const AttentionSpec& spec)
{
    return check(*heads, index, spec).and_then([&](const ChosenRows& chosen) {
        const bool finished = heads->kind != HeadSet::Kind::QueryKey;
        return prepare(*heads, index, spec, chosen, firstRows(heads->query(index), heads->queryCount()),
                       finished ? SharedMatrix()
                                : SharedMatrix(std::shared_ptr<const Matrix>(heads, &heads->key(index))));
    });
}

Result<AttentionHead> prepareHead(HeadSet&& heads, int index, const AttentionSpec& spec)
{
    return check(heads, index, spec).and_then([&](const ChosenRows& chosen) {
        const bool finished = heads.kind != HeadSet::Kind::QueryKey;
        return prepare(heads, index, spec, chosen, std::move(heads.query(index)),
                       finished ? Matrix() : std::move(heads.key(index)));
    });
}

Result<std::vector<AttentionHead>> prepareHeads(HeadSet&& heads, const AttentionSpec& spec)
{
    std::vector<AttentionHead> prepared;
    PreparedKeys keys;
    for (int index = 0; index < heads.headCount(); ++index) {
        const ChosenRows chosen = TRY(check(heads, index, spec));
        if (heads.kind != HeadSet::Kind::QueryKey) {
            prepared.push_back(TRY(prepare(heads, index, spec, chosen, std::move(heads.query(index)), {})));
            continue;
        }
        prepared.push_back(
            TRY(prepareAllButKeys(heads, index, spec, chosen, std::move(heads.query(index)), heads.keyCount())));
        if (index == 0 || heads.keyHead(index) != heads.keyHead(index - 1))
            keys = prepareKeys(heads.key(index), spec, chosen, prepared.back().far != nullptr);
        giveKeys(prepared.back(), keys);
    }
    return prepared;
}

AttentionHead sampleRows(const AttentionHead& head, std::span<const std::int64_t> rows)
{
    const std::vector<std::int64_t> kept(rows.begin(), rows.end());
    const auto pick = [&](const SharedMatrix& all) {
        return all.rows() == 0 ? SharedMatrix() : SharedMatrix(Matrix((*all)(kept, Eigen::all)));
    };
    AttentionHead sample;
    sample.query = pick(head.query);
    sample.key = head.key;
    if (head.far)
        sample.far = std::make_unique<FarProducts>(
            FarProducts{head.far->cap, pick(head.far->queryBefore), pick(head.far->queryAfter), head.far->key});
    sample.slope = head.slope;
    sample.bias = head.bias;
    sample.sink = head.sink;
    sample.softCap = head.softCap;
    sample.mask = head.mask;
    sample.keyCount = head.keyCount;
    sample.notes = head.notes;
    for (const std::int64_t row : kept)
        sample.positions.push_back(head.position(row));
    return sample;
}

AttentionHead firstTokens(const AttentionHead& head, std::int64_t keys, std::int64_t rows)
{
    AttentionHead first;
    first.keyCount = keys;
    first.query = head.key.size() == 0 ? SharedMatrix(Matrix((*head.query).topLeftCorner(rows, keys)))
                                       : head.query.firstRows(rows);
    first.key = head.key.size() == 0 ? head.key : head.key.firstRows(keys);
    if (head.far && head.far->cap < std::max(keys, rows)) {
        const auto ofRows = [&](const SharedMatrix& all) { return all.rows() == 0 ? all : all.firstRows(rows); };
        first.far = std::make_unique<FarProducts>(FarProducts{
            head.far->cap, ofRows(head.far->queryBefore), ofRows(head.far->queryAfter), head.far->key.firstRows(keys)});
    }
    first.slope = head.slope;
    first.bias = head.bias;
    first.sink = head.sink;
    first.softCap = head.softCap;
    first.mask = head.mask;
    first.notes = head.notes;
    if (!head.positions.empty() || head.position(0) != keys - rows)
        for (std::int64_t row = 0; row < rows; ++row)
            first.positions.push_back(head.position(row));
    return first;
}

}  // namespace attnscope

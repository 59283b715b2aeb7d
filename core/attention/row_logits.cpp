#include "core/attention/row_logits.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace attnscope {

namespace {

double dot(SharedMatrix::View queries, std::int64_t row, SharedMatrix::View keys, std::int64_t key)
{
    return queries.row(row).cast<double>().dot(keys.row(key).cast<double>());
}

double product(const AttentionHead& head, std::int64_t row, std::int64_t key)
{
    if (head.key.size() == 0)
        return static_cast<double>((*head.query)(row, key));
    const std::int64_t before = head.position(row) - key;
    if (head.far && std::abs(before) >= head.far->cap)
        return dot(*(before > 0 ? head.far->queryBefore : head.far->queryAfter), row, *head.far->key, key);
    return dot(*head.query, row, *head.key, key);
}

}  // namespace

double biasedLogit(const AttentionHead& head, std::int64_t row, std::int64_t key, double x)
{
    if (std::isnan(x))
        return -std::numeric_limits<double>::infinity();
    if (head.softCap > 0)
        x = head.softCap * std::tanh(x / head.softCap);
    if (head.slope != 0)
        x -= head.slope * static_cast<double>(std::abs(head.position(row) - key));
    if (head.bias)
        x += (*head.bias)(head.position(row), key);
    return x;
}

double logitOf(const AttentionHead& head, std::int64_t row, std::int64_t key, double scale)
{
    return biasedLogit(head, row, key, scale * product(head, row, key));
}

void readRowProducts(const AttentionHead& head, std::int64_t row, std::int64_t prefix, RowLogits& out)
{
    constexpr std::int64_t atATime = 8192;
    out.visible = head.visible(row, prefix);
    out.logits.resize(static_cast<size_t>(out.visible.count()));
    forEachInParallel((out.visible.count() + atATime - 1) / atATime, 1, [&](std::int64_t block) {
        for (std::int64_t index = block * atATime; index < std::min(out.visible.count(), (block + 1) * atATime);
             ++index)
            out.logits[static_cast<size_t>(index)] = product(head, row, out.key(index));
    });
}

void readRowLogits(const AttentionHead& head, std::int64_t row, std::int64_t prefix, double scale, RowLogits& out)
{
    out.visible = head.visible(row, prefix);
    out.logits.resize(static_cast<size_t>(out.visible.count()));
    for (std::int64_t index = 0; index < out.visible.count(); ++index)
        out.logits[static_cast<size_t>(index)] = logitOf(head, row, out.key(index), scale);
}

}  // namespace attnscope

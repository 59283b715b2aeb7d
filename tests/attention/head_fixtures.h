#pragma once
// Small heads, prepared and looked at row by row.

#include "core/attention/attention_head.h"
#include "core/attention/engines.h"
#include "core/attention/positions.h"
#include "core/attention/row_detail.h"
#include "core/base/random.h"

#include <QString>

#include <algorithm>

namespace attnscope::fixtures {

template <class Row>
Choice choose(std::span<const Row> rows, const QString& text)
{
    const Result<Choice> choice = parseChoice(std::string_view(text.toStdString()), rows, "row");
    if (!choice)
        qFatal("%s", choice.error().message.c_str());
    return *choice;
}

inline AttentionSpec specOf(const QString& position, const char* mask = "full", const char* kernel = "dot")
{
    AttentionSpec spec;
    spec.position = choose(positions(), position);
    spec.mask = Choice{mask, {}, {}};
    spec.kernel = Choice{kernel, {}, {}};
    return spec;
}

inline Matrix gaussian(std::int64_t rows, int d, Stream stream)
{
    Matrix matrix(rows, d);
    for (std::int64_t r = 0; r < rows; ++r)
        Random(5, stream).normals(static_cast<std::uint64_t>(r),
                                  std::span<float>(matrix.row(r).data(), static_cast<size_t>(d)));
    return matrix;
}

inline HeadSet headsOf(Matrix queries, Matrix keys)
{
    HeadSet heads;
    heads.queries.push_back(std::move(queries));
    heads.keys.push_back(std::move(keys));
    return heads;
}

inline HeadSet randomHeads(std::int64_t m, std::int64_t n, int d)
{
    return headsOf(gaussian(m, d, Stream::Queries), gaussian(n, d, Stream::Keys));
}

/// The same query at every position, and the same key.
inline HeadSet constantHeads(std::int64_t n, int d)
{
    return headsOf(gaussian(1, d, Stream::Queries).replicate(n, 1), gaussian(1, d, Stream::Keys).replicate(n, 1));
}

inline AttentionHead prepare(const HeadSet& heads, const AttentionSpec& spec, int index = 0)
{
    Result<AttentionHead> head = prepareHead(heads, index, spec);
    if (!head)
        qFatal("%s", head.error().message.c_str());
    return std::move(*head);
}

inline RowDetail detail(const AttentionHead& head, std::int64_t row, double scale = 1)
{
    const Result<RowDetail> found = rowDetail(head, Choice{"softmax", {}, {}}, row, head.keyCount, scale);
    if (!found)
        qFatal("%s", found.error().message.c_str());
    return *found;
}

inline double logit(const AttentionHead& head, std::int64_t row, std::int64_t key)
{
    const RowDetail found = detail(head, row);
    return found.logits[static_cast<size_t>(std::find(found.keys.begin(), found.keys.end(), key) - found.keys.begin())];
}

}  // namespace attnscope::fixtures

#include "core/attention/engine_support.h"

#include <algorithm>

namespace attnscope {

Result<const Normaliser*> findNormaliser(const Choice& choice)
{
    auto row = findRow(normalisers(), choice.id, "normaliser");
    if (row)
        TRY(validate(**row, choice));
    if (takesSinksOfFile(choice))
        return failure(ErrorKind::InvalidArgument,
                       "the sinks in {} are for the heads of a model (attnscope model, probe, tune, and the workspace "
                       "Model); one head alone takes sink:s=NUMBER",
                       choice.text);
    return row;
}

Choice normaliserOf(const AttentionHead& head, const Choice& asked)
{
    return head.sink && asked.id == "softmax1" ? sinkOf(*head.sink) : asked;
}

Result<void> checkRequest(const AttentionHead& head, const SummaryRequest& request)
{
    for (const Pass& pass : request.passes) {
        if (pass.prefix < 0 || pass.prefix > head.keyCount)
            return failure(ErrorKind::InvalidArgument, "a pass over {} keys, but the head has {}", pass.prefix,
                           head.keyCount);
        if (pass.firstRow < 0 || pass.firstRow > pass.lastRow || pass.lastRow > head.queryCount())
            return failure(ErrorKind::InvalidArgument, "rows {} to {}, but the head has {} queries", pass.firstRow,
                           pass.lastRow, head.queryCount());
        if (static_cast<std::int64_t>(pass.scale.size()) != pass.lastRow - pass.firstRow)
            return failure(ErrorKind::InvalidArgument, "{} scales for {} rows", pass.scale.size(),
                           pass.lastRow - pass.firstRow);
    }
    return {};
}

RowsOfPasses rowsOfPasses(const AttentionHead& head, const SummaryRequest& request)
{
    RowsOfPasses rows{.begin = head.queryCount(), .end = 0, .summaries = {}};
    for (const Pass& pass : request.passes) {
        rows.begin = std::min(rows.begin, pass.firstRow);
        rows.end = std::max(rows.end, pass.lastRow);
        rows.summaries.emplace_back(pass.scale.size());
    }
    return rows;
}

Result<void> checkRequest(const AttentionHead& head, const PoolRequest& request)
{
    const Region& region = request.region;
    const std::int64_t height = region.rowEnd - region.rowBegin, width = region.columnEnd - region.columnBegin;
    if (region.rowBegin < 0 || height < 1 || region.rowEnd > head.queryCount() || region.columnBegin < 0 || width < 1 ||
        region.columnEnd > head.keyCount)
        return failure(ErrorKind::InvalidArgument, "the region leaves the matrix of {} queries and {} keys",
                       head.queryCount(), head.keyCount);
    if (request.rows < 1 || request.rows > height || request.columns < 1 || request.columns > width)
        return failure(ErrorKind::InvalidArgument, "a map needs 1 to {} rows and 1 to {} columns of pixels", height,
                       width);
    const size_t queries = static_cast<size_t>(head.queryCount());
    if (request.scale.size() != queries)
        return failure(ErrorKind::InvalidArgument, "a map needs the scale of every query row");
    if (request.states.size() != queries && !(request.preview && request.states.empty()))
        return failure(ErrorKind::InvalidArgument, "an exact map needs the normaliser's state of every query row");
    return {};
}

Result<void> checkRequest(const AttentionHead& head, const AttendRequest& request)
{
    const std::int64_t queries = head.queryCount();
    if (request.firstRow < 0 || request.firstRow + request.output.rows() > queries)
        return failure(ErrorKind::InvalidArgument, "outputs of rows {} to {}, but the head has {} queries",
                       request.firstRow, request.firstRow + request.output.rows(), queries);
    if (std::ssize(request.scale) != queries)
        return failure(ErrorKind::InvalidArgument, "outputs need the scale of every query row: {}, not {}", queries,
                       request.scale.size());
    if (request.values.rows() != head.keyCount)
        return failure(ErrorKind::InvalidArgument, "{} values for {} keys", request.values.rows(), head.keyCount);
    if (request.values.cols() != request.output.cols())
        return failure(ErrorKind::InvalidArgument, "values of size {} do not fit outputs of size {}",
                       request.values.cols(), request.output.cols());
    return {};
}

}  // namespace attnscope

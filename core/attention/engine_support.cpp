#include "core/attention/engine_support.h"

#include <algorithm>
#include <string>

namespace attnscope {

Result<const Normaliser*> findNormaliser(const Choice& choice)
{
    auto row = findRow(normalisers(), choice.id, "normaliser");
    if (row)
        TRY(validate(**row, choice));
    if (takesSinksOfFile(choice))
        return failure(ErrorKind::InvalidArgument,
                       "the sinks in " + choice.text +
                           " are for the heads of a model (attnscope model, probe, tune, and "
                           "the workspace Model); one head alone takes sink:s=NUMBER");
    return row;
}

Result<void> checkRequest(const AttentionHead& head, const SummaryRequest& request)
{
    for (const Pass& pass : request.passes) {
        if (pass.prefix < 0 || pass.prefix > head.keyCount)
            return failure(ErrorKind::InvalidArgument, "a pass over " + std::to_string(pass.prefix) +
                                                           " keys, but the head has " + std::to_string(head.keyCount));
        if (pass.firstRow < 0 || pass.firstRow > pass.lastRow || pass.lastRow > head.queryCount())
            return failure(ErrorKind::InvalidArgument, "rows " + std::to_string(pass.firstRow) + " to " +
                                                           std::to_string(pass.lastRow) + ", but the head has " +
                                                           std::to_string(head.queryCount()) + " queries");
        if (static_cast<std::int64_t>(pass.scale.size()) != pass.lastRow - pass.firstRow)
            return failure(ErrorKind::InvalidArgument, std::to_string(pass.scale.size()) + " scales for " +
                                                           std::to_string(pass.lastRow - pass.firstRow) + " rows");
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
        return failure(ErrorKind::InvalidArgument, "the region leaves the matrix of " +
                                                       std::to_string(head.queryCount()) + " queries and " +
                                                       std::to_string(head.keyCount) + " keys");
    if (request.rows < 1 || request.rows > height || request.columns < 1 || request.columns > width)
        return failure(ErrorKind::InvalidArgument, "a map needs 1 to " + std::to_string(height) + " rows and 1 to " +
                                                       std::to_string(width) + " columns of pixels");
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
        return failure(ErrorKind::InvalidArgument, "outputs of rows " + std::to_string(request.firstRow) + " to " +
                                                       std::to_string(request.firstRow + request.output.rows()) +
                                                       ", but the head has " + std::to_string(queries) + " queries");
    if (std::ssize(request.scale) != queries)
        return failure(ErrorKind::InvalidArgument,
                       "outputs need the scale of every query row: " + std::to_string(queries) + ", not " +
                           std::to_string(request.scale.size()));
    if (request.values.rows() != head.keyCount)
        return failure(ErrorKind::InvalidArgument, std::to_string(request.values.rows()) + " values for " +
                                                       std::to_string(head.keyCount) + " keys");
    if (request.values.cols() != request.output.cols())
        return failure(ErrorKind::InvalidArgument, "values of size " + std::to_string(request.values.cols()) +
                                                       " do not fit outputs of size " +
                                                       std::to_string(request.output.cols()));
    return {};
}

}  // namespace attnscope

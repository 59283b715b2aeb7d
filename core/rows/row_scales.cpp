#include "core/rows/row_scales.h"

#include "core/attention/masks.h"
#include "core/rows/measured_multiplier.h"

namespace attnscope {

Result<RowScales> rowScales(const AttentionHead& head, const Choice& method, const ScaleSetting& setting,
                            std::int64_t n, std::int64_t firstRow, std::int64_t rowEnd)
{
    const auto multiplier = TRY(bindScale(method));
    const Counts counts = TRY(countsOf(method));

    ScaleContext context{.keys = static_cast<double>(unmaskedKeys(head.mask, n)),
                         .nTrain = setting.nTrain,
                         .d = setting.d,
                         .temperature = setting.temperature,
                         .measured = setting.measured};
    const auto perTemperature = [&](double m) { return scaleOf(m, setting.temperature); };
    const std::int64_t rows = rowEnd - firstRow;
    if (counts != Counts::Row) {  // one value for all rows, which may be dear: a root to find
        const Result<double> given = multiplier(context);
        const std::optional<double> m = TRY(ifDefined(given));
        return m ? RowScales{std::vector(static_cast<size_t>(rows), perTemperature(*m)), {}}
                 : RowScales{{}, {}, given.error().message};
    }

    RowScales made{std::vector(static_cast<size_t>(rows), noScale), {}};
    const bool interpolated = isMeasured(method) && setting.measured;
    if (interpolated)  // a root for every row would take minutes
        context.measured = betweenSolvedLengths(setting.measured, setting.nTrain, context.keys);
    std::int64_t defined = 0, undefined = 0;
    std::optional<Error> why;
    for (std::int64_t row = firstRow; row < rowEnd; ++row) {
        context.rowKeys = static_cast<double>(head.seenKeys(row, n));
        context.position = static_cast<double>(head.position(row));
        if (context.rowKeys == 0)
            continue;
        const Result<double> given = multiplier(context);
        const std::optional<double> m = TRY(ifDefined(given));
        if (!m && !why)
            why = given.error();
        ++(m ? defined : undefined);
        if (m)
            made.scale[static_cast<size_t>(row - firstRow)] = perTemperature(*m);
    }
    if (why && defined == 0)
        return RowScales{{}, {}, why->message};
    if (interpolated)
        made.partly = "m is solved at lengths a fourth of an octave apart and interpolated in ln n between them";
    if (why)
        made.partly += (made.partly.empty() ? "" : "; ") + std::to_string(undefined) + " of " + std::to_string(rows) +
                       (undefined == 1 ? " rows has no value: " : " rows have no value: ") + why->message;
    return made;
}

}  // namespace attnscope

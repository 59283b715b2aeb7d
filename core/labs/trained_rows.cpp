#include "core/labs/trained_rows.h"

#include "core/attention/normaliser.h"

namespace attnscope {

Result<learn::RowFunction> trainedRows(const Choice& normaliser)
{
    const auto row = findRow(normalisers(), normaliser.id, "normaliser");
    if (!row)
        return tl::unexpected(row.error());
    if (const Result<void> valid = validate(**row, normaliser); !valid)
        return tl::unexpected(valid.error());
    return learn::RowFunction{
        [row = *row, normaliser](std::span<const double> z, std::span<double> y) {
            const Parameters parameters(*row, normaliser);
            const NormaliserState state = row->solve(z, parameters);
            for (std::size_t j = 0; j < z.size(); ++j)
                y[j] = row->weight(z[j], state, parameters);
        },
        [row = *row, normaliser](std::span<const double> z, std::span<const double> y, std::span<double> g) { row->gradient(z, y, g, Parameters(*row, normaliser)); }};
}

}  // namespace attnscope

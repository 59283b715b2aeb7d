#include "core/labs/trained_rows.h"

#include "core/attention/normaliser.h"

namespace attnscope {

Result<learn::RowFunction> trainedRows(const Choice& normaliser)
{
    const auto row = TRY(findRow(normalisers(), normaliser.id, "normaliser"));
    TRY(validate(*row, normaliser));
    return learn::RowFunction{
        [row, normaliser](std::span<const double> z, std::span<double> y) {
            const Parameters parameters(*row, normaliser);
            const NormaliserState state = row->solve(z, parameters);
            for (std::size_t j = 0; j < z.size(); ++j)
                y[j] = row->weight(z[j], state, parameters);
        },
        [row, normaliser](std::span<const double> z, std::span<const double> y, std::span<double> g) { row->gradient(z, y, g, Parameters(*row, normaliser)); }};
}

}  // namespace attnscope

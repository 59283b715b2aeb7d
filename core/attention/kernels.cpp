#include "core/attention/kernels.h"

#include "core/base/parameter.h"

#include <cmath>

namespace attnscope {

namespace {

/// Rows of length `length`; a row of zeros has no direction and stays.
void normaliseRows(Matrix& rows, double length)
{
    for (Eigen::Index r = 0; r < rows.rows(); ++r) {
        const double norm = rows.row(r).cast<double>().norm();
        if (norm > 0)  // in double precision: the reciprocal of a tiny norm is beyond float32
            rows.row(r) = (rows.row(r).cast<double>() * (length / norm)).cast<float>();
    }
}

void divideByRootOfSize(Matrix& queries, const Parameters&)
{
    queries *= static_cast<float>(1 / std::sqrt(static_cast<double>(queries.cols())));
}

}  // namespace

std::span<const Kernel> kernels()
{
    static const std::vector<Kernel> rows{
        {{"dot", "Dot product", "q·k / √{d}", "Vaswani et al. 2017",
          "The inner product, divided by √d so that its variance is 1 when the components of q and k are independent "
          "with variance 1."},
         divideByRootOfSize,
         nullptr},
        {{"cosine",
          "Cosine (CosScale)",
          "{alpha} · q·k / (|q||k|)",
          "Li et al. 2025, CosScale",
          "The cosine of the angle, times α: before the scale method no logit can leave the interval from −α to α, so "
          "the gap between keys has a hard "
          "bound whatever the norms are.",
          {real("alpha", "α", 128, 0, 1e6,
                "The largest logit possible. A large α makes attention narrow: near to a window where the keys most "
                "alike are neighbours. The paper uses 128, and 16 under a window.")},
          {{"as in the paper", "cosine", "Li et al. 2025"}}},
         [](Matrix& queries, const Parameters& parameters) { normaliseRows(queries, parameters["alpha"]); },
         [](Matrix& keys, const Parameters&) { normaliseRows(keys, 1); }},
    };
    return rows;
}

bool isDotProduct(const Choice& kernel) { return kernel.id == "dot"; }
bool isCosine(const Choice& kernel) { return kernel.id == "cosine"; }

}  // namespace attnscope

#include "core/theory/bounds.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

WeightBounds dispersionBounds(double n, double gap) { return {std::exp(-gap) / n, std::min(std::exp(gap) / n, 1.0)}; }

double largestGap(double sigmaQ, double sigmaK, double queryNorm, double largestKeyNorm, double scale)
{
    return 2 * scale * sigmaQ * sigmaK * queryNorm * largestKeyNorm;
}

double cosinePeak(double alpha, int d)
{
    const double a = std::abs(alpha), b = d - 3;
    if (a == 0)
        return b > 0 ? 0 : 1;
    // the root of a x^2 + b x - a = 0 in (0, 1), in the form that loses no digits for b > 0
    const double x = b >= 0 ? 2 * a / (b + std::hypot(b, 2 * a)) : 1;
    return std::copysign(x, alpha);
}

double headSizeWanted(double n, double nTrain, int d) { return d * std::log(n) / std::log(nTrain); }

double embeddingSizeWanted(double n) { return 8 * std::log(n); }

double projectionError(int d, double cosine) { return std::sqrt((1 + cosine * cosine) / d); }

}  // namespace attnscope

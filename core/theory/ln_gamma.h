#pragma once
// ln |Gamma(x)|. The lgamma of <cmath> gives the same number, and writes Gamma's sign into a variable of the whole
// process, which threads do at once.

#include <math.h>

namespace attnscope {

inline double lnGamma(double x)
{
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

}  // namespace attnscope

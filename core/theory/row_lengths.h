#pragma once
// Rows of one sequence see different numbers of keys: under a causal mask row i sees i + 1. The mean over such rows of
// what is expected of a row over k keys is a sum over k of a function smooth in ln k; a few k with weights give it.
//
// Over c successive integers the mean of f is that of f at three of them, at the middle +- s and there, with the
// weights of Gauss's rule for the uniform law on c points,
//
//     s^2 = (3 c^2 - 7) / 20,   weight of each outer one (c^2 - 1) / (24 s^2),
//
// from its second and fourth moments (c^2 - 1) / 12 and (c^2 - 1)(3 c^2 - 7) / 240: exact for polynomials to the fifth
// degree, and for any f where c <= 3. Ranges in which k more than doubles are cut at powers of two, so that ln k is met
// to 1e-5, and that sequences of different lengths have the same k in common.

#include <functional>
#include <vector>

namespace attnscope {

struct RowLength {
    double keys = 0;   ///< k, not always whole
    double share = 0;  ///< of the rows
};

/// For the mean over rows with k = first, first + 1 .. last keys, 1 <= first <= last, of which those from `from` on are
/// of another kind. `multiplier`: what scales a row's logits, where that depends on k: a range is halved as long as it
/// changes the multiplier's own mean by 1e-5 of it, so that kinks and stairs are met to some 1e-4.
std::vector<RowLength> rowLengths(double first, double last, double from = 1,
                                  const std::function<double(double keys)>& multiplier = {});

}  // namespace attnscope

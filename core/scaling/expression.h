#pragma once
// A user's own multiplier: an arithmetic expression of n, N, d and i, read once and evaluated often. It knows numbers,
// + - * / ^, comparisons, && || and a ? b : c, and the functions log (natural; also ln), log2, log10, exp, sqrt, abs,
// floor, ceil, round, min, max, tanh, sin, cos. Nothing else: no assignment, no text, no second expression.

#include "core/base/error.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace attnscope {

class Expression {
public:
    /// Errors: InvalidArgument with the column, counted from 1.
    static Result<Expression> compile(std::string_view text);

    /// May be called from several threads. Not finite where the arithmetic is not.
    double operator()(double n, double N, double d, double i) const;

    bool usesPosition() const { return m_usesPosition; }

    /// "log(n)/log(N)" -> "log(1024)/log(512)".
    static std::string withNumbers(std::string_view text,
                                   const std::map<std::string, std::string, std::less<>>& numbers);

private:
    struct Compiled;
    std::shared_ptr<Compiled> m_compiled;
    bool m_usesPosition = false;
};

}  // namespace attnscope

#include "core/scaling/expression.h"

#include <muParser.h>

#include <cctype>
#include <cmath>
#include <mutex>

namespace attnscope {

namespace {

constexpr size_t longestText = 1000;
constexpr const char* knownNames =
    "known: n, N, d, i, log, ln, log2, log10, exp, sqrt, abs, floor, ceil, round, min, max, tanh, sin, cos";

using One = double (*)(double);
using Several = double (*)(const double*, int);

/// Replaces muparser's own set, in which `log` has changed its base between versions.
void defineFunctions(mu::Parser& parser)
{
    parser.ClearFun();
    for (const auto& [name, function] :
         std::initializer_list<std::pair<const char*, One>>{{"log", [](double x) { return std::log(x); }},
                                                            {"ln", [](double x) { return std::log(x); }},
                                                            {"log2", [](double x) { return std::log2(x); }},
                                                            {"log10", [](double x) { return std::log10(x); }},
                                                            {"exp", [](double x) { return std::exp(x); }},
                                                            {"sqrt", [](double x) { return std::sqrt(x); }},
                                                            {"abs", [](double x) { return std::abs(x); }},
                                                            {"floor", [](double x) { return std::floor(x); }},
                                                            {"ceil", [](double x) { return std::ceil(x); }},
                                                            {"round", [](double x) { return std::round(x); }},
                                                            {"tanh", [](double x) { return std::tanh(x); }},
                                                            {"sin", [](double x) { return std::sin(x); }},
                                                            {"cos", [](double x) { return std::cos(x); }}})
        parser.DefineFun(name, function);
    parser.DefineFun("min",
                     static_cast<Several>([](const double* x, int count) { return *std::min_element(x, x + count); }));
    parser.DefineFun("max",
                     static_cast<Several>([](const double* x, int count) { return *std::max_element(x, x + count); }));
}

tl::unexpected<Error> at(size_t column, const std::string& message)
{
    return failure(ErrorKind::InvalidArgument, "column {}: {}", column + 1, message);
}

/// muparser's own assignment would change a variable behind the caller's back, and its strings are of no use here.
Result<void> refuseMoreThanArithmetic(std::string_view text)
{
    if (text.size() > longestText)
        return at(longestText, fmt::format("an expression has at most {} characters", longestText));
    for (size_t c = 0; c < text.size(); ++c) {
        if (text[c] == '"' || text[c] == '\'')
            return at(c, "an expression holds no text");
        if (text[c] != '=')
            continue;
        const bool comparison = (c > 0 && std::string_view("=<>!").find(text[c - 1]) != std::string_view::npos) ||
                                (c + 1 < text.size() && text[c + 1] == '=');
        if (!comparison)
            return at(c, "assignment is not arithmetic; compare with ==");
    }
    return {};
}

std::string explain(const mu::ParserError& error)
{
    const std::string token = error.GetToken();
    switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN:
        return "unknown name '" + token + "'; " + knownNames;
    case mu::ecUNEXPECTED_EOF:
        return "the expression ends too early";
    case mu::ecMISSING_PARENS:
        return "a parenthesis is not closed";
    case mu::ecTOO_MANY_PARAMS:
        return "too many arguments for '" + token + "'";
    case mu::ecTOO_FEW_PARAMS:
        return "too few arguments for '" + token + "'";
    case mu::ecUNEXPECTED_PARENS:
        return "unexpected parenthesis";
    default:
        return token.empty() ? "cannot be read as arithmetic" : "unexpected '" + token + "'";
    }
}

}  // namespace

struct Expression::Compiled {
    mu::Parser parser;
    double n = 2, N = 2, d = 2, i = 1;
    std::mutex evaluating;  ///< the parser holds the variables and a stack
};

Result<Expression> Expression::compile(std::string_view text)
{
    TRY(refuseMoreThanArithmetic(text));
    Expression expression;
    expression.m_compiled = std::make_shared<Compiled>();
    Compiled& compiled = *expression.m_compiled;
    try {
        defineFunctions(compiled.parser);
        compiled.parser.ClearConst();
        compiled.parser.DefineVar("n", &compiled.n);
        compiled.parser.DefineVar("N", &compiled.N);
        compiled.parser.DefineVar("d", &compiled.d);
        compiled.parser.DefineVar("i", &compiled.i);
        compiled.parser.SetExpr(std::string(text));
        int results = 0;
        compiled.parser.Eval(results);
        if (results != 1)
            return at(text.find(','), fmt::format("one expression, not {}", results));
        expression.m_usesPosition = compiled.parser.GetUsedVar().contains("i");
    } catch (const mu::ParserError& error) {
        const size_t position = static_cast<size_t>(std::max(error.GetPos(), 0));
        return at(error.GetPos() < 0 ? text.size() : std::min(position, text.size()), explain(error));
    }
    return expression;
}

double Expression::operator()(double n, double N, double d, double i) const
{
    const std::scoped_lock lock(m_compiled->evaluating);
    m_compiled->n = n;
    m_compiled->N = N;
    m_compiled->d = d;
    m_compiled->i = i;
    try {
        return m_compiled->parser.Eval();
    } catch (const mu::ParserError&) {  // division by zero, where muparser is built to report it
        return std::numeric_limits<double>::quiet_NaN();
    }
}

std::string Expression::withNumbers(std::string_view text,
                                    const std::map<std::string, std::string, std::less<>>& numbers)
{
    const auto inName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::string out;
    for (size_t begin = 0; begin < text.size();) {
        size_t end = begin;
        while (end < text.size() && inName(text[end]))
            ++end;
        if (end == begin) {
            out += text[begin++];
            continue;
        }
        const std::string_view name = text.substr(begin, end - begin);
        const auto number = numbers.find(name);
        out += number == numbers.end() ? name : std::string_view(number->second);
        begin = end;
    }
    return out;
}

}  // namespace attnscope

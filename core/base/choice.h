#pragma once
// The one mechanism behind every list of the program. A registry (scale methods, kernels, positions, masks,
// normalisers, measures, sources) is one visible array of rows that derive from Entry; the combo boxes, the command
// line, the reference page and the tests iterate it. What a user picked from a registry is a Choice: an id and the
// parameters that differ from their defaults. Its text form is the command line's METHOD grammar:
//
//     infoscale      softmax_plus:B=64      ssmax:s=0.43,row=0      uniform:-2,2      custom:"log(n)/log(N)"
//
// Formulae are templates: "ln {n} / ln {B}" reads "ln n / ln B" as a symbol and "ln 1024 / ln 512" with numbers put in.

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// One number that a registry's row takes.
struct Parameter {
    enum class Kind { Real, Integer, Switch };
    std::string id;     ///< as typed on the command line: "kappa"
    std::string label;  ///< as shown: "κ"
    double byDefault = 0;
    double minimum = 0;  ///< inclusive
    double maximum = 0;  ///< inclusive
    Kind kind = Kind::Real;
    std::string help;       ///< one sentence that teaches
    bool followsN = false;  ///< it is the training length: where it is not given it is the setting's N, not byDefault
    bool shared = false;    ///< the rows of its registry have it in common, so that it is taught once for all of them
    bool operator==(const Parameter&) const = default;
};

/// A named set of parameters: "as in the paper", "as in implementation X".
struct Preset {
    std::string label;
    std::string text;  ///< a Choice in text form
    std::string source;
};

/// What every row of every registry has.
struct Entry {
    std::string id;       ///< "softmax_plus"
    std::string label;    ///< "Softmax Plus"
    std::string formula;  ///< template: "ln {n} / ln {B}"
    std::string source;   ///< paper and equation
    std::string about;    ///< one or two sentences for the reference page
    std::vector<Parameter> parameters = {};
    std::vector<Preset> presets = {};
    std::string textLabel = {};  ///< not empty if the choice also takes a text (an expression, a file): what it is
    std::string textByDefault = {};
    bool textIsFile = false;  ///< which no number is: sink:0.7 is its parameter, custom:0.7 its text
};

/// What somebody picked from a registry. Plain and comparable; values holds only what differs from the defaults. A
/// parameter that follows N has no default to differ from: any number given holds it, none lets it follow.
struct Choice {
    std::string id;
    std::map<std::string, double, std::less<>> values;
    std::string text;
    bool operator==(const Choice&) const = default;
};

/// A Choice read against its row: every parameter has a value.
class Parameters {
public:
    Parameters(const Entry& entry, const Choice& choice) : m_entry(&entry), m_choice(&choice) {}
    double operator[](std::string_view id) const;  ///< asserts that the row has the parameter
    /// Of a parameter that follows N; empty: it does.
    std::optional<double> given(std::string_view id) const;
    bool on(std::string_view id) const { return (*this)[id] != 0; }
    const std::string& text() const;

private:
    const Entry* m_entry;
    const Choice* m_choice;
};

/// The row's parameter of that id, or null.
const Parameter* parameterOf(const Entry& entry, std::string_view id);

/// The choice with N put in where its parameters follow it.
Choice withTrainLength(const Entry& entry, Choice choice, double nTrain);

/// The row with that id, or UnknownName with the ids there are. `what` is the noun of the message: "scale method".
template <class Row>
Result<const Row*> findRow(std::span<const Row> rows, std::string_view id, std::string_view what)
{
    for (const Row& row : rows)
        if (row.id == id)
            return &row;
    return failure(ErrorKind::UnknownName, "unknown {} '{}'; known: {}", what, id, joined(rows, ", ", &Row::id));
}

/// Is every value of the choice a parameter of the row, finite, in range, whole where it must be?
Result<void> validate(const Entry& entry, const Choice& choice);

/// Reads `id`, `id:key=value,key=value`, `id:value,value` (the row's parameters in order; names may follow),
/// `id:"text"`, where "" is a quote within the text, or `id:text` (rows that take a text). The value of a parameter
/// that follows N may be N, which is what it is without one. Errors: UnknownName, InvalidArgument, with the column.
Result<Choice> parseChoiceText(std::string_view text,
                               const std::function<Result<const Entry*>(std::string_view id)>& entry);

/// As above, against one registry.
template <class Row>
Result<Choice> parseChoice(std::string_view text, std::span<const Row> rows, std::string_view what)
{
    return parseChoiceText(text, [&](std::string_view id) -> Result<const Entry*> {
        return findRow(rows, id, what).map([](const Row* row) { return static_cast<const Entry*>(row); });
    });
}

/// The text form; parseChoice gives the same choice back.
std::string formatChoice(const Choice& choice);

/// Label with the parameters that differ from their defaults: "Softmax Plus (B = 64)".
std::string describeChoice(const Entry& entry, const Choice& choice);

/// The same of its row; the id alone where there is no such row.
template <class Row>
std::string describeChoice(std::span<const Row> rows, const Choice& choice)
{
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& of) { return of.id == choice.id; });
    return row == rows.end() ? choice.id : describeChoice(*row, choice);
}

/// "ln {n} / ln {B}" -> "ln n / ln B" (a parameter's label where it has one).
std::string symbolicFormula(const Entry& entry);

/// "ln {n} / ln {B}" -> "ln 1024 / ln 512": each {name} from `values`, else from the parameters, else the bare name.
std::string workedFormula(const Entry& entry, const Choice& choice,
                          const std::map<std::string, double, std::less<>>& values);

/// Shortest text that reads back as the same double ("0.43", "1e+09"); `digits` > 0 rounds fractions to that
/// many significant.
std::string formatNumber(double value, int digits = 0);

}  // namespace attnscope

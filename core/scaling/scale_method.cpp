#include "core/scaling/scale_method.h"

#include "core/scaling/expression.h"
#include "core/theory/logit_density.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// The parameters that every row reads in the same way.
struct Common {
    double alpha = 1;
    bool row = false;
    bool clampAtOne = false;
    double floor = 1;
    double heads = 1;

    Common(const Entry& entry, const Parameters& parameters)
        : alpha(parameters["alpha"]), row(parameterOf(entry, "row") && parameters.on("row")),
          clampAtOne(parameterOf(entry, "clamp_at_one") && parameters.on("clamp_at_one")),
          floor(parameterOf(entry, "floor") ? parameters["floor"] : 1),
          heads(parameterOf(entry, "heads") ? parameters["heads"] : 1)
    {
    }

    /// A row that sees no key has nothing to scale; it counts as one key, so that it does not stop the method.
    double count(const ScaleContext& context) const { return std::max(row ? context.rowKeys : context.keys, floor); }

    ScaleContext context(const ScaleContext& given) const
    {
        ScaleContext used = given;
        used.d = static_cast<int>(given.d * heads);
        return used;
    }
};

Result<const ScaleMethod*> find(const Choice& method)
{
    const ScaleMethod* row = TRY(findRow(scaleMethods(), method.id, "scale method"));
    TRY(validate(*row, method));
    return row;
}

Result<double> finite(const std::string& id, double n, double multiplier)
{
    if (std::isfinite(multiplier))
        return multiplier;
    return failure(ErrorKind::Undefined, "{}: {} at n = {}", id, std::isnan(multiplier) ? "undefined" : "infinite",
                   formatNumber(n, 6));
}

}  // namespace

Result<std::function<Result<double>(const ScaleContext&)>> bindScale(const Choice& method)
{
    const ScaleMethod* row = TRY(find(method));
    const Parameters parameters(*row, method);
    const Common common(*row, parameters);
    const Result<Multiplier> bound = row->bind(parameters);
    if (!bound)
        return failure(bound.error().kind, method.id + ": " + bound.error().message);

    return [id = method.id, common, multiplier = *bound](const ScaleContext& given) -> Result<double> {
        if (!(given.nTrain >= 1) || given.d < 1)
            return failure(ErrorKind::InvalidArgument,
                           id + ": the training length N and the head size d must be at least 1");
        const double n = common.count(given);
        const Result<double> m = multiplier(n, common.context(given));
        if (!m)
            return failure(m.error().kind, id + ": " + m.error().message);
        return finite(id, n, common.alpha * (common.clampAtOne ? std::max(*m, 1.0) : *m));
    };
}

bool isVanilla(const Choice& method) { return method.id == vanillaId && factorOf(method) == 1; }
bool isVanilla(std::string_view method) { return method == vanillaId; }

double factorOf(const Choice& method)
{
    const auto alpha = method.values.find("alpha");
    return alpha == method.values.end() ? 1 : alpha->second;
}

bool keepsOwnTemperature(const Choice& method) { return method.id == vanillaId; }

std::optional<Choice> lawKeptBy(const Choice& method)
{
    const auto row = findRow(scaleMethods(), method.id, "scale method");
    if (!row || !(*row)->law)
        return std::nullopt;
    const Result<Choice> law = parseChoice((*row)->law(Parameters(**row, method)), logitDensities(), "logit density");
    return law ? std::optional(*law) : std::nullopt;
}

Result<Counts> countsOf(const Choice& method)
{
    const ScaleMethod* row = TRY(find(method));
    if (row->counts == Counts::Nothing)
        return Counts::Nothing;
    return usesPosition(method) || Parameters(*row, method).on("row") ? Counts::Row : Counts::Keys;
}

bool usesPosition(const Choice& method)
{
    const Result<const ScaleMethod*> row = find(method);
    if (!row || !(*row)->written)
        return false;
    const Result<Expression> expression = Expression::compile(Parameters(**row, method).text());
    return expression && expression->usesPosition();
}

bool isMeasured(const Choice& method)
{
    const Result<const ScaleMethod*> row = find(method);
    return row && (*row)->measured;
}

std::string fileOf(const Choice& method)
{
    const Result<const ScaleMethod*> row = find(method);
    return row && (*row)->file ? (*row)->file(Parameters(**row, method)) : "";
}

std::optional<double> trainLengthOf(const Choice& method, const ScaleContext& context)
{
    const Result<const ScaleMethod*> row = find(method);
    if (!row)
        return std::nullopt;
    if (!(*row)->ownTrainLength)
        return context.nTrain;
    const double own = (*row)->ownTrainLength(Parameters(**row, method), context);
    return own > 0 ? std::optional(own) : std::nullopt;
}

Result<std::string> workedScale(const Choice& method, const ScaleContext& context)
{
    const ScaleMethod* row = TRY(find(method));
    const auto scale = TRY(bindScale(method));
    const double m = TRY(scale(context));

    const Parameters parameters(*row, method);
    const Common common(*row, parameters);
    const ScaleContext used = common.context(context);
    const std::map<std::string, double, std::less<>> values{
        {"n", common.count(context)}, {"N", used.nTrain}, {"d", static_cast<double>(used.d)}, {"i", used.position}};

    std::string formula = workedFormula(*row, withTrainLength(*row, method, used.nTrain), values);
    if (row->written) {
        std::map<std::string, std::string, std::less<>> numbers;
        for (const auto& [name, value] : values)
            numbers.emplace(name, formatNumber(value, 4));
        formula = Expression::withNumbers(parameters.text(), numbers);
    }
    if (common.clampAtOne)
        formula = "max(1, " + formula + ")";
    if (common.alpha != 1)
        formula = formatNumber(common.alpha, 4) + " · (" + formula + ")";
    const std::string result = formatNumber(m, 4);
    return "m = " + (formula == result ? result : formula + " = " + result);
}

}  // namespace attnscope

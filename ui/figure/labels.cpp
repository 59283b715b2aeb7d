#include "ui/figure/labels.h"

#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/labs/retrieval/max_retrieval_lab.h"
#include "core/scaling/scale_method.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <numeric>

namespace attnscope {

namespace {

/// "rope, custom:\"n, N\", trained with log_n" -> what stands between the commas outside quotes that a blank follows.
QStringList policyParts(const QString& policy)
{
    QStringList parts(QString{});
    bool quoted = false;
    for (qsizetype i = 0; i < policy.size(); ++i) {
        quoted = quoted != (policy[i] == QLatin1Char('"'));
        if (!quoted && policy.mid(i, 2) == ", "_L1) {
            parts << QString();
            ++i;
        } else
            parts.back() += policy[i];
    }
    return parts;
}

const QString trainedWith = u"trained with "_s;

/// Of the parts, the one that is a scale method with its normaliser; empty: none is.
QString variantOf(const QString& policy)
{
    for (const QString& part : policyParts(policy))
        if (parseChoice(part.section(QLatin1Char('|'), 0, 0).toStdString(), scaleMethods(), "scale method") &&
            !part.startsWith(trainedWith))
            return part;
        else if (part == QLatin1String(constraintId))
            return part;
    return {};
}

std::string methodOf(const QString& variant) { return variant.section(QLatin1Char('|'), 0, 0).toStdString(); }

/// Of "vanilla|adaptive"; none where what stands behind the bar is none.
Result<Choice> normaliserOf(const QString& variant)
{
    const std::string behind = variant.section(QLatin1Char('|'), 1).toStdString();
    return behind == "refit" ? Choice{"adaptive", {}, {}} : parseChoice(behind, normalisers(), "normaliser");
}

/// "vanilla|window:w=64": nothing is scaled, and something else is done.
bool isBaseline(const QString& variant)
{
    return isVanilla(methodOf(variant)) && variant.contains(QLatin1Char('|')) && !normaliserOf(variant);
}
bool isOfNormaliser(const QString& variant)
{
    return variant == QLatin1String(constraintId) || (isVanilla(methodOf(variant)) && normaliserOf(variant));
}

/// Of "algorithms_adaptive_2_seed1": a network's file.
QString networkLabel(const QRegularExpressionMatch& file)
{
    const QString trained = file.captured(1), which = file.captured(2);
    return (trained.isEmpty()
                ? QString()
                : policyPartLabel(trained) + (which.isEmpty() ? QString() : QLatin1Char(' ') + which) + u", "_s) +
           u"seed "_s + file.captured(3);
}

}  // namespace

QString symbolsIn(const QString& label)
{
    static const QRegularExpression alone(
        u"(?<![\\w$\\-'\\x{2019}])([b-zB-Z]|[\\x{03B1}-\\x{03C9}][a-z]?)(?![\\w$\\-.])"_s);
    return QString(label).replace(alone, u"$\\1$"_s);
}

QString methodLabel(const Choice& method) { return symbolsIn(text(describeChoice(scaleMethods(), method))); }

QString panelLetter(std::size_t index) { return QString(QChar(static_cast<char16_t>(u'a' + index))); }

QString policyPartLabel(const QString& part)
{
    if (part.startsWith(trainedWith))
        return trainedWith + policyPartLabel(part.mid(trainedWith.size()));
    const std::string id = part.toStdString();
    if (id == constraintId)
        return u"Constrained entropy"_s;
    QString label = part;
    const auto named = [&](const auto& rows, const char* what) {
        const auto choice = parseChoice(id, rows, what);
        if (choice)
            label = symbolsIn(text(describeChoice(rows, *choice)));
        return choice.has_value();
    };
    named(scaleMethods(), "scale method") || named(positions(), "position") || named(normalisers(), "normaliser");
    return label;
}

QString policyLabel(const QString& policy)
{
    static const QRegularExpression network(
        u"^(?:algorithms|masked_lm|causal_lm|recall)(?:_([a-z].*?))?(?:_(\\d+))?_seed(\\d+)$"_s);
    if (const auto file = network.match(policy); file.hasMatch())
        return networkLabel(file);
    QStringList parts = policyParts(policy);
    for (QString& part : parts)
        part = part.contains(QLatin1Char('|')) ? variantLabel(part) : policyPartLabel(part);
    return parts.join(u", "_s);
}

QString variantLabel(const QString& variant)
{
    if (isVanilla(variant.toStdString()))
        return u"Vanilla"_s;
    if (variant == "vanilla|adaptive"_L1)
        return u"Adaptive $\\theta$"_s;
    if (variant == "vanilla|refit"_L1)
        return u"Adaptive $\\theta$, refit"_s;
    if (const auto mask = parseChoice(variant.section(QLatin1Char('|'), 1).toStdString(), masks(), "mask"); mask)
        return u"No scale, "_s + symbolsIn(text(describeChoice(masks(), *mask))).toLower();
    if (const auto normaliser = normaliserOf(variant)) {
        const QString label = symbolsIn(text(describeChoice(normalisers(), *normaliser)));
        return isVanilla(methodOf(variant)) ? label : policyPartLabel(text(methodOf(variant))) + u", "_s + label;
    }
    return policyPartLabel(variant);
}

std::vector<int> variantStyles(const std::vector<QString>& variants)
{
    std::vector<Choice> methods;
    std::vector<std::size_t> places;
    std::vector<int> styles(variants.size());
    std::vector<QString> free;  // normalisers: each has a style that no method here has
    int baselines = 0;
    bool any = false;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const QString variant = variantOf(variants[i]);
        any = any || !variant.isEmpty();
        if (isBaseline(variant)) {
            styles[i] = baselineStyle(baselines++);
            continue;
        }
        if (isOfNormaliser(variant)) {
            if (std::ranges::find(free, variant) == free.end())
                free.push_back(variant);
            continue;
        }
        const auto method = parseChoice(methodOf(variant), scaleMethods(), "scale method");
        methods.push_back(method.value_or(Choice{"vanilla", {}, {}}));  // a normaliser without a scale
        places.push_back(i);
    }
    const std::vector<int> ofMethods = methodStyles(methods);
    for (std::size_t i = 0; i < places.size(); ++i)
        styles[places[i]] = ofMethods[i];
    for (std::size_t i = 0; i < variants.size(); ++i)
        if (const auto own = std::ranges::find(free, variantOf(variants[i])); own != free.end())
            styles[i] = freeStyle(methods, static_cast<int>(own - free.begin()));
    if (!any)
        std::iota(styles.begin(), styles.end(), 0);
    return styles;
}

}  // namespace attnscope

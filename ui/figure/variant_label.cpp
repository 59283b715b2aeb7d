#include "ui/figure/variant_label.h"

#include "core/scaling/scale_method.h"
#include "ui/figure/kinds/support.h"
#include "ui/plot/method_style.h"

#include <numeric>

namespace attnscope {

QString variantLabel(const QString& variant)
{
    if (variant == QLatin1String("vanilla"))
        return QStringLiteral("Baseline");
    if (variant == QLatin1String("vanilla|adaptive"))
        return QStringLiteral("Adaptive $\\theta$");
    if (variant == QLatin1String("vanilla|refit"))
        return QStringLiteral("Adaptive $\\theta$, refit");
    const auto choice = parseChoice(variant.toStdString(), scaleMethods(), "scale method");
    return choice ? methodLabel(*choice) : variant;
}

std::vector<int> variantStyles(const std::vector<QString>& variants)
{
    std::vector<Choice> methods;
    bool any = false;
    for (const QString& variant : variants) {
        const auto method = parseChoice(variant.section(QLatin1Char('|'), 0, 0).toStdString(), scaleMethods(), "scale method");
        methods.push_back(method.value_or(Choice{"vanilla", {}, {}}));  // a normaliser without a scale
        any = any || method;
    }
    if (any)
        return methodStyles(methods);
    std::vector<int> styles(variants.size());
    std::iota(styles.begin(), styles.end(), 0);
    return styles;
}

}  // namespace attnscope

#include "ui/figure/variant_label.h"

#include "core/scaling/scale_method.h"
#include "ui/figure/kinds/support.h"

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

}  // namespace attnscope

#include "ui/window/views/head_measures.h"

#include "ui/plot/qt_text.h"
#include "ui/window/controls/building.h"

#include <algorithm>

namespace attnscope {

std::span<const HeadMeasure> headMeasures()
{
    static constexpr HeadMeasure all[] = {
        {"entropy", QT_TRANSLATE_NOOP("attnscope", "Mean entropy"), QT_TRANSLATE_NOOP("attnscope", "Mean entropy (nats)"), QT_TRANSLATE_NOOP("attnscope", "Mean entropy of the rows that count"),
         QT_TRANSLATE_NOOP("attnscope", "%1 nats")},
        {"share", QT_TRANSLATE_NOOP("attnscope", "Entropy over ln n"), QT_TRANSLATE_NOOP("attnscope", "Mean entropy over mean $\\ln$ of the keys seen"),
         QT_TRANSLATE_NOOP("attnscope", "1: uniform over all keys that a row sees; 0: one key alone"), QT_TRANSLATE_NOOP("attnscope", "%1 of ln n")},
        {"keeps", QT_TRANSLATE_NOOP("attnscope", "Multiplier for H(N)"), QT_TRANSLATE_NOOP("attnscope", "Multiplier $m$ that keeps the entropy of $N$"),
         QT_TRANSLATE_NOOP("attnscope", "Measured: the m for which the mean row entropy of n tokens is that of the first N"), QT_TRANSLATE_NOOP("attnscope", "m = %1")},
        {"slope", QT_TRANSLATE_NOOP("attnscope", "Slope of H over ln n"), QT_TRANSLATE_NOOP("attnscope", "Slope of the mean entropy over $\\ln n$"),
         QT_TRANSLATE_NOOP("attnscope", "A straight line through the mean entropies at several lengths: 1 for uniform rows, 0 for rows that do not disperse"),
         QT_TRANSLATE_NOOP("attnscope", "%1 nats per e-fold of n")},
    };
    return all;
}

const HeadMeasure& headMeasure(const std::string& id)
{
    const auto all = headMeasures();
    return *std::find_if(all.begin(), std::prev(all.end()), [&](const HeadMeasure& one) { return id == one.id; });
}

void addHeadMeasures(QComboBox& list)
{
    for (const HeadMeasure& one : headMeasures())
        addItem(list, tr(one.words), QString::fromLatin1(one.id), tr(one.about));
}

}  // namespace attnscope

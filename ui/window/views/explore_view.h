#pragma once
// The views of Explore that the stage shows alone and a recording records: their ids are those of a figure's views, or
// all of them.

#include <QString>

#include <array>

namespace attnscope {

struct ExploreView {
    QString id;
    const char* title;  ///< to be translated, context ExploreView
    Qt::Key key;        ///< on the stage
};

inline const QString mapsView = QStringLiteral("heatmaps"), entropyChartView = QStringLiteral("entropy"),
                     dispersionChartView = QStringLiteral("dispersion"), everyView = QStringLiteral("all");

/// In the order offered.
inline const std::array<ExploreView, 4>& exploreViews()
{
    static const std::array<ExploreView, 4> all{
        {{mapsView, QT_TRANSLATE_NOOP("ExploreView", "Maps"), Qt::Key_M},
         {entropyChartView, QT_TRANSLATE_NOOP("ExploreView", "Entropy against n"), Qt::Key_E},
         {dispersionChartView, QT_TRANSLATE_NOOP("ExploreView", "Dispersion"), Qt::Key_D},
         {everyView, QT_TRANSLATE_NOOP("ExploreView", "Maps and charts"), Qt::Key_A}}};
    return all;
}

}  // namespace attnscope

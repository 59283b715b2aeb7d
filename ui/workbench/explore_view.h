#pragma once
// The views of Explore that the stage shows alone and a recording records: the maps, each chart, or all of them. Their
// ids are those of a figure's views.

#include "ui/figure/explore_charts.h"
#include "ui/plot/qt_text.h"

#include <QString>

#include <vector>

namespace attnscope {

struct ExploreView {
    QString id, title;
    Qt::Key key;  ///< on the stage
};

inline const QString mapsView = u"heatmaps"_s, everyView = u"all"_s;

/// In the order offered.
inline std::vector<ExploreView> exploreViews()
{
    std::vector<ExploreView> all{{mapsView, u"Maps"_s, Qt::Key_M}};
    for (const ExploreChart& chart : exploreCharts())
        all.push_back({text(chart.id), chart.plainTitle(), chart.key()});
    all.push_back({everyView, u"Maps and charts"_s, Qt::Key_A});
    return all;
}

}  // namespace attnscope

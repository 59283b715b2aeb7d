#pragma once
// The views of Explore that the stage shows alone and a recording records: their ids are those of a figure's views, or
// all of them.

#include "ui/plot/qt_text.h"

#include <QString>

#include <array>

namespace attnscope {

struct ExploreView {
    QString id;
    const char* title;
    Qt::Key key;  ///< on the stage
};

inline const QString mapsView = u"heatmaps"_s, entropyChartView = u"entropy"_s, dispersionChartView = u"dispersion"_s,
                     everyView = u"all"_s;

/// In the order offered.
inline const std::array<ExploreView, 4>& exploreViews()
{
    static const std::array<ExploreView, 4> all{{{mapsView, "Maps", Qt::Key_M},
                                                 {entropyChartView, "Entropy against n", Qt::Key_E},
                                                 {dispersionChartView, "Dispersion", Qt::Key_D},
                                                 {everyView, "Maps and charts", Qt::Key_A}}};
    return all;
}

}  // namespace attnscope

#pragma once
// A tour on screen and in print: edges that differ from the other tours' in blue, and of a tour that is being made the attention of the
// place where it stands as vermilion lines, full colour for the largest weight.

#include "core/labs/tour_step.h"

#include <QRectF>
#include <QString>

#include <span>

class QPainter;

namespace attnscope {

struct PlotStyle;

/// One panel of the tours.
struct TourPicture {
    LabTours tours;
    std::size_t panel = 0;
    std::optional<TourStep> step;     ///< nothing: the tour as it is
};

/// The square of the places as large as it fits into the rectangle.
void paintTour(QPainter&, const PlotStyle&, const LabTours& tours, std::size_t panel, const TourStep* step, const QRectF& where);

/// Of tours of several instances those of most places; null: there are none.
const LabTours* toursToShow(std::span<const LabTours> all);

/// What the colours mean.
QString meaningOfTours(bool ofSteps);

}  // namespace attnscope

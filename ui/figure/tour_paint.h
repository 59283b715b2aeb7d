#pragma once
// A tour on screen and in print: places as dots, the one where it begins as a square, edges that differ from the other
// tours' in blue, and of a tour that is being made the attention of the place where it stands as vermilion lines, full
// colour for the largest weight. Places have their numbers where there is room for all of them; the start, those that a
// step is about, and one that is asked for, always.

#include "core/labs/routing/tour_step.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <memory>
#include <span>
#include <vector>

class QPainter;

namespace attnscope {

struct PlotStyle;

/// One panel of the tours.
struct TourPicture {
    LabTours tours;
    std::size_t panel = 0;
    std::optional<TourStep> step;  ///< nothing: the tour as it is
};

/// A number that is written, and where.
struct TourNumber {
    int place = 0;
    QString number;
    QRectF box;
};

/// Where the numbers stand: of all places where each has room for its own in every panel, in the same places whatever
/// the step; else of those that a panel is about, the start first. Room for all is looked for once, and again for other
/// tours, another size or another style.
class TourNumbers {
public:
    std::vector<TourNumber> of(const PlotStyle&, const LabTours& tours, std::size_t panel, const TourStep* step,
                               const QRectF& where, int named = -1);
    int timesLookedFor() const { return m_times; }

private:
    struct Kept;
    std::shared_ptr<const Kept> m_kept;
    int m_times = 0;
};

/// The square of the places as large as it fits into the rectangle. `named`: a place whose number is asked for; -1:
/// none.
void paintTour(QPainter&, const PlotStyle&, TourNumbers&, const LabTours& tours, std::size_t panel,
               const TourStep* step, const QRectF& where, int named = -1);

/// Where a place is painted.
QPointF placeInTour(const LabTours& tours, int place, const QRectF& where);

/// What a step's words name: the places with the largest weights.
constexpr std::size_t mostNamedInStep = 3;

/// Of tours of several instances those of most places; null: there are none.
const LabTours* toursToShow(std::span<const LabTours> all);

/// What the colours mean.
QString meaningOfTours(bool ofSteps);

}  // namespace attnscope

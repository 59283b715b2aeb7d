#include "ui/figure/tour_paint.h"

#include "ui/plot/method_style.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace attnscope {

const LabTours* toursToShow(std::span<const LabTours> all)
{
    const auto most = std::ranges::max_element(all, {}, [](const LabTours& one) { return one.places.size(); });
    return most == all.end() || most->panels.empty() ? nullptr : &*most;
}

void paintTour(QPainter& painter, const PlotStyle& style, const LabTours& tours, std::size_t panel, const TourStep* step, const QRectF& where)
{
    const double across = std::min(where.width(), where.height());
    const QRectF square(where.center().x() - across / 2, where.center().y() - across / 2, across, across);
    const auto at = [&](int place) {
        const auto& [x, y] = tours.places[static_cast<std::size_t>(place)];
        return QPointF(square.left() + static_cast<double>(x) * across, square.bottom() - static_cast<double>(y) * across);
    };
    const QColor differing = methodStyle(0, style.dark).colour, attention = methodStyle(1, style.dark).colour;
    const std::vector<LabTours::Edge>& edges = tours.panels[panel].edges;
    const std::size_t made = step ? std::min(step->made, edges.size()) : edges.size();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style.grid, style.thin));
    painter.drawRect(square);
    for (const bool differs : {false, true}) {  // those in colour above the others
        painter.setPen(QPen(differs ? differing : style.quiet, differs ? style.line : style.thin));
        for (std::size_t i = 0; i < made; ++i)
            if (edges[i].differs == differs)
                painter.drawLine(at(edges[i].from), at(edges[i].to));
    }
    const auto dot = [&](int place, const QColor& colour, double diameter) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawEllipse(at(place), diameter / 2, diameter / 2);
        painter.setBrush(Qt::NoBrush);
    };
    if (step && !step->weights.empty()) {
        const float largest = *std::ranges::max_element(step->weights);
        for (int place = 0; place < std::ssize(step->weights); ++place) {
            const float weight = step->weights[static_cast<std::size_t>(place)];
            QColor colour = attention;
            colour.setAlphaF(largest > 0 ? weight / largest : 0);
            if (step->at && weight > 0) {
                painter.setPen(QPen(colour, style.line));
                painter.drawLine(at(*step->at), at(place));
            }
            dot(place, weight > 0 ? style.ink : style.grid, style.marker / 2);  // those in grey are out of the question
            if (!step->at)
                dot(place, colour, style.marker);
        }
        painter.setPen(QPen(style.ink, style.thin));
        if (step->next)
            painter.drawEllipse(at(*step->next), style.marker * 0.8, style.marker * 0.8);
        if (step->at)
            dot(*step->at, attention, 1.5 * style.marker);
    }
    if (tours.depot)
        dot(0, style.ink, style.marker);
}

QString meaningOfTours(bool ofSteps)
{
    return ofSteps ? QCoreApplication::translate("Tours", "Blue: edges that differ. Vermilion: attention of the glimpse, mean over its heads; ring: the next place.")
                   : QCoreApplication::translate("Tours", "Blue: edges that differ from the first tour's.");
}

}  // namespace attnscope

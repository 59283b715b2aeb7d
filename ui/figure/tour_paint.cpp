#include "ui/figure/tour_paint.h"

#include "ui/plot/method_style.h"
#include "ui/plot/polyline.h"
#include "ui/plot/qt_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace attnscope {

const LabTours* toursToShow(std::span<const LabTours> all)
{
    const auto most = std::ranges::max_element(all, {}, [](const LabTours& one) { return one.places.size(); });
    return most == all.end() || most->panels.empty() ? nullptr : &*most;
}

namespace {

QRectF squareIn(const QRectF& where)
{
    const double across = std::min(where.width(), where.height());
    return {where.center().x() - across / 2, where.center().y() - across / 2, across, across};
}

/// The depot, or the city where the tour begins; -1: it has not begun.
int firstPlace(const LabTours& tours, std::size_t panel, const TourStep* step)
{
    const std::vector<LabTours::Edge>& edges = tours.panels[panel].edges;
    if (tours.depot)
        return 0;
    const bool begun = !step || step->made > 0 || step->at;
    return begun && !edges.empty() ? edges.front().from : -1;
}

/// Those whose numbers are written: all where they are far enough apart.
std::vector<int> placesToName(const LabTours& tours, const TourStep* step, int first, int asked, double heights)
{
    constexpr double roomForAll = 3.5;  // of a number, in heights of its digits
    std::vector<int> named;
    const auto places = static_cast<int>(tours.places.size());
    if (heights > roomForAll * std::sqrt(places)) {
        named.resize(tours.places.size());
        std::iota(named.begin(), named.end(), 0);
        return named;
    }
    if (step)
        named = mostLookedAt(*step, mostNamedInStep);
    for (const int place : {step ? step->at.value_or(-1) : -1, step ? step->next.value_or(-1) : -1, first, asked})
        if (place >= 0 && place < places && std::ranges::find(named, place) == named.end())
            named.push_back(place);
    return named;
}

/// Beside its place, within the square, as near as it hides nothing of `taken`, which it joins, and as few lines as can
/// be; over those that are left, with the ground around its digits.
void paintNumber(QPainter& painter, const PlotStyle& style, const QString& number, const QPointF& at,
                 const QRectF& square, const std::vector<QLineF>& lines, std::vector<QRectF>& taken)
{
    const QFontMetricsF metrics = painter.fontMetrics();
    const QSizeF size(metrics.horizontalAdvance(number), metrics.ascent());
    struct Box {
        QRectF place;
        double away;
    };
    std::vector<Box> boxes;                         // the nearest first
    for (const double away : {0.5, 1.2, 2.2, 3.4})  // of a marker
        for (const auto& [right, down] :
             {std::pair(1, -1), {-1, -1}, {1, 1}, {-1, 1}, {1, 0}, {-1, 0}, {0, -1}, {0, 1}}) {
            const double off = away * style.marker;
            const QPointF middle = at + QPointF(right * (off + size.width() / 2), down * (off + size.height() / 2));
            boxes.push_back({{middle - QPointF(size.width(), size.height()) / 2, size}, away});
        }
    const auto costs = [&](const Box& one) {
        constexpr double hides = 4, outside = 100, astray = 0.5;  // lines that are as bad
        const QRectF& box = one.place;
        const auto hidden = std::ranges::count_if(taken, [&](const QRectF& other) { return box.intersects(other); });
        const auto crossed =
            std::ranges::count_if(lines, [&](const QLineF& line) { return cut(line, box).has_value(); });
        return astray * one.away + hides * static_cast<double>(hidden) + static_cast<double>(crossed) +
               (square.contains(box) ? 0.0 : outside);
    };
    const QRectF box = std::ranges::min_element(boxes, {}, costs)->place;
    taken.push_back(box);
    QPainterPath digits;
    digits.addText(box.bottomLeft(), painter.font(), number);
    painter.strokePath(digits, QPen(style.background, 0.4 * style.marker, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setPen(style.ink);
    painter.drawText(box.bottomLeft(), number);
}

}  // namespace

QPointF placeInTour(const LabTours& tours, int place, const QRectF& where)
{
    const QRectF square = squareIn(where);
    const auto& [x, y] = tours.places[static_cast<std::size_t>(place)];
    return {square.left() + static_cast<double>(x) * square.width(),
            square.bottom() - static_cast<double>(y) * square.width()};
}

void paintTour(QPainter& painter, const PlotStyle& style, const LabTours& tours, std::size_t panel,
               const TourStep* step, const QRectF& where, int named)
{
    const QRectF square = squareIn(where);
    const auto at = [&](int place) { return placeInTour(tours, place, where); };
    const QColor differing = methodStyle(0, style.dark).colour, attention = methodStyle(1, style.dark).colour;
    const std::vector<LabTours::Edge>& edges = tours.panels[panel].edges;
    const std::size_t made = step ? std::min(step->made, edges.size()) : edges.size();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style.grid, style.thin));
    painter.drawRect(square);
    std::vector<QLineF> drawn;
    for (const bool differs : {false, true}) {  // those in colour above the others
        painter.setPen(QPen(differs ? differing : style.quiet, differs ? style.line : style.thin));
        for (std::size_t i = 0; i < made; ++i)
            if (edges[i].differs == differs)
                painter.drawLine(drawn.emplace_back(at(edges[i].from), at(edges[i].to)));
    }
    const auto dot = [&](int place, const QColor& colour, double diameter) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawEllipse(at(place), diameter / 2, diameter / 2);
        painter.setBrush(Qt::NoBrush);
    };
    const bool attends = step && !step->weights.empty();
    const double apart = square.width() / std::sqrt(static_cast<double>(std::max<std::size_t>(1, tours.places.size())));
    const double small = std::min(style.marker / 2, apart / 4);
    const auto isOpen = [&](int place) { return attends && step->weights[static_cast<std::size_t>(place)] > 0; };
    if (attends && step->at) {
        const float largest = *std::ranges::max_element(step->weights);
        for (int place = 0; place < std::ssize(step->weights); ++place)
            if (isOpen(place)) {
                QColor colour = attention;
                colour.setAlphaF(step->weights[static_cast<std::size_t>(place)] / largest);
                painter.setPen(QPen(colour, style.line));
                painter.drawLine(at(*step->at), at(place));
            }
    }
    for (int place = 0; place < std::ssize(tours.places); ++place)  // those that a step may still go to stand out
        isOpen(place) || !attends ? dot(place, style.ink, small) : dot(place, style.quiet, 0.75 * small);
    if (attends) {
        const float largest = *std::ranges::max_element(step->weights);
        for (int place = 0; place < std::ssize(step->weights) && !step->at && largest > 0; ++place) {
            QColor colour = attention;
            colour.setAlphaF(step->weights[static_cast<std::size_t>(place)] / largest);
            dot(place, colour, style.marker);
        }
        painter.setPen(QPen(style.ink, style.thin));
        if (step->next)
            painter.drawEllipse(at(*step->next), style.marker * 0.8, style.marker * 0.8);
        if (step->at)
            dot(*step->at, attention, 1.5 * style.marker);
    }
    const int first = firstPlace(tours, panel, step);
    if (first >= 0) {
        const double side = attends && step->at == first ? 0.4 * style.marker : style.marker;
        const QPointF middle = at(first);
        painter.fillRect(QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side), style.ink);
    }
    painter.setFont(style.font(style.small));
    const double digits = QFontMetricsF(painter.font()).ascent();
    const std::vector<int> numbered = placesToName(tours, step, first, named, square.width() / digits);
    std::vector<QRectF> taken;
    for (const int place : numbered)
        taken.emplace_back(at(place) - QPointF(style.marker, style.marker) / 2, QSizeF(style.marker, style.marker));
    for (const int place : numbered) {
        const QString number = tours.depot && place == 0 ? u"depot"_s : QString::number(place);
        paintNumber(painter, style, number, at(place), square, drawn, taken);
    }
}

QString meaningOfTours(bool ofSteps)
{
    if (!ofSteps)
        return u"Blue: edges that differ from the first tour's. Square: the start."_s;
    return u"Blue: edges that differ. Vermilion: attention of the glimpse, mean over its heads; ring: the next place. "
           "Square: the start."_s;
}

}  // namespace attnscope

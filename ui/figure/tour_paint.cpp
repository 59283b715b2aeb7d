#include "ui/figure/tour_paint.h"

#include "ui/plot/method_style.h"
#include "ui/plot/polyline.h"
#include "ui/plot/qt_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

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

/// All of them, the start before the others.
std::vector<int> startFirst(const LabTours& tours, std::size_t panel)
{
    std::vector<int> all(tours.places.size());
    std::iota(all.begin(), all.end(), 0);
    if (const int first = firstPlace(tours, panel, nullptr); first > 0)
        std::rotate(all.begin(), all.begin() + first, all.begin() + first + 1);
    return all;
}

double squaredLength(const QPointF& way) { return QPointF::dotProduct(way, way); }

/// What a step is about, where the tour begins, and what is asked for: the start first.
std::vector<int> placesNamedAlways(const LabTours& tours, const TourStep* step, int first, int asked)
{
    std::vector<int> all{first, asked}, named;
    if (step) {
        all.insert(all.end(), {step->at.value_or(-1), step->next.value_or(-1)});
        std::ranges::copy(mostLookedAt(*step, mostNamedInStep), std::back_inserter(all));
    }
    for (const int place : all)
        if (place >= 0 && place < std::ssize(tours.places) && std::ranges::find(named, place) == named.end())
            named.push_back(place);
    return named;
}

/// Of a place that is no more than one of them.
double dotSize(const LabTours& tours, const PlotStyle& style, const QRectF& square)
{
    const double apart = square.width() / std::sqrt(static_cast<double>(std::max<std::size_t>(1, tours.places.size())));
    return std::min(style.marker / 2, apart / 4);
}

/// Beside its place, within the square, as near as it hides nothing and as few lines as can be, and no nearer to
/// another place. `free`: there is such a box for each of them.
struct Placed {
    std::vector<TourNumber> numbers;
    bool free = true;
};
Placed putNumbers(const PlotStyle& style, const LabTours& tours, std::size_t panel, const QRectF& where,
                  const std::vector<int>& places, bool allOrNone)
{
    constexpr double hides = 50, outside = 200, unread = 200, astray = 0.5;  // lines that are as bad
    const QFontMetricsF metrics(style.font(style.small));
    const double apart = 0.4 * metrics.horizontalAdvance(u'0');  // two numbers side by side are no long one
    const QRectF square = squareIn(where);
    std::vector<QPointF> at;
    std::vector<QRectF> taken;
    for (int place = 0; place < std::ssize(tours.places); ++place) {
        at.push_back(placeInTour(tours, place, where));
        const double side = places.empty() || place != places.front() ? dotSize(tours, style, square) : style.marker;
        taken.emplace_back(at.back() - QPointF(side, side) / 2, QSizeF(side, side));
    }
    std::vector<QLineF> lines;  // all of them, however far it is: numbers stay where they are from step to step
    for (const LabTours::Edge& edge : tours.panels[panel].edges)
        lines.emplace_back(at[static_cast<std::size_t>(edge.from)], at[static_cast<std::size_t>(edge.to)]);
    Placed placed;
    for (const int place : places) {
        const QPointF& own = at[static_cast<std::size_t>(place)];
        const QString number = tours.depot && place == 0 ? u"depot"_s : QString::number(place);
        const QSizeF size(metrics.horizontalAdvance(number), metrics.ascent());
        QRectF best;
        double least = std::numeric_limits<double>::infinity();
        for (const double away : {0.5, 1.2, 2.2, 3.4})  // of a marker
            for (const auto& [right, down] :
                 {std::pair(1, -1), {-1, -1}, {1, 1}, {-1, 1}, {1, 0}, {-1, 0}, {0, -1}, {0, 1}}) {
                const double off = away * style.marker;
                const QPointF middle =
                    own + QPointF(right * (off + size.width() / 2), down * (off + size.height() / 2));
                const QRectF box(middle - QPointF(size.width(), size.height()) / 2, size);
                double cost = astray * away + (square.contains(box) ? 0.0 : outside);
                const double near = squaredLength(middle - own);
                for (std::size_t i = 0; i < taken.size() && cost < least; ++i)  // while it may be the best
                    cost += !box.intersects(taken[i]) ? 0.0 : i < at.size() ? hides : unread;
                for (std::size_t i = 0; i < at.size() && cost < least; ++i)
                    cost += squaredLength(middle - at[i]) < near ? hides : 0.0;
                for (std::size_t i = 0; i < lines.size() && cost < least; ++i)
                    cost += cut(lines[i], box) ? 1.0 : 0.0;
                if (cost < least) {
                    least = cost;
                    best = box;
                }
            }
        placed.free = placed.free && least < hides;
        if (allOrNone && !placed.free)
            return placed;
        taken.push_back(best.adjusted(-apart, 0, apart, 0));
        placed.numbers.push_back({place, number, best});
    }
    return placed;
}

/// Of every place, in each panel; none: one of them has no room for its own.
std::vector<std::vector<TourNumber>> numbersOfAll(const PlotStyle& style, const LabTours& tours, const QRectF& square)
{
    constexpr double roomForAll = 3.5;  // of a number, in heights of its digits
    const double digits = QFontMetricsF(style.font(style.small)).ascent();
    if (square.width() <= roomForAll * digits * std::sqrt(static_cast<double>(tours.places.size())))
        return {};
    std::vector<std::vector<TourNumber>> panels;
    for (std::size_t panel = 0; panel < tours.panels.size(); ++panel) {
        Placed placed = putNumbers(style, tours, panel, square, startFirst(tours, panel), true);
        if (!placed.free)
            return {};
        panels.push_back(std::move(placed.numbers));
    }
    return panels;
}

/// What the numbers depend on.
bool haveSameLines(const LabTours& a, const LabTours& b)
{
    const auto isSameEdge = [](const LabTours::Edge& one, const LabTours::Edge& other) {
        return one.from == other.from && one.to == other.to;
    };
    const auto isSamePanel = [&](const LabTours::Panel& one, const LabTours::Panel& other) {
        return std::ranges::equal(one.edges, other.edges, isSameEdge);
    };
    return a.depot == b.depot && a.places == b.places && std::ranges::equal(a.panels, b.panels, isSamePanel);
}

}  // namespace

QPointF placeInTour(const LabTours& tours, int place, const QRectF& where)
{
    const QRectF square = squareIn(where);
    const auto& [x, y] = tours.places[static_cast<std::size_t>(place)];
    return {square.left() + static_cast<double>(x) * square.width(),
            square.bottom() - static_cast<double>(y) * square.width()};
}

void paintTour(QPainter& painter, const PlotStyle& style, TourNumbers& numbers, const LabTours& tours,
               std::size_t panel, const TourStep* step, const QRectF& where, int named)
{
    const QRectF square = squareIn(where);
    const auto at = [&](int place) { return placeInTour(tours, place, where); };
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
    const bool attends = step && !step->weights.empty();
    const double small = dotSize(tours, style, square);
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
    for (const TourNumber& one : numbers.of(style, tours, panel, step, where, named)) {
        QPainterPath digits;  // with the ground around them
        digits.addText(one.box.bottomLeft(), painter.font(), one.number);
        painter.strokePath(digits,
                           QPen(style.background, 0.4 * style.marker, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setPen(style.ink);
        painter.drawText(one.box.bottomLeft(), one.number);
    }
}

struct TourNumbers::Kept {
    LabTours tours;
    PlotStyle style;
    double side = 0;
    std::vector<std::vector<TourNumber>> panels;  ///< in a square that begins at 0, 0
};

std::vector<TourNumber> TourNumbers::of(const PlotStyle& style, const LabTours& tours, std::size_t panel,
                                        const TourStep* step, const QRectF& where, int named)
{
    const QRectF square = squareIn(where);
    const double side = square.width();
    if (!m_kept || m_kept->side != side || m_kept->style != style || !haveSameLines(m_kept->tours, tours)) {
        ++m_times;
        m_kept = std::make_shared<const Kept>(
            Kept{tours, style, side, numbersOfAll(style, tours, QRectF(0, 0, side, side))});
    }
    if (m_kept->panels.empty()) {
        const int first = firstPlace(tours, panel, step);
        return putNumbers(style, tours, panel, where, placesNamedAlways(tours, step, first, named), false).numbers;
    }
    std::vector<TourNumber> numbers = m_kept->panels[panel];
    for (TourNumber& one : numbers)
        one.box.translate(square.topLeft());
    return numbers;
}

QString meaningOfTours(bool ofSteps)
{
    if (!ofSteps)
        return u"Blue: edges that differ from the first tour's. Square: the start."_s;
    return u"Blue: edges that differ. Vermilion: attention of the glimpse, mean over its heads; ring: the next place. "
           "Square: the start."_s;
}

}  // namespace attnscope

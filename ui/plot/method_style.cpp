#include "ui/plot/method_style.h"

#include "core/scaling/scale_method.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace attnscope {

namespace {

struct Hue {
    QRgb onLight, onDark;
};

// Blue, vermilion, green, purple, amber, sky, grey, wine, indigo, moss, magenta, steel, teal, brown, red, graphite.
constexpr std::array<Hue, scaleStyles> hues{{{0xff0072b2, 0xff4aa8e8},
                                             {0xffd55e00, 0xffff8a3d},
                                             {0xff008a63, 0xff2ec492},
                                             {0xffb4558f, 0xffe08abf},
                                             {0xffb27a00, 0xfff0b429},
                                             {0xff2f92c9, 0xff8fd3ff},
                                             {0xff5b6470, 0xffaeb6c1},
                                             {0xff8c2d4c, 0xffd9728f},
                                             {0xff4b3fae, 0xffa596ff},
                                             {0xff5c7f1a, 0xffa3d65c},
                                             {0xffc2187a, 0xffff6fb5},
                                             {0xff5a78a8, 0xff9db7e0},
                                             {0xff00757d, 0xff3fd0d8},
                                             {0xff7a4a1e, 0xffc99a6b},
                                             {0xffcc3333, 0xffff7070},
                                             {0xff30363d, 0xffe3e6ea}}};

const QList<QList<qreal>>& dashes()
{
    static const QList<QList<qreal>> patterns{
        {}, {5, 2}, {1.2, 1.6}, {6, 2, 1.2, 2}, {9, 2.5}, {3, 1.5}, {6, 1.6, 1.2, 1.6, 1.2, 1.6}};
    return patterns;
}

}  // namespace

std::vector<int> methodStyles(std::span<const Choice> methods)
{
    std::vector<int> styles;
    for (const Choice& method : methods) {
        const auto row = findRow(scaleMethods(), method.id, "scale method");
        int style = row ? (*row)->style : 0;
        while (std::ranges::find(styles, style) != styles.end())
            style += scaleStyles;
        styles.push_back(style);
    }
    return styles;
}

int placeOfStyle(std::span<const Choice> methods, int style)
{
    const std::vector<int> styles = methodStyles(methods);
    const auto found = std::ranges::find(styles, style);
    return found == styles.end() ? -1 : static_cast<int>(found - styles.begin());
}

int freeStyle(std::span<const Choice> methods, int k)
{
    const std::vector<int> styles = methodStyles(methods);
    for (int style = 0;; ++style)
        if (std::ranges::find(styles, style) == styles.end() && k-- == 0)
            return style;
}

/// Towards the ink: darker on light, lighter on dark, so the contrast only grows.
static QColor shade(QColor colour, int variant, bool dark)
{
    const double most = dark ? 0.55 : 0.5, part = variant == 0 ? 0 : variant % 2 ? most : most / 2;
    const double ink = dark ? 1 : 0;
    const auto mix = [&](float channel) { return static_cast<float>(channel + (ink - channel) * part); };
    return QColor::fromRgbF(mix(colour.redF()), mix(colour.greenF()), mix(colour.blueF()));
}

/// Without a hue, which rows have.
static MethodStyle styleOfBaseline(int k, bool dark)
{
    constexpr std::array<Hue, 2> greys{{{0xff6e6e6e, 0xffa3a3a3}, {0xff8c8c8c, 0xff7f7f7f}}};
    constexpr int ownMarkers = 4;
    const Hue& grey = greys[static_cast<size_t>(k) % greys.size()];
    return {QColor::fromRgb(dark ? grey.onDark : grey.onLight), dashes()[(2 + k) % dashes().size()],
            static_cast<Marker>(static_cast<int>(Marker::Ring) + k % ownMarkers)};
}

MethodStyle methodStyle(int style, bool dark)
{
    if (style >= firstBaseline)
        return styleOfBaseline(style - firstBaseline, dark);
    const int k = std::max(0, style), variant = k / scaleStyles;
    const Hue& hue = hues[static_cast<size_t>(k % scaleStyles)];
    return {shade(QColor::fromRgb(dark ? hue.onDark : hue.onLight), variant, dark), dashes()[k % 7],
            static_cast<Marker>((k + variant) % 8)};
}

MethodStyle methodStyle(int style, const PlotStyle& plot)
{
    MethodStyle own = methodStyle(style, plot.dark);
    const auto chosen = plot.methodColours.find(std::max(0, style) % scaleStyles);
    if (chosen == plot.methodColours.end() || style >= firstBaseline)
        return own;
    constexpr double least = 3;   // of graphics: WCAG 1.4.11
    constexpr float step = 0.1F;  // of the way to the ink
    QColor colour = chosen->second;
    if (const auto hue = std::ranges::find(hues, colour.rgb(), &Hue::onLight); hue != hues.end() && plot.dark)
        colour = QColor::fromRgb(hue->onDark);  // a row's colour has its other half for the dark
    const float ink = plot.dark ? 1 : 0;
    for (int steps = 0; steps < 20 && contrast(colour, plot.background) < least; ++steps)
        colour = QColor::fromRgbF(colour.redF() + (ink - colour.redF()) * step,
                                  colour.greenF() + (ink - colour.greenF()) * step,
                                  colour.blueF() + (ink - colour.blueF()) * step);
    own.colour = shade(colour, style / scaleStyles, plot.dark);
    return own;
}

std::span<const char* const> hueNames()
{
    static constexpr std::array<const char*, scaleStyles> names{
        "Blue",   "Vermilion", "Green",   "Purple", "Amber", "Sky",   "Grey", "Wine",
        "Indigo", "Moss",      "Magenta", "Steel",  "Teal",  "Brown", "Red",  "Graphite"};
    return names;
}

QPen methodPen(const MethodStyle& style, double width)
{
    QPen pen(style.colour, width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!style.dash.isEmpty())
        pen.setDashPattern(style.dash);
    return pen;
}

void drawMarker(QPainter& painter, Marker marker, QPointF centre, double diameter, const QColor& fill)
{
    const double r = diameter / 2;
    const auto polygon = [&](int corners, double turn, double inner = 1, double grow = 1) {
        QPolygonF shape;
        for (int i = 0; i < corners; ++i) {
            const double angle = turn + 2 * std::numbers::pi * i / corners, radius = r * grow * (i % 2 ? inner : 1);
            shape << centre + QPointF(radius * std::sin(angle), -radius * std::cos(angle));
        }
        painter.drawPolygon(shape);
    };
    painter.save();
    const bool hollow = fill.alpha() == 0;
    painter.setPen(hollow ? painter.pen() : QPen(Qt::NoPen));
    painter.setBrush(fill);
    const double bar = r * 0.36;
    switch (marker) {
    case Marker::Circle:
        painter.drawEllipse(centre, r, r);
        break;
    case Marker::Square:
        painter.drawRect(QRectF(centre - QPointF(r, r) * 0.88, QSizeF(2 * r, 2 * r) * 0.88));
        break;
    case Marker::Diamond:
        polygon(4, 0, 1, 1.2);
        break;
    case Marker::TriangleUp:
        polygon(3, 0, 1, 1.2);
        break;
    case Marker::TriangleDown:
        polygon(3, std::numbers::pi, 1, 1.2);
        break;
    case Marker::Star:
        polygon(10, 0, 0.45, 1.3);
        break;
    case Marker::Plus:
    case Marker::Cross: {
        QPainterPath path;
        path.setFillRule(Qt::WindingFill);
        path.addRect(-r * 1.1, -bar, 2.2 * r, 2 * bar);
        path.addRect(-bar, -r * 1.1, 2 * bar, 2.2 * r);
        painter.translate(centre);
        painter.rotate(marker == Marker::Cross ? 45 : 0);
        painter.drawPath(path.simplified());
        break;
    }
    case Marker::Ring: {
        QPainterPath path;
        path.addEllipse(centre, r * 1.05, r * 1.05);
        path.addEllipse(centre, r * 0.5, r * 0.5);
        painter.drawPath(path);
        break;
    }
    case Marker::Hourglass:
        painter.drawPolygon(QPolygonF({centre + QPointF(-r, -r), centre + QPointF(r, -r), centre,
                                       centre + QPointF(r, r), centre + QPointF(-r, r), centre}));
        break;
    case Marker::Pentagon:
        polygon(5, 0, 1, 1.1);
        break;
    case Marker::Bar:
        painter.drawRect(QRectF(centre - QPointF(1.1 * r, bar), QSizeF(2.2 * r, 2 * bar)));
        break;
    }
    painter.restore();
}

}  // namespace attnscope

#pragma once
// What tells methods apart, the same in every view and in print: each row of the registry of scale methods has a
// colour, a dash and a marker of its own (ScaleMethod::style), whatever it is compared with; a second variant of it
// takes a shade of that colour. What is compared with them and is no scale method, a baseline, is grey. Colours after
// Okabe and Ito (2008), darkened or lightened to at least 3 : 1 against the background; dashes and markers differ too,
// so no view relies on colour alone.

#include "core/base/choice.h"
#include "ui/plot/plot_style.h"

#include <QColor>
#include <QList>
#include <QPen>

#include <span>
#include <vector>

class QPainter;

namespace attnscope {

/// The first eight are methods', the others those of baselines.
enum class Marker {
    Circle,
    Square,
    Diamond,
    TriangleUp,
    TriangleDown,
    Cross,
    Plus,
    Star,
    Ring,
    Hourglass,
    Pentagon,
    Bar
};

struct MethodStyle {
    QColor colour;
    QList<qreal> dash;  ///< in line widths, as QPen::setDashPattern takes it; empty: solid
    Marker marker = Marker::Circle;
};

/// Styles from here on are baselines', and not variants of a row.
inline constexpr int firstBaseline = 1 << 16;

/// The style's number of each method in a list: its row's, and for its k-th other variant k shades on. No two are
/// equal.
std::vector<int> methodStyles(std::span<const Choice> methods);

/// The place in the list of the method with this style; -1: none has it.
int placeOfStyle(std::span<const Choice> methods, int style);

/// The k-th style that no method of the list has, for what stands beside them in a chart.
int freeStyle(std::span<const Choice> methods, int k);

/// The k-th of what is compared with methods and is none: a grey and a shape that no method has.
constexpr int baselineStyle(int k) { return firstBaseline + k; }

/// `style`: from 0. As the registry has it.
MethodStyle methodStyle(int style, bool dark);
/// With the colours that were chosen in place of it, moved towards the ink where they could not be told from the paper
/// (3 : 1).
MethodStyle methodStyle(int style, const PlotStyle& plot);

/// Of the rows' colours, as words: "blue".
std::span<const char* const> hueNames();

QPen methodPen(const MethodStyle& style, double width);

/// Filled, its centre at `centre`.
void drawMarker(QPainter& painter, Marker marker, QPointF centre, double diameter, const QColor& fill);

}  // namespace attnscope

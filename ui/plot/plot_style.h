#pragma once
// How a picture looks: colours, fonts, widths. One struct for the window (units: device-independent pixels) and for
// print (units: 1/20 pt, so that whole-number font sizes are fine enough). Drawing code takes every length from here.

#include "core/base/error.h"

#include <QColor>
#include <QFont>
#include <QString>

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace attnscope {

inline constexpr double unitsPerPoint = 20;  ///< of print
inline constexpr double unitsPerMillimetre = unitsPerPoint * 72 / 25.4;

struct PlotStyle {
    bool print = false;  ///< lengths are 1/20 pt
    bool dark = false;
    QColor background, ink, quiet, grid;  ///< ink: text and axes; quiet: secondary text and reference lines
    double text = 12;                     ///< axis titles, legends, panel titles
    double small = 11;                    ///< tick labels, annotations
    double label = 13;                    ///< panel letters, bold
    double line = 1.75;                   ///< curves
    double thin = 1;                      ///< axes, ticks, reference lines
    double tick = 4;                      ///< length of a major tick
    double gap = 5;                       ///< the unit of white space
    double marker = 6;                    ///< diameter of a point
    std::map<int, QColor> methodColours;  ///< by style of a scale method (method_style.h), in place of its own

    QFont font(double pixels, bool bold = false) const;  ///< Inter, then DejaVu Sans for what it lacks
    bool operator==(const PlotStyle&) const = default;
};

PlotStyle windowStyle(bool dark);

/// WCAG contrast ratio of two opaque colours, 1 to 21.
double contrast(const QColor& a, const QColor& b);
/// Black or white, whichever stands out more from it.
QColor inkOn(const QColor& field);

/// A style for print: paper (6.5 to 7 pt), slide (8.5 to 10 pt), dark and dark-slide (as these, on near-black).
struct PrintStyle {
    std::string id;
    std::string about;
    PlotStyle style;
};
std::span<const PrintStyle> printStyles();
Result<PlotStyle> printStyle(std::string_view id);

}  // namespace attnscope

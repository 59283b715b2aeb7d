#pragma once
// The window's colours, light and dark, and what they turn into: a palette and a style sheet on Qt's Fusion style.
// Every text colour stands at 4.5:1 or better against every surface that it is drawn on (WCAG 2.1 AA); a test computes
// it.

#include "ui/plot/plot_style.h"

#include <QColor>
#include <QString>

#include <map>

class QApplication;
class QPixmap;
class QWidget;

namespace attnscope {

struct Theme {
    QString id;
    bool dark = false;
    QColor window;   ///< behind everything
    QColor surface;  ///< panels, charts
    QColor field;    ///< what can be typed into
    QColor hover;    ///< under the pointer
    QColor border;   ///< hairlines between surfaces
    QColor outline;  ///< of fields and buttons
    QColor control;  ///< around what is known by its outline alone, a tick: 3:1 on every ground (WCAG 1.4.11)
    QColor text;
    QColor muted;      ///< labels, captions
    QColor disabled;   ///< what cannot be pressed now: to be told from what can, and still to be read
    QColor accent;     ///< what is selected, what can be pressed
    QColor onAccent;   ///< text upon it
    QColor selection;  ///< behind selected text and rows
    QColor error, errorSurface;
    QColor note, noteSurface;
    QColor done, doneSurface;
};

enum class ThemeChoice { System, Light, Dark };

/// What was chosen, of the settings.
ThemeChoice chosenTheme();
void keepChosenTheme(ThemeChoice choice);

const Theme& lightTheme();
const Theme& darkTheme();

/// The theme in force.
const Theme& currentTheme();

/// Puts palette, style sheet and font onto the application; System is what the desktop says (followDesktopColours),
/// before that its palette as it was at the start.
void applyTheme(QApplication& application, ThemeChoice choice);

/// What System is from now on.
void followDesktopColours(bool dark);

/// All of it but the style sheet. For a window that is being built: under a sheet, whatever is put into another widget
/// is styled anew with all that it holds, so that a window of some hundred parts takes three times as long.
void applyColours(QApplication& application, ThemeChoice choice);

/// Before applyTheme(): text is larger by as much as the desktop's is beyond the usual 11 points.
void followDesktopText(const QFont& desktop);

/// All text, and the lines of charts, larger by this factor from now on; 1: as designed. For those at the back of a
/// room.
void setTextScale(QApplication& application, double scale);
double textScale();
/// Of that, what the stage adds to the desktop's own size; 1 in the window.
double stageScale();

/// A length that goes with text.
inline int withText(int pixels) { return qRound(pixels * textScale()); }

/// The methods' colours from now on, by style: chosen in place of their rows'.
void setMethodColours(QApplication& application, std::map<int, QColor> colours);

/// What the widget shows, on the surface that views stand on.
QPixmap pictureOf(QWidget& widget);

/// How charts and maps are drawn now.
PlotStyle chartStyle();

QString styleSheetOf(const Theme& theme);

}  // namespace attnscope

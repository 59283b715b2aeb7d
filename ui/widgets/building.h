#pragma once
// What panels are built of: rows and columns of widgets, captions, buttons, lists and scroll areas, each made and
// described in one call. The name of a widget is what a screen reader says.

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QString>
#include <QToolButton>
#include <QVariant>

#include <initializer_list>
#include <utility>
#include <vector>

class QComboBox;
class QLineEdit;
class QStackedWidget;
class QTextDocument;

namespace attnscope {

class ElidedLabel;

/// Of the captions at the left of a panel, so that sliders, lists and fields line up.
inline constexpr int captionWidth = 94;
/// Between the rows of a form: a field, 26 pixels high, and this are 32.
inline constexpr int formSpacing = 6;
/// A window that is lower, in pixels, has height for what one looks at only.
inline constexpr int lowWindow = 820;
/// Of a layout that keeps the style's spacing.
inline constexpr int usualSpacing = -1;

/// What a row or a column holds: a widget, a layout, or with neither of them room that stretches.
struct Part {
    Part(QWidget* content, int factor = 0, Qt::Alignment at = {}) : widget(content), stretch(factor), alignment(at) {}
    Part(QLayout* content, int factor = 0) : layout(content), stretch(factor) {}

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int stretch = 0;
    Qt::Alignment alignment;
};
inline Part stretch(int factor = 1) { return {static_cast<QWidget*>(nullptr), factor}; }

/// The button that begins something, and the one that stops it as long as it runs: the keyboard goes from one to the
/// other.
void offerStop(QPushButton& begins, QPushButton& stops, bool running, bool canBegin);

/// Layouts that stand in another one.
QHBoxLayout* inRow(std::initializer_list<Part> parts, int spacing = usualSpacing);
QVBoxLayout* inColumn(std::initializer_list<Part> parts, int spacing = usualSpacing);
/// The layout of a widget.
QHBoxLayout* inRow(QWidget* of, std::initializer_list<Part> parts, int spacing = usualSpacing,
                   const QMargins& margins = {});
QVBoxLayout* inColumn(QWidget* of, std::initializer_list<Part> parts, int spacing = usualSpacing,
                      const QMargins& margins = {});

template <class Widget>
Widget* described(Widget* widget, const QString& name, const QString& toolTip)
{
    widget->setAccessibleName(name);
    widget->setToolTip(toolTip);
    return widget;
}

/// Buttons; their text is their name, unless they have another one.
QPushButton* pushButton(const QString& text, const QString& toolTip, const QString& name = {});
QToolButton* toolButton(const QString& text, const QString& toolTip, const QString& name = {});
/// A tool button with an icon in place of a text; `size` in pixels, 0: the style's.
QToolButton* iconButton(const QString& icon, const QString& name, const QString& toolTip, int size = 0);
/// A tool button with an icon before its text, which is its name.
QToolButton* iconAndText(const QString& icon, const QString& text, const QString& toolTip);

/// Labels; `role` is what the style sheet tells them by: caption, pane, section, title.
QLabel* textLabel(const QString& text, const char* role);
/// Plain text on as many lines as it takes; null: no role.
QLabel* paragraph(const char* role);
/// One line that takes the width that is left, whatever it says; `description` is of what it shows, for screen readers.
ElidedLabel* elidedCaption(const QString& description = {});
/// The caption of a control, which is also the control's name.
QLabel* captionFor(QWidget* control, const QString& caption, const QString& toolTip);
/// Both in a row, the caption as wide as those above and below.
QHBoxLayout* captionedLine(const QString& caption, QWidget* control, const QString& toolTip);
/// The same, to be copied out of.
QLabel* selectableParagraph(const char* role);
void setDemiBold(QWidget& widget);

QFont demiBold(QFont font);

using ListItems = std::vector<std::pair<QString, QVariant>>;  ///< text and data
void addItem(QComboBox& list, const QString& text, const QVariant& data, const QString& toolTip);
/// Where the list holds others, it holds these items from now on.
void refill(QComboBox& list, const ListItems& items);
void refill(QComboBox& list, const QStringList& texts);

/// Paragraphs of a page of this width are some 75 letters wide at most; tables, code and pictures have all of it.
void keepMeasure(QTextDocument& page, int width);

/// Scrolls down, has no frame, gives its content all of its width, and fades where there is more.
void letScroll(QScrollArea& area, QWidget* content);
QScrollArea* scrolled(QWidget* content);

/// A field that cannot be used is red, and its tool tip says why for as long as that lasts; empty: it can.
void showFault(QWidget& field, const QString& fault);
/// What is taken over, in its field: not while something else is being typed there, and what it replaces is wrong no
/// more.
void showTaken(QLineEdit& field, const QString& text);

/// Numbers alone are typed into it, one or some: Return leads out of it once they are taken over, and Escape once they
/// are taken back, by the window.
void takesNumbers(QWidget& field);
/// The field of that kind that has the keyboard; null: it is no such field.
QLineEdit* numbersTypedAt(QWidget* focus);

/// Scrolls to it once what has just been opened has its place.
void bringIntoSight(QWidget& opened);

/// A widget whose heightForWidth() is asked. A fixed height would be that of the hint's width.
void setHeightForWidth(QWidget& widget);
/// What stands around it stays where it is while it is hidden.
void keepPlace(QWidget& widget);
/// The pages are as wide as the widest of them, and as high as the one in sight.
void showPage(QStackedWidget& pages, int shown);

/// Sets a property that the style sheet asks for, and styles the widget anew where it has changed. One that was never
/// set has its type's default.
void setState(QWidget& widget, const char* property, const QVariant& value);
void styleAnew(QWidget& widget);

}  // namespace attnscope

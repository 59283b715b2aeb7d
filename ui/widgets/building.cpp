#include "ui/widgets/building.h"

#include "ui/widgets/elided.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/scroll_edges.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QStyle>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>
#include <QTimer>

#include <algorithm>

namespace attnscope {

namespace {

template <class Layout>
Layout* fill(Layout* layout, std::initializer_list<Part> parts, int spacing)
{
    layout->setSpacing(spacing);
    for (const Part& part : parts)
        if (part.widget)
            layout->addWidget(part.widget, part.stretch, part.alignment);
        else if (part.layout)
            layout->addLayout(part.layout, part.stretch);
        else
            layout->addStretch(part.stretch);
    return layout;
}

template <class Layout>
Layout* fill(Layout* layout, std::initializer_list<Part> parts, int spacing, const QMargins& margins)
{
    layout->setContentsMargins(margins);
    return fill(layout, parts, spacing);
}

}  // namespace

QHBoxLayout* inRow(std::initializer_list<Part> parts, int spacing) { return fill(new QHBoxLayout, parts, spacing); }

QVBoxLayout* inColumn(std::initializer_list<Part> parts, int spacing) { return fill(new QVBoxLayout, parts, spacing); }

QHBoxLayout* inRow(QWidget* of, std::initializer_list<Part> parts, int spacing, const QMargins& margins)
{
    return fill(new QHBoxLayout(of), parts, spacing, margins);
}

QVBoxLayout* inColumn(QWidget* of, std::initializer_list<Part> parts, int spacing, const QMargins& margins)
{
    return fill(new QVBoxLayout(of), parts, spacing, margins);
}

void offerStop(QPushButton& begins, QPushButton& stops, bool running, bool canBegin)
{
    QPushButton &shown = running ? stops : begins, &other = running ? begins : stops;
    stops.setVisible(running || stops.hasFocus());
    begins.setEnabled(running ? begins.hasFocus() : canBegin);
    if (other.hasFocus())  // which Qt would give to the next control
        shown.setFocus();
    stops.setVisible(running);
    begins.setEnabled(!running && canBegin);
}

QPushButton* pushButton(const QString& text, const QString& toolTip, const QString& name)
{
    auto* button = described(new QPushButton(text), name.isEmpty() ? text : name, toolTip);
    button->setAutoDefault(true);  // Return presses it as Space does, also outside of dialogs
    return button;
}

QToolButton* toolButton(const QString& text, const QString& toolTip, const QString& name)
{
    auto* button = described(new QToolButton, name.isEmpty() ? text : name, toolTip);
    button->setText(text);
    return button;
}

QToolButton* iconButton(const QString& icon, const QString& name, const QString& toolTip, int size)
{
    auto* button = described(new QToolButton, name, toolTip);
    button->setIcon(attnscope::icon(icon));
    if (size > 0)
        button->setIconSize({size, size});
    return button;
}

QToolButton* iconAndText(const QString& icon, const QString& text, const QString& toolTip)
{
    QToolButton* button = toolButton(text, toolTip);
    button->setIcon(attnscope::icon(icon));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    return button;
}

QLabel* textLabel(const QString& text, const char* role)
{
    auto* label = new QLabel(text);
    label->setProperty("role", role);
    return label;
}

QLabel* paragraph(const char* role)
{
    auto* label = new QLabel;
    if (role)
        label->setProperty("role", role);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QLabel* selectableParagraph(const char* role)
{
    QLabel* label = paragraph(role);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

ElidedLabel* elidedCaption(const QString& description)
{
    auto* label = new ElidedLabel;
    label->setProperty("role", "caption");
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label->setAccessibleDescription(description);
    return label;
}

QLabel* captionFor(QWidget* control, const QString& caption, const QString& toolTip)
{
    QLabel* label = textLabel(caption, "caption");
    label->setBuddy(described(control, caption, toolTip));
    return label;
}

QHBoxLayout* captionedLine(const QString& caption, QWidget* control, const QString& toolTip)
{
    QLabel* label = captionFor(control, caption, toolTip);
    label->setFixedWidth(captionWidth);
    return inRow({label, {control, 1}}, 8);
}

QFont demiBold(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

void setDemiBold(QWidget& widget) { widget.setFont(demiBold(widget.font())); }

void addItem(QComboBox& list, const QString& text, const QVariant& data, const QString& toolTip)
{
    list.addItem(text, data);
    list.setItemData(list.count() - 1, toolTip, Qt::ToolTipRole);
}

void showFault(QWidget& field, const QString& fault)
{
    constexpr const char* usual = "usualToolTip";
    const bool was = field.property("wrong").toBool();
    if (!was && !fault.isEmpty())
        field.setProperty(usual, field.toolTip());
    if (was || !fault.isEmpty())
        field.setToolTip(fault.isEmpty() ? field.property(usual).toString()
                                         : Qt::convertFromPlainText(fault, Qt::WhiteSpaceNormal));
    setState(field, "wrong", !fault.isEmpty());
}

void showTaken(QLineEdit& field, const QString& text)
{
    if (field.hasFocus() && field.isModified())
        return;
    if (field.text() != text)
        field.setText(text);
    showFault(field, {});
}

void takesNumbers(QWidget& field) { field.setInputMethodHints(field.inputMethodHints() | Qt::ImhPreferNumbers); }

QLineEdit* numbersTypedAt(QWidget* focus)
{
    if (const auto* box = qobject_cast<QAbstractSpinBox*>(focus))
        return box->findChild<QLineEdit*>();
    const auto* list = qobject_cast<QComboBox*>(focus);
    auto* field = list ? list->lineEdit() : qobject_cast<QLineEdit*>(focus);
    return field && (field->inputMethodHints() & Qt::ImhPreferNumbers) ? field : nullptr;
}

void bringIntoSight(QWidget& opened)
{
    constexpr int settles = 30;  // ms: panels, and the area that they are in, are laid out one after the other
    QTimer::singleShot(settles, &opened, [&opened] {
        for (QWidget* around = opened.parentWidget(); around; around = around->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(around); area && opened.isVisible()) {
                if (opened.height() > area->viewport()->height())  // what does not fit is read from its beginning
                    area->verticalScrollBar()->setValue(opened.mapTo(area->widget(), QPoint()).y());
                else
                    area->ensureWidgetVisible(&opened, 0, 0);
                return;
            }
    });
}

void refill(QComboBox& list, const ListItems& items)
{
    ListItems held;
    for (int i = 0; i < list.count(); ++i)
        held.emplace_back(list.itemText(i), list.itemData(i));
    if (held == items)
        return;
    list.clear();
    for (const auto& [text, data] : items)
        list.addItem(text, data);
}

void refill(QComboBox& list, const QStringList& texts)
{
    ListItems items;
    for (const QString& text : texts)
        items.emplace_back(text, QVariant());
    refill(list, items);
}

void keepMeasure(QTextDocument& page, int width)
{
    constexpr int most = 60;  // as wide as an n, which is wider than the mean letter
    const int column = most * QFontMetrics(page.defaultFont()).horizontalAdvance(u'n');
    QTextBlockFormat narrow;
    narrow.setRightMargin(std::max(0, width - column - 2 * static_cast<int>(page.documentMargin())));
    QTextCursor laidOutOnce(&page);
    laidOutOnce.beginEditBlock();
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next())
        if (QTextCursor at(block); !at.currentTable() && !block.blockFormat().nonBreakableLines() &&
                                   !block.text().contains(QChar::ObjectReplacementCharacter))
            at.mergeBlockFormat(narrow);
    laidOutOnce.endEditBlock();
}

void letScroll(QScrollArea& area, QWidget* content)
{
    area.setWidget(content);
    area.setWidgetResizable(true);
    area.setFrameShape(QFrame::NoFrame);
    area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    fadeEdges(area);
    QScrollBar* across = area.horizontalScrollBar();  // nor by what comes into sight, which may be wider than it
    QObject::connect(across, &QScrollBar::valueChanged, across, [across] { across->setValue(across->minimum()); });
}

QScrollArea* scrolled(QWidget* content)
{
    auto* area = new QScrollArea;
    letScroll(*area, content);
    return area;
}

void setHeightForWidth(QWidget& widget)
{
    QSizePolicy policy = widget.sizePolicy();
    policy.setHeightForWidth(true);
    widget.setSizePolicy(policy);
}

void keepPlace(QWidget& widget)
{
    QSizePolicy policy = widget.sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    widget.setSizePolicy(policy);
}

void showPage(QStackedWidget& pages, int shown)
{
    for (int page = 0; page < pages.count(); ++page)
        pages.widget(page)->setSizePolicy(QSizePolicy::Preferred,
                                          page == shown ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    pages.setCurrentIndex(shown);
}

void setState(QWidget& widget, const char* property, const QVariant& value)
{
    const QVariant before = widget.property(property);
    if (before == value || (!before.isValid() && value == QVariant(value.metaType())))
        return;
    widget.setProperty(property, value);
    styleAnew(widget);
}

void styleAnew(QWidget& widget)
{
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
}

}  // namespace attnscope

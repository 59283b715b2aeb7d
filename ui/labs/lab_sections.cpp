#include "ui/labs/lab_sections.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/theme.h"

#include <QListWidget>
#include <QStackedWidget>
#include <QTextDocument>

#include <algorithm>

namespace attnscope {

namespace {
constexpr int sectionRow = 30, mostRows = 6, sideWidth = 340, wideSide = 400, wideWindow = 1400;
}

LabSections::LabSections(QWidget* parent)
    : QSplitter(parent), m_list(new QListWidget), m_controls(new QStackedWidget), m_contents(new QStackedWidget)
{
    described(m_list, u"What to look at"_s,
              u"An experiment to train and test, what all runs say together, or a sweep that was opened"_s)
        ->setObjectName(u"sections"_s);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::TabFocus);  // a click leaves the keyboard where it was
    auto* side = new QWidget;
    m_controls->setContentsMargins(2, 0, 1, 0);  // flush with the chosen row, inside of the list's frames
    inColumn(side, {m_list, {m_controls, 1}}, 10, {0, 0, 8, 0});
    addWidget(side);
    addWidget(m_contents);
    setStretchFactor(1, 1);
    setChildrenCollapsible(false);
    connect(this, &QSplitter::splitterMoved, this, [this] { m_dragged = true; });
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row < 0 || row >= m_contents->count())
            return;
        m_controls->setCurrentIndex(row);
        m_contents->setCurrentIndex(row);
        emit sectionShown(shown());
    });
}

/// Where the window is wide its names are whole; until somebody drags the edge.
void LabSections::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    const int side = width() < wideWindow ? sideWidth : wideSide;
    if (!m_dragged)
        setSizes({side, width() - side});
}

int LabSections::placeOf(const QString& id) const
{
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->data(Qt::UserRole).toString() == id)
            return row;
    return -1;
}

QString LabSections::shown() const
{
    return m_list->currentItem() ? m_list->currentItem()->data(Qt::UserRole).toString() : QString();
}

/// As high as its rows, up to some.
void LabSections::fitList()
{
    const int row = withText(sectionRow);
    for (int i = 0; i < m_list->count(); ++i)
        m_list->item(i)->setSizeHint({0, row});
    m_list->setFixedHeight(std::min(m_list->count(), mostRows) * row + 2 * m_list->frameWidth());
}

void LabSections::add(const QString& id, const QString& name, const QString& teaches, QWidget* controls,
                      QWidget* content)
{
    m_controls->addWidget(controls);
    m_contents->addWidget(content);
    auto* item = new QListWidgetItem(name, m_list);
    item->setData(Qt::UserRole, id);
    item->setToolTip(Qt::convertFromPlainText(teaches));
    fitList();
    if (m_list->currentRow() < 0)
        m_list->setCurrentRow(0);
}

void LabSections::remove(const QString& id)
{
    const int row = placeOf(id);
    if (row < 0)
        return;
    QWidget *controls = m_controls->widget(row), *content = m_contents->widget(row);
    if (m_list->currentRow() == row)
        m_list->setCurrentRow(row > 0 ? row - 1 : row + 1);
    m_controls->removeWidget(controls);
    m_contents->removeWidget(content);
    delete m_list->takeItem(row);
    controls->deleteLater();
    content->deleteLater();
    fitList();
}

void LabSections::show(const QString& id)
{
    if (const int row = placeOf(id); row >= 0)
        m_list->setCurrentRow(row);
}

}  // namespace attnscope

#include "moc_lab_sections.cpp"

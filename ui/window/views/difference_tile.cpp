#include "ui/window/views/difference_tile.h"

#include "ui/window/controls/elided.h"
#include "ui/window/views/heatmap_plot.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int listHeight = 21;
constexpr int listPadding = 5;  // of the lists, whose texts begin where the map does

QLayout* lineOf(std::initializer_list<QWidget*> widgets)
{
    auto* line = new QHBoxLayout;
    line->setSpacing(2);
    for (QWidget* widget : widgets)
        line->addWidget(widget);
    line->addStretch(1);
    return line;
}

}  // namespace

DifferenceTile::DifferenceTile(QWidget* parent) : DifferenceTile(new ElidedList, new QLabel, new ElidedList, new QLabel, parent) {}

DifferenceTile::DifferenceTile(QComboBox* first, QLabel* between, QComboBox* second, QLabel* same, QWidget* parent)
    : MapTile(lineOf({first, between}), lineOf({second, same}), listPadding, parent), m_first(first), m_second(second), m_between(between), m_same(same)
{
    m_same->setText(tr("the same weights"));
    m_same->setProperty("role", "caption");
    m_first->setAccessibleName(tr("Difference: first method"));
    m_second->setAccessibleName(tr("Difference: second method"));
    for (QComboBox* list : {m_first, m_second}) {
        list->setFixedHeight(listHeight);
        list->setProperty("compact", true);
        list->setToolTip(tr("The map shows how the first method's weights differ from the second's"));
        list->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        connect(list, &QComboBox::activated, this, [this] { emit sidesChosen({m_first->currentIndex(), m_second->currentIndex()}); });
    }
    plot()->setAccessibleName(tr("Difference of two attention maps"));
}

void DifferenceTile::fill(QComboBox* list, const Analysis& analysis, std::size_t chosen)
{
    QStringList labels, shown;
    for (const MethodAnalysis& method : analysis.methods)
        labels << QString::fromStdString(method.label);
    for (int i = 0; i < list->count(); ++i)
        shown << list->itemText(i);
    if (labels != shown) {
        const QSignalBlocker blocker(list);
        list->clear();
        list->addItems(labels);
    }
    list->setCurrentIndex(static_cast<int>(chosen));
    list->updateGeometry();  // as wide as its text
}

void DifferenceTile::show(const MapPictures& pictures)
{
    const auto [first, second] = sidesOf(*pictures.analysis, pictures.look);
    fill(m_first, *pictures.analysis, first);
    fill(m_second, *pictures.analysis, second);
    m_between->setText(pictures.look.log ? QStringLiteral("/") : QStringLiteral("\u2212"));
    const std::vector<float>& values = pictures.difference->map->values;
    m_same->setVisible(std::ranges::all_of(values, [](float value) { return value == 0 || std::isnan(value); }));
    plot()->setMap(*pictures.difference);
}

}  // namespace attnscope

#include "moc_difference_tile.cpp"

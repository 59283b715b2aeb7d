#include "ui/window/views/difference_tile.h"

#include "ui/plot/absent_rows.h"
#include "ui/window/controls/elided.h"
#include "ui/figure/difference_map.h"
#include "ui/window/views/heatmap_plot.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

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

DifferenceTile::DifferenceTile(QWidget* parent) : DifferenceTile(new ElidedList, new QLabel, new ElidedList, parent) {}

DifferenceTile::DifferenceTile(QComboBox* first, QLabel* between, QComboBox* second, QWidget* parent)
    : MapTile(lineOf({first}), lineOf({between, second}), listPadding, parent), m_first(first), m_second(second), m_between(between)
{
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

void DifferenceTile::fill(QComboBox* list, int chosen)
{
    QStringList labels, shown;
    for (const MethodAnalysis& method : m_analysis->methods)
        labels << QString::fromStdString(method.label);
    for (int i = 0; i < list->count(); ++i)
        shown << list->itemText(i);
    if (labels != shown) {
        const QSignalBlocker blocker(list);
        list->clear();
        list->addItems(labels);
    }
    list->setCurrentIndex(std::min(chosen, list->count() - 1));
    list->updateGeometry();  // as wide as its text
}

void DifferenceTile::show(const std::shared_ptr<const Analysis>& analysis, bool ratio, std::pair<int, int> sides)
{
    m_analysis = analysis;
    fill(m_first, sides.first);
    fill(m_second, sides.second);
    m_between->setText(ratio ? QStringLiteral("/") : QStringLiteral("\u2212"));
    if (m_first->currentIndex() < 0)
        return;
    const MethodAnalysis& one = analysis->methods[static_cast<size_t>(m_first->currentIndex())];
    const MethodAnalysis& other = analysis->methods[static_cast<size_t>(m_second->currentIndex())];
    const auto absent = [&](const MethodAnalysis& method) { return rowsWithoutValue(method.rows, analysis->sampledRows, analysis->queryCount); };
    const auto colours = findColourMap("diverging");
    auto map = differenceMap(one.map, other.map, ratio ? Difference::LogRatio : Difference::Linear);
    auto shared = std::make_shared<const PooledMap>(map ? std::move(*map) : PooledMap{});
    m_scale = differenceScale(*shared, colours ? *colours : nullptr);
    plot()->setMap(std::move(shared), m_scale, joined(absent(one), absent(other)));
}

}  // namespace attnscope

#include "moc_difference_tile.cpp"

#include "ui/window/views/difference_tile.h"

#include "ui/window/controls/elided.h"
#include "ui/window/views/difference_map.h"
#include "ui/window/views/heatmap_plot.h"
#include "ui/window/views/heatmap_tile.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace attnscope {

DifferenceTile::DifferenceTile(QWidget* parent)
    : QWidget(parent), m_first(new ElidedList), m_second(new ElidedList), m_between(new QLabel), m_plot(new HeatmapPlot)
{
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(39, 0, 0, 0);
    heading->setSpacing(2);
    heading->addWidget(m_first);
    heading->addWidget(m_between);
    heading->addWidget(m_second);
    heading->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(heading);
    layout->addWidget(m_plot, 1);
    m_first->setAccessibleName(tr("Difference: first method"));
    m_second->setAccessibleName(tr("Difference: second method"));
    for (QComboBox* list : {m_first, m_second}) {
        list->setFixedHeight(HeatmapTile::headingHeight);
        list->setProperty("compact", true);
        list->setToolTip(tr("The map shows how the first method's weights differ from the second's"));
        list->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        connect(list, &QComboBox::activated, this, [this] {
            m_sides = {m_first->currentIndex(), m_second->currentIndex()};
            emit sidesChanged();
        });
    }
    m_plot->setAccessibleName(tr("Difference of two attention maps"));
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

void DifferenceTile::show(const std::shared_ptr<const Analysis>& analysis, bool ratio)
{
    m_analysis = analysis;
    fill(m_first, m_sides.first);
    fill(m_second, m_sides.second);
    m_between->setText(ratio ? QStringLiteral("/") : QStringLiteral("\u2212"));
    if (m_first->currentIndex() < 0)
        return;
    const PooledMap& first = analysis->methods[static_cast<size_t>(m_first->currentIndex())].map;
    const PooledMap& second = analysis->methods[static_cast<size_t>(m_second->currentIndex())].map;
    const auto colours = findColourMap("diverging");
    auto map = differenceMap(first, second, ratio ? Difference::LogRatio : Difference::Linear);
    auto shared = std::make_shared<const PooledMap>(map ? std::move(*map) : PooledMap{});
    m_scale = differenceScale(*shared, colours ? *colours : nullptr);
    m_plot->setMap(std::move(shared), m_scale);
}

}  // namespace attnscope

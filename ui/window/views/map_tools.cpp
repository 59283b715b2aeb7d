#include "ui/window/views/map_tools.h"

#include "ui/window/controls/elided.h"
#include "ui/window/icons.h"

#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>

namespace attnscope {

MapTools::MapTools(QWidget* parent) : QWidget(parent), m_pool(new ElidedList), m_colours(new ElidedList)
{
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    buildLists(line);
    m_log = addButton(line, {}, tr("Logarithmic colours"), tr("Logarithmic colours show small weights; linear colours show where the weight really is"));
    m_log->setText(tr("log"));
    m_log->setCheckable(true);
    m_log->setChecked(true);
    m_pin = addButton(line, QStringLiteral("pin"), tr("Pin the colours"), tr("Keep the range of the colours as it is now, to compare what comes with what is"));
    m_pin->setCheckable(true);
    m_difference = addButton(line, QStringLiteral("difference"), tr("Difference map"),
                             tr("One more map: where two methods differ. With logarithmic colours it shows their ratio in decades."));
    m_difference->setCheckable(true);
    m_difference->setChecked(true);
    QToolButton* whole = addButton(line, QStringLiteral("fit"), tr("Show the whole matrix"), tr("Show the whole matrix (double click, or 0). The wheel zooms, dragging pans."));
    connect(m_log, &QToolButton::toggled, this, &MapTools::coloursChanged);
    connect(m_pin, &QToolButton::toggled, this, &MapTools::pinChanged);
    connect(m_difference, &QToolButton::toggled, this, &MapTools::differenceChanged);
    connect(whole, &QToolButton::clicked, this, &MapTools::wholeAsked);
}

void MapTools::buildLists(QHBoxLayout* line)
{
    m_pool->addItem(tr("mean"), int(Pool::Mean));
    m_pool->addItem(tr("max"), int(Pool::Max));
    m_pool->setAccessibleName(tr("Pooling"));
    m_pool->setToolTip(tr("Where there are more cells than pixels, a pixel shows the mean or the largest of its cells"));
    connect(m_pool, &QComboBox::activated, this, [this] { emit poolChosen(static_cast<Pool>(m_pool->currentData().toInt())); });
    for (const ColourMap& map : colourMaps())
        if (!map.diverging)
            m_colours->addItem(QString::fromStdString(map.id), QString::fromStdString(map.id));
    m_colours->setAccessibleName(tr("Colour map"));
    m_colours->setToolTip(tr("Colours of the weights; all of these read the same in black and white and with colour blindness"));
    connect(m_colours, &QComboBox::currentIndexChanged, this, &MapTools::coloursChanged);
    line->addWidget(m_pool);
    line->addWidget(m_colours);
}

QToolButton* MapTools::addButton(QHBoxLayout* line, const QString& image, const QString& name, const QString& teaches)
{
    auto* made = new QToolButton;
    if (!image.isEmpty())
        made->setIcon(icon(image));
    made->setAccessibleName(name);
    made->setToolTip(teaches);
    line->addWidget(made);
    return made;
}

const ColourMap* MapTools::colours() const
{
    const auto map = findColourMap(m_colours->currentData().toString().toStdString());
    return map ? *map : nullptr;
}

bool MapTools::log() const { return m_log->isChecked(); }
bool MapTools::difference() const { return m_difference->isChecked(); }
void MapTools::setColours(const std::string& id) { m_colours->setCurrentIndex(std::max(0, m_colours->findData(QString::fromStdString(id)))); }
void MapTools::setLog(bool log) { m_log->setChecked(log); }
void MapTools::setPinned(bool pinned) { m_pin->setChecked(pinned); }
void MapTools::setDifference(bool shown) { m_difference->setChecked(shown); }
void MapTools::setPool(Pool pool) { m_pool->setCurrentIndex(m_pool->findData(int(pool))); }

}  // namespace attnscope

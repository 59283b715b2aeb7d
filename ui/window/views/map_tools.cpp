#include "ui/window/views/map_tools.h"

#include "ui/plot/colour_map.h"
#include "ui/window/controls/elided.h"
#include "ui/window/document.h"
#include "ui/window/icons.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace attnscope {

MapTools::MapTools(Document& document, QWidget* parent) : QWidget(parent), m_document(document), m_pool(new ElidedList), m_colours(new ElidedList)
{
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    buildLists(line);
    m_log = addButton(line, {}, tr("Logarithmic colours"), tr("Logarithmic colours show small weights; linear colours show where the weight really is"));
    m_log->setText(tr("log"));
    m_log->setCheckable(true);
    m_pin = addButton(line, QStringLiteral("pin"), tr("Pin the colours"), tr("Keep the range of the colours as it is now, to compare what comes with what is"));
    m_pin->setCheckable(true);
    m_difference = addButton(line, QStringLiteral("difference"), tr("Difference map"),
                             tr("One more map: where two methods differ. With logarithmic colours it shows their ratio in decades."));
    m_difference->setCheckable(true);
    QToolButton* whole = addButton(line, QStringLiteral("fit"), tr("Show the whole matrix"), tr("Show the whole matrix (double click, or 0). The wheel zooms, dragging pans."));
    connect(m_log, &QToolButton::clicked, this, [this](bool log) { m_document.editLook([log](Look& look) { look.maps.log = log; }); });
    connect(m_pin, &QToolButton::clicked, this, [this](bool pinned) {
        emit pinAsked(pinned);
        showLook();  // there may have been nothing to pin
    });
    connect(m_difference, &QToolButton::clicked, this, [this](bool shown) { m_document.editLook([shown](Look& look) { look.maps.difference = shown; }); });
    connect(whole, &QToolButton::clicked, this, &MapTools::wholeAsked);
    connect(&document, &Document::changed, this, &MapTools::showLook);
    connect(&document, &Document::lookChanged, this, &MapTools::showLook);
    showLook();
}

void MapTools::buildLists(QHBoxLayout* line)
{
    m_pool->addItem(tr("mean"), int(Pool::Mean));
    m_pool->addItem(tr("max"), int(Pool::Max));
    m_pool->setAccessibleName(tr("Pooling"));
    m_pool->setToolTip(tr("Where there are more cells than pixels, a pixel shows the mean or the largest of its cells"));
    connect(m_pool, &QComboBox::activated, this, [this] {
        m_document.edit(tr("Pooling"), [this](Scenario& scenario) { scenario.view.pool = static_cast<Pool>(m_pool->currentData().toInt()); });
        m_document.endGesture();
    });
    for (const ColourMap& map : colourMaps())
        if (!map.diverging)
            m_colours->addItem(QString::fromStdString(map.id), QString::fromStdString(map.id));
    m_colours->setAccessibleName(tr("Colour map"));
    m_colours->setToolTip(tr("Colours of the weights; all of these read the same in black and white and with colour blindness"));
    connect(m_colours, &QComboBox::activated, this, [this] {
        m_document.editLook([this](Look& look) { look.maps.colourMap = m_colours->currentData().toString().toStdString(); });
    });
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

void MapTools::showLook()
{
    const MapLook& look = m_document.look().maps;
    m_pool->setCurrentIndex(m_pool->findData(int(m_document.scenario().view.pool)));
    m_colours->setCurrentIndex(m_colours->findData(QString::fromStdString(look.colourMap)));
    m_log->setChecked(look.log);
    m_pin->setChecked(look.pinned.has_value());
    m_difference->setChecked(look.difference);
}

}  // namespace attnscope

#include "moc_map_tools.cpp"

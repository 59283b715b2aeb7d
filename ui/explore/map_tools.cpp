#include "ui/explore/map_tools.h"

#include "ui/plot/colour_map.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/workbench/document.h"
#include "ui/figure/counted_rows.h"

namespace attnscope {

MapTools::MapTools(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document),
      m_rows(
          described(new ElidedList, u"Rows that count"_s,
                    u"Whose mean is said: by the headings of the maps, by the tables, and by the curves against n. "
                    "The last quarter are the rows that see from 3/4 n keys to all n; of all rows most see fewer."_s)),
      m_pool(
          described(new ElidedList, u"Pooling"_s,
                    u"Where there are more cells than pixels, a pixel shows the mean or the largest of its cells"_s)),
      m_colours(described(
          new ElidedList, u"Colour map"_s,
          u"Colours of the weights; all of these read the same in black and white and with colour blindness"_s))
{
    fillLists();
    m_log = toolButton(u"Log"_s,
                       u"Logarithmic colours show small weights; linear colours show where the weight really is"_s,
                       u"Logarithmic colours"_s);
    m_pin = iconButton(u"lock"_s, u"Lock the colours"_s,
                       u"Lock the colour range: equal colours stay equal weights whatever changes"_s);
    m_difference = iconButton(
        u"difference"_s, u"Difference map"_s,
        u"One more map: where two methods differ. With logarithmic colours it shows their ratio in decades."_s);
    m_loupe =
        iconButton(u"loupe"_s, u"Loupe"_s, u"The cells around the pointer, a weight a cell, with their numbers (L)"_s);
    QToolButton* whole = iconButton(u"fit"_s, u"Show the whole matrix"_s,
                                    u"Show the whole matrix (0). The wheel zooms, dragging pans; a double click on a "
                                    "map shows it alone, and all of them again."_s);
    for (QToolButton* button : {m_log, m_pin, m_difference, m_loupe})
        button->setCheckable(true);
    inRow(this, {m_rows, m_pool, m_colours, m_log, m_pin, m_difference, m_loupe, whole}, 4);
    connect(m_log, &QToolButton::clicked, this, [this](bool log) {
        m_document.editLook([log](Look& look) {
            look.maps.log = log;
            look.maps.pinnedDifference.reset();  // a ratio is no difference
        });
    });
    connect(m_pin, &QToolButton::clicked, this, [this](bool pinned) {
        emit pinAsked(pinned);
        showLook();  // there may have been nothing to pin
    });
    connect(m_difference, &QToolButton::clicked, this,
            [this](bool shown) { m_document.editLook([shown](Look& look) { look.maps.difference = shown; }); });
    connect(m_loupe, &QToolButton::clicked, this,
            [this](bool shown) { m_document.editLook([shown](Look& look) { look.maps.loupe = shown; }); });
    connect(whole, &QToolButton::clicked, this, &MapTools::wholeAsked);
    connect(&document, &Document::changed, this, &MapTools::showLook);
    connect(&document, &Document::lookChanged, this, &MapTools::showLook);
    showLook();
}

void MapTools::fillLists()
{
    m_rows->addItem(sentence(lastQuarter), int(RowSet::Kind::SeeingAboutN));
    m_rows->addItem(u"All rows"_s, int(RowSet::Kind::All));
    connect(m_rows, &QComboBox::activated, this, [this] {
        m_document.editOnce(u"Rows that count"_s, [this](Scenario& scenario) {
            scenario.view.rows = static_cast<RowSet::Kind>(m_rows->currentData().toInt());
        });
    });
    m_pool->addItem(u"Mean"_s, int(Pool::Mean));
    m_pool->addItem(u"Max"_s, int(Pool::Max));
    connect(m_pool, &QComboBox::activated, this, [this] {
        m_document.editOnce(u"Pooling"_s, [this](Scenario& scenario) {
            scenario.view.pool = static_cast<Pool>(m_pool->currentData().toInt());
        });
    });
    for (const ColourMap& map : colourMaps())
        if (!map.diverging)
            m_colours->addItem(sentence(QString::fromStdString(map.id)), QString::fromStdString(map.id));
    connect(m_colours, &QComboBox::activated, this, [this] {
        m_document.editLook(
            [this](Look& look) { look.maps.colourMap = m_colours->currentData().toString().toStdString(); });
    });
}

void MapTools::showLook()
{
    const MapLook& look = m_document.look().maps;
    m_rows->setCurrentIndex(m_rows->findData(int(m_document.scenario().view.rows)));
    m_rows->setVisible(rowsDiffer(m_document.scenario()));
    m_pool->setCurrentIndex(m_pool->findData(int(m_document.scenario().view.pool)));
    m_colours->setCurrentIndex(m_colours->findData(QString::fromStdString(look.colourMap)));
    m_log->setChecked(look.log);
    m_pin->setChecked(look.pinned.has_value());
    m_difference->setChecked(look.difference);
    m_loupe->setChecked(look.loupe);
}

}  // namespace attnscope

#include "moc_map_tools.cpp"

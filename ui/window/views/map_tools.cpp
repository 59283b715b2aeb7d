#include "ui/window/views/map_tools.h"

#include "ui/plot/colour_map.h"
#include "ui/window/controls/building.h"
#include "ui/window/controls/elided.h"
#include "ui/window/document.h"
#include "ui/window/views/counted_rows.h"

namespace attnscope {

MapTools::MapTools(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document),
      m_rows(described(new ElidedList, tr("Rows that count"),
                       tr("Whose mean is said: by the headings of the maps, by the table, and by the curves against n. "
                          "Rows with n keys are the last quarter, which see about n of them; of all rows most see "
                          "fewer."))),
      m_pool(
          described(new ElidedList, tr("Pooling"),
                    tr("Where there are more cells than pixels, a pixel shows the mean or the largest of its cells"))),
      m_colours(described(
          new ElidedList, tr("Colour map"),
          tr("Colours of the weights; all of these read the same in black and white and with colour blindness")))
{
    fillLists();
    m_log = toolButton(tr("log"),
                       tr("Logarithmic colours show small weights; linear colours show where the weight really is"),
                       tr("Logarithmic colours"));
    m_pin = iconButton(QStringLiteral("pin"), tr("Pin the colours"),
                       tr("Keep the range of the colours as it is now, to compare what comes with what is"));
    m_difference = iconButton(
        QStringLiteral("difference"), tr("Difference map"),
        tr("One more map: where two methods differ. With logarithmic colours it shows their ratio in decades."));
    m_loupe = iconButton(QStringLiteral("loupe"), tr("Loupe"),
                         tr("The cells around the pointer, a weight a cell, with their numbers (L)"));
    QToolButton* whole = iconButton(QStringLiteral("fit"), tr("Show the whole matrix"),
                                    tr("Show the whole matrix (0). The wheel zooms, dragging pans; a double click on a "
                                       "map shows it alone, and all of them again."));
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
    m_rows->addItem(tr("rows with n keys"), int(CountedRows::AboutN));
    m_rows->addItem(tr("all rows"), int(CountedRows::All));
    connect(m_rows, &QComboBox::activated, this, [this] {
        m_document.editOnce(tr("Rows that count"), [this](Scenario& scenario) {
            scenario.view.rows = static_cast<CountedRows>(m_rows->currentData().toInt());
        });
    });
    m_pool->addItem(tr("mean"), int(Pool::Mean));
    m_pool->addItem(tr("max"), int(Pool::Max));
    connect(m_pool, &QComboBox::activated, this, [this] {
        m_document.editOnce(tr("Pooling"), [this](Scenario& scenario) {
            scenario.view.pool = static_cast<Pool>(m_pool->currentData().toInt());
        });
    });
    for (const ColourMap& map : colourMaps())
        if (!map.diverging)
            m_colours->addItem(QString::fromStdString(map.id), QString::fromStdString(map.id));
    connect(m_colours, &QComboBox::activated, this, [this] {
        m_document.editLook(
            [this](Look& look) { look.maps.colourMap = m_colours->currentData().toString().toStdString(); });
    });
}

/// A session from before this was asked has curves of the one and all else of the other; it can be kept, not chosen.
void MapTools::showRows()
{
    const Scenario& scenario = m_document.scenario();
    const int unsaid = m_rows->findData(int(CountedRows::Unsaid));
    if (scenario.view.rows == CountedRows::Unsaid && unsaid < 0)
        m_rows->addItem(tr("each its rows"), int(CountedRows::Unsaid));
    else if (scenario.view.rows != CountedRows::Unsaid && unsaid >= 0)
        m_rows->removeItem(unsaid);
    m_rows->setCurrentIndex(m_rows->findData(int(scenario.view.rows)));
    m_rows->setVisible(rowsDiffer(scenario));
}

void MapTools::showLook()
{
    const MapLook& look = m_document.look().maps;
    showRows();
    m_pool->setCurrentIndex(m_pool->findData(int(m_document.scenario().view.pool)));
    m_colours->setCurrentIndex(m_colours->findData(QString::fromStdString(look.colourMap)));
    m_log->setChecked(look.log);
    m_pin->setChecked(look.pinned.has_value());
    m_difference->setChecked(look.difference);
    m_loupe->setChecked(look.loupe);
}

}  // namespace attnscope

#include "moc_map_tools.cpp"

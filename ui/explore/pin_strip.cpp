#include "ui/explore/pin_strip.h"

#include "core/analysis/scenario_words.h"
#include "ui/figure/map_pictures.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/workbench/document.h"
#include "ui/workbench/pins.h"
#include "ui/widgets/copy_data.h"
#include "ui/explore/pin_card.h"

#include <QEvent>
#include <QRegularExpression>

namespace attnscope {

namespace {

/// "layer0.q" of a file's names is layer 0.
QString shownWords(QString words)
{
    static const QRegularExpression queries(u"\\blayer[._-]?(\\d+)\\.q\\b"_s);
    return numbersIn(words.replace(queries, u"layer \\1"_s));
}

QString inWords(const std::vector<std::string>& changes)
{
    QStringList words;
    for (const std::string& change : changes)
        words << QString::fromStdString(change);
    return shownWords(words.join(u", "_s));
}

/// The last method's map: that of the first is mostly vanilla's.
QImage smallMap(const Analysis& analysis, const MapLook& look)
{
    constexpr int side = 96;
    for (auto method = analysis.methods.rbegin(); method != analysis.methods.rend(); ++method)
        if (method->absent.empty() && method->map.rows > 0) {
            const QImage image = heatmapImage(*maskedMap(analysis, *method), weightScaleOf(analysis, look));
            return image.scaled(std::min(side, image.width()), std::min(side, image.height()), Qt::IgnoreAspectRatio,
                                Qt::SmoothTransformation);
        }
    return {};
}

}  // namespace

PinStrip::PinStrip(Document& document, Pins& pins, QWidget* parent)
    : QFrame(parent), m_document(document), m_pins(pins),
      m_since(elidedCaption(u"What has changed since the last pin"_s)),
      m_row(inRow(this, {{m_since, 1}}, 8, {14, 2, 14, 10}))
{
    connect(&document, &Document::changed, this, &PinStrip::show);
    connect(&document, &Document::lookChanged, this, &PinStrip::show);
    connect(&pins, &Pins::changed, this, &PinStrip::show);
    show();
}

void PinStrip::setOnStage(bool on)
{
    m_onStage = on;
    show();
}

QString PinStrip::since() const { return m_since->text(); }

PinCard* PinStrip::addCard()
{
    const int place = static_cast<int>(m_cards.size());
    auto* card = new PinCard(place + 1, this);
    m_row->insertWidget(place, card);
    connect(card, &QAbstractButton::clicked, this, [this, place] { m_pins.goTo(place); });
    connect(card, &PinCard::held, this, [this, place] { m_pins.flipTo(place); });
    connect(card, &PinCard::letGo, this, [this] { m_pins.flipBack(); });
    offerActions(card, {{u"Go back to it"_s, [this, place] { m_pins.goTo(place); }},
                        {u"Remove the pin"_s, [this, place] { m_pins.remove(place); }}});
    m_cards.push_back(card);
    return card;
}

void PinStrip::show()
{
    const std::vector<Scenario>& pins = m_document.look().pins;
    setVisible(!pins.empty() && !m_onStage);
    while (m_cards.size() > pins.size()) {
        m_cards.back()->deleteLater();  // it may be the one that was clicked
        m_cards.back()->hide();
        m_cards.pop_back();
    }
    while (m_cards.size() < pins.size())
        addCard();
    m_maps.resize(pins.size());
    const int flipped = m_pins.flipped(), now = m_pins.current(), seen = flipped >= 0 ? flipped : now;
    for (std::size_t i = 0; i < pins.size(); ++i) {
        const AnalysisPtr known = i < m_pins.analyses().size() ? m_pins.analyses()[i] : nullptr;
        const QString words =
            i == 0 ? shownWords(text(scenarioSubject(pins[i]))) : inWords(scenarioDifferences(pins[i - 1], pins[i]));
        m_cards[i]->show(smallMapOf(i, known), words, seen == static_cast<int>(i));
    }
    if (pins.empty())
        return;
    m_since->setShortTexts({});
    if (flipped >= 0)
        return m_since->setText(u"Shown: pin %1"_s.arg(flipped + 1));
    const QString changes = inWords(scenarioDifferences(pins.back(), m_document.scenario()));
    if (now != std::ssize(pins) - 1 && !changes.isEmpty())
        return m_since->setText(u"Now: %1"_s.arg(changes));
    m_since->setText(u"This is pin %1. Change something, then hold %1 to flip between the two."_s.arg(pins.size()));
    m_since->setShortTexts(
        {u"Change something, then hold %1 to flip"_s.arg(pins.size()), u"Hold %1 to flip"_s.arg(pins.size())});
}

/// Made anew where it is another map, or in other colours.
const QImage& PinStrip::smallMapOf(std::size_t place, const AnalysisPtr& analysis)
{
    SmallMap& kept = m_maps[place];
    const MapLook& look = m_document.look().maps;
    if (kept.of != analysis || kept.colours != look.colourMap || kept.log != look.log)
        kept = {analysis, look.colourMap, look.log, analysis ? smallMap(*analysis, look) : QImage()};
    return kept.image;
}

}  // namespace attnscope

#include "moc_pin_strip.cpp"

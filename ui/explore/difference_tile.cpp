#include "ui/explore/difference_tile.h"

#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/views/heatmap_plot.h"

#include <QComboBox>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int listHeight = 21;

}  // namespace

DifferenceTile::DifferenceTile(QWidget* parent)
    : DifferenceTile(new ElidedList, new QLabel, new ElidedList,
                     elidedCaption(u"The maps are alike, or there are none"_s), parent)
{
}

DifferenceTile::DifferenceTile(QComboBox* first, QLabel* between, QComboBox* second, ElidedLabel* note, QWidget* parent)
    : MapTile(inRow({first, between, stretch()}, 2), inRow({second, {note, 100}, stretch()}, 2), parent),
      m_first(first), m_second(second), m_between(between), m_note(note)
{
    line(0)->removeWidget(m_between);  // where the names have a line each, it begins the second
    line(1)->insertWidget(0, m_between);
    m_first->setAccessibleName(u"Difference: first method"_s);
    m_second->setAccessibleName(u"Difference: second method"_s);
    for (QComboBox* list : {m_first, m_second}) {
        list->setFixedHeight(listHeight);
        list->setProperty("compact", true);
        list->setToolTip(u"The map shows how the first method's weights differ from the second's"_s);
        list->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        connect(list, &QComboBox::activated, this, [this] {
            emit sidesChosen({static_cast<std::size_t>(m_first->currentIndex()),
                              static_cast<std::size_t>(m_second->currentIndex())});
        });
    }
    plot()->setAccessibleName(u"Difference of two attention maps"_s);
    heading()->setAccessibleName(u"Difference, large"_s);
}

int DifferenceTile::inset() const { return static_cast<const ElidedList*>(m_first)->textLeft(); }

void DifferenceTile::fill(QComboBox* list, const Analysis& analysis, std::size_t chosen)
{
    QStringList labels;
    for (const MethodAnalysis& method : analysis.methods)
        labels << QString::fromStdString(method.label);
    refill(*list, labels);
    list->setCurrentIndex(static_cast<int>(chosen));
}

QString DifferenceTile::title() const
{
    return m_first->currentText() + betweenSides(m_isRatio) + m_second->currentText();
}

QString DifferenceTile::note() const { return m_note->isHidden() ? QString() : m_note->text(); }

std::vector<QWidget*> DifferenceTile::stops() const { return {heading(), m_first, m_second, plot()}; }

void DifferenceTile::setBare(bool bare)
{
    m_bare = bare;
    showArrows();
}

void DifferenceTile::setNameAlone(bool alone)
{
    m_nameAlone = alone;
    showArrows();
}

void DifferenceTile::showArrows()
{
    for (QComboBox* list : {m_first, m_second}) {
        setState(*list, "tight", m_tight);
        setState(*list, "bare", m_bare || m_nameAlone || m_tight);
        list->updateGeometry();  // without its arrow it is narrower
    }
}

/// In words, as far as both names have their room; where they have none in one line, without the arrows.
void DifferenceTile::showBetween()
{
    const QString words = betweenSides(m_isRatio).trimmed();
    constexpr int around = 24, arrow = 26;
    const auto advance = [](const QComboBox* list) {
        return list->fontMetrics().horizontalAdvance(list->currentText());
    };
    const int names = advance(m_first) + advance(m_second) + m_between->fontMetrics().horizontalAdvance(u'\u2212');
    m_tight = heading()->height() <= headingHeight(1) && names + 2 * withText(arrow) + around > width();
    showArrows();
    const int wide = m_first->sizeHint().width() + m_second->sizeHint().width() +
                     m_between->fontMetrics().horizontalAdvance(words) + around;
    const bool fits = heading()->height() > headingHeight(1) || wide <= width();
    m_between->setAccessibleName(words);
    m_between->setText(fits ? words : m_isRatio ? u"/"_s : u"\u2212"_s);
}

void DifferenceTile::show(const MapPictures& pictures)
{
    const auto [first, second] = sidesOf(*pictures.analysis, pictures.look);
    fill(m_first, *pictures.analysis, first);
    fill(m_second, *pictures.analysis, second);
    m_isRatio = pictures.look.log;
    m_between->setToolTip(m_isRatio ? u"Logarithmic colours: the first method's weight over the second's, in decades"_s
                                    : u"Linear colours: the first method's weight minus the second's"_s);
    showBetween();
    const std::vector<float>& values = pictures.difference->map->values;
    m_note->setText(values.empty() ? u"one has no map"_s : u"the same weights"_s);
    m_note->setShortText(values.empty() ? u"no map"_s : u"the same"_s);
    m_note->setVisible(std::ranges::all_of(values, [](float value) { return value == 0 || std::isnan(value); }));
    plot()->setMap(*pictures.difference);
}

}  // namespace attnscope

#include "moc_difference_tile.cpp"

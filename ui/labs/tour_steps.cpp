#include "ui/labs/tour_steps.h"

#include "ui/figure/tour_paint.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/number_control.h"
#include "ui/widgets/icons.h"
#include "ui/labs/lab_tours.h"

#include <QStringList>

#include <algorithm>

namespace attnscope {

namespace {

constexpr double wholeTour = 10'000;  ///< milliseconds to play all choices

QString nameOf(const LabTours& tours, int place)
{
    return tours.depot && place == 0 ? u"the depot"_s : QString::number(place);
}

/// "from 12 it looks at 14 (0.31), 3 (0.22) and 7 (0.10), and goes to 14"
QString wordsOf(const LabTours& tours, const TourStep& step)
{
    if (!step.next)
        return u"the tour is made"_s;
    QStringList looked;
    for (const int place : mostLookedAt(step, mostNamedInStep))
        looked << u"%1 (%2)"_s.arg(nameOf(tours, place))
                      .arg(static_cast<double>(step.weights[static_cast<std::size_t>(place)]), 0, 'f', 2);
    const QString looks = step.at ? u"from %1 it looks at %2"_s.arg(nameOf(tours, *step.at), looked.join(u", "_s))
                                  : u"from nowhere yet it looks at %1"_s.arg(looked.join(u", "_s));
    return u"%1 and goes to %2"_s.arg(looks, nameOf(tours, *step.next));
}

}  // namespace

TourSteps::TourSteps(LabTourView& view, QWidget* parent)
    : QWidget(parent), m_view(view),
      m_play(iconButton(u"play"_s, u"Play the choices"_s,
                        u"Make both tours choice by choice, with the attention of the place where each stands"_s)),
      m_number(new NumberControl(u"Choice"_s, {.minimum = 0, .maximum = 1, .whole = true},
                                 u"Before which choice of the decoder the tours are drawn: lines lead from where "
                                 "each stands to what its glimpse attends to. At the right end both are made."_s)),
      m_words(selectableParagraph("caption"))
{
    m_words->setAccessibleDescription(u"What the decoder looks at, in words"_s);
    m_words->setMinimumHeight(2 * m_words->fontMetrics().lineSpacing());  // a line a tour, and as high without them
    m_words->setAlignment(Qt::AlignLeft | Qt::AlignBottom);               // above what is said of both
    inColumn(this, {inRow({m_play, {m_number, 1}}), m_words}, 4);
    connect(m_play, &QToolButton::clicked, this, [this] { setPlaying(!isPlaying()); });
    connect(m_number, &NumberControl::edited, this, [this](double value) {
        setPlaying(false);
        go(static_cast<Index>(value));
    });
    connect(&m_clock, &QTimer::timeout, this, &TourSteps::step);
    hide();
}

void TourSteps::show(std::shared_ptr<const Redecoded> found)
{
    const bool made = isMade();
    m_found = std::move(found);
    setVisible(m_found != nullptr);
    m_choices = m_found ? choicesOf(*m_found) : 0;
    if (!m_found)
        return setPlaying(false);
    m_number->setScale({.minimum = 0, .maximum = static_cast<double>(std::max<Index>(1, m_choices)), .whole = true});
    go(made ? m_choices : std::min(m_choice, m_choices));
}

/// The whole of it in ten seconds, a choice a tick, or several where a tick would be too short to be seen.
void TourSteps::setPlaying(bool playing)
{
    playing = playing && m_choices > 0;
    if (playing && isMade())
        go(0);
    playing ? m_clock.start(std::max(16, static_cast<int>(wholeTour / static_cast<double>(m_choices))))
            : m_clock.stop();
    m_play->setIcon(icon(playing ? u"pause"_s : u"play"_s));
}

void TourSteps::step()
{
    go(m_choice + 1);
    if (isMade())
        setPlaying(false);
}

void TourSteps::go(Index choice)
{
    m_choice = std::min(choice, m_choices);
    m_number->setValue(static_cast<double>(m_choice));
    std::vector<TourStep> steps = isMade() ? std::vector<TourStep>() : stepsOf(*m_found, m_choice);
    QStringList lines;
    for (std::size_t panel = 0; panel < steps.size(); ++panel)
        lines << u"%1: %2."_s.arg(text(m_found->tours.panels[panel].title), wordsOf(m_found->tours, steps[panel]));
    m_words->setText(
        isMade()
            ? u"Both tours are made. Drag the slider, or play, to see what the decoder looks at before each choice."_s
            : lines.join(QLatin1Char('\n')));
    m_view.showSteps(std::move(steps));
}

QString TourSteps::words() const { return m_words->text(); }

}  // namespace attnscope

#include "moc_tour_steps.cpp"

#include "ui/labs/lab_canvas.h"

#include "ui/plot/legend.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/number_control.h"
#include "ui/widgets/scroll_edges.h"
#include "ui/labs/lab_pictures.h"
#include "ui/workbench/run_store.h"
#include "ui/labs/lab_table.h"
#include "ui/labs/lab_packings.h"
#include "ui/labs/lab_tours.h"
#include "ui/views/chart_view.h"
#include "ui/views/save_chart.h"
#include "ui/widgets/series_legend.h"
#include "ui/widgets/theme.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>

#include <algorithm>
#include <iterator>

namespace attnscope {

namespace {
constexpr int usualColumns = 2, lowest = 250, highest = 420;  // pixels of a chart, which is 3:2 between them,
constexpr int leastChart = 190;                               // or as low as the window
constexpr double leastShape = 0.6;  // or so flat, height over width, if some rows of the table have room then;
constexpr int highEnough = 300;     // so high charts may be flatter
constexpr int wideEnough = 360, narrowest = 285;  // for three in a row, and where there are no others
constexpr int usualLegend = 3, legendLine = 18, smoothingWidth = 320, emptyWidth = 560;
constexpr std::size_t mostAtEnds = 8;  // names beside a chart
constexpr double mostSmoothing = 0.99;
const QString smoothingKey = u"smoothing"_s;

/// How a line is known in every chart.
int styleOfLabel(const std::vector<ChartSpec>& specs, const QString& label)
{
    for (const ChartSpec& spec : specs)
        if (const auto meant = std::ranges::find(spec.series, label, &ChartSeries::label);
            !label.isEmpty() && meant != spec.series.end())
            return meant->style;
    return ChartSeries::reference;
}
}

LabCanvas::LabCanvas(QWidget* parent)
    : QWidget(parent), m_scroll(new QScrollArea), m_page(new QWidget), m_grid(new QGridLayout),
      m_smoothing(new NumberControl(u"Smoothing"_s, {0, mostSmoothing, false, false, 2},
                                    u"Of training curves: the weight of what came before in an exponential moving "
                                    "average; the curve itself stays pale beneath it. 0: none"_s)),
      m_nothing(paragraph("caption")), m_empty(new QWidget), m_emptyTitle(textLabel({}, "title")),
      m_emptyWords(paragraph("caption")),
      m_start(pushButton(u"Start"_s, u"Train with the parameters at the left; the run is kept"_s)),
      m_legend(new SeriesLegend), m_pictures(new LabPictures), m_tours(new LabTourView), m_packings(new LabPackingView),
      m_table(new LabTable)
{
    m_smoothing->setMaximumWidth(smoothingWidth);
    m_smoothing->setValue(std::clamp(QSettings().value(smoothingKey).toDouble(), 0.0, mostSmoothing));
    connect(m_smoothing, &NumberControl::edited, this, [this](double weight) {
        QSettings().setValue(smoothingKey, weight);
        emit smoothed();
    });
    m_emptyTitle->setWordWrap(true);
    auto* words = new QWidget;
    words->setMaximumWidth(withText(emptyWidth));
    inColumn(words, {m_emptyTitle, m_emptyWords, inRow({m_start, stretch()})}, 12);
    inColumn(m_empty, {stretch(2), inRow({stretch(), {words, 8}, stretch()}), stretch(3)});
    inColumn(
        m_page,
        {m_nothing, {m_empty, 1}, m_smoothing, m_legend, m_grid, m_pictures, m_tours, m_packings, m_table, stretch(0)},
        12, {4, 4, 6, 8});
    letScroll(*m_scroll, m_page);
    inColumn(this, {m_scroll}, 0);
    keepBarRoom(*m_scroll);
    QScrollBar* bar = m_scroll->verticalScrollBar();
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int, int most) {
        if (std::exchange(m_follows, false) && !m_table->hasChosenRow())  // it may have been chosen meanwhile
            bar->setValue(most);
        showTablePart();
    });
    connect(bar, &QScrollBar::valueChanged, this, &LabCanvas::showTablePart);
    connect(m_table, &LabTable::chosen, this, &LabCanvas::giveHeights);
    connect(m_table, &LabTable::scrolledTo, bar, [this, bar](int y) { bar->setValue(m_table->y() + y); });
    setAccessibleName(u"Results"_s);
    m_scroll->viewport()->installEventFilter(this);
    m_table->installEventFilter(this);
    m_legend->installEventFilter(this);
    m_legend->setToolTip(u"Of many lines some stand out: a click on a name takes its line in or out"_s);
    connect(m_legend, &SeriesLegend::pointed, this, &LabCanvas::point);
    connect(m_start, &QPushButton::clicked, this, &LabCanvas::startAsked);
}

/// The line stands out in every chart that has it.
void LabCanvas::point(const QString& label)
{
    if (label == std::exchange(m_pointed, label))
        return;
    if (!m_inFront.empty())
        showLines();
    for (ChartView* chart : m_charts) {
        const auto& lines = chart->spec().series;
        const auto meant = std::ranges::find(lines, label, &ChartSeries::label);
        chart->setEmphasis(label.isEmpty() || meant == lines.end() ? -1 : meant->style);
    }
}

void LabCanvas::show(const Lab& lab, const std::vector<ShownRun>& runs)
{
    QStringList shown{text(lab.id)};
    for (const ShownRun& run : runs)
        shown << run.name;
    const bool goesOn = shown == std::exchange(m_shown, shown);
    const std::optional<Held> held = goesOn ? heldInSight() : std::nullopt;
    m_brings = m_brings && goesOn;
    const QScrollBar& bar = *m_scroll->verticalScrollBar();
    const bool atEnd = bar.maximum() > 0 && bar.value() == bar.maximum();
    const bool grows = m_table->show(lab, runs.empty() ? std::vector<LabRow>{} : runs.front().record->rows, goesOn);
    m_follows = atEnd && grows && !m_table->hasChosenRow();
    m_specs = labCharts(lab, runs, m_smoothing->value());
    m_smoothing->setVisible(haveTrainingCurves(lab, runs));
    takeCharts();
    m_named.clear();
    chooseFront();
    m_nothing->hide();
    await(lab, {});
    m_empty->setVisible(m_specs.empty() && m_table->isHidden());
    m_start->hide();
    arrange();
    m_pictures->show(runs.empty() ? std::vector<LabPicture>{} : runs.front().record->pictures);
    m_tours->show(runs.empty() ? std::vector<LabTours>{} : runs.front().record->tours);
    m_packings->show(runs.empty() ? std::vector<LabPackings>{} : runs.front().record->packings);
    giveHeights();
    if (held && !m_follows)
        hold(*held);
    if (m_brings)
        bringCharts();
}

void LabCanvas::bringCharts()
{
    m_brings = m_specs.empty();
    m_follows = m_follows && m_brings;
    layOut();
    if (!m_brings)
        m_scroll->ensureWidgetVisible(m_charts.front(), 0, m_page->layout()->contentsMargins().top());
}

/// Each has the view that it had, with what the reader has enlarged there; a new one a view that is free.
void LabCanvas::takeCharts()
{
    std::vector<ChartView*> views, before = m_charts;
    for (const ChartSpec& spec : m_specs) {
        const auto own = std::ranges::find(before, spec.title, &QWidget::accessibleName);
        views.push_back(own == before.end() ? nullptr : *own);
        if (own != before.end())
            before.erase(own);
    }
    for (ChartView*& view : views)
        if (!view && !before.empty()) {
            view = before.back();
            before.pop_back();
        } else if (!view) {
            auto* chart = view = new ChartView(m_page);
            offerSaving(*chart, u"lab_%1"_s.arg(++m_made));
            chart->setZoomsWithControl(true);
            connect(chart, &ChartView::hovered, this, [this, chart](QPointF, const std::optional<ChartHit>& hit) {
                if (!m_inFront.empty())  // of a few lines the readout says which is which
                    point(hit ? chart->spec().series[static_cast<std::size_t>(hit->series)].label : QString());
            });
            connect(chart, &ChartView::left, this, [this] { point({}); });
        }
    for (std::size_t i = 0; i < views.size(); ++i) {
        views[i]->setAccessibleName(m_specs[i].title);
        views[i]->setVisible(true);
    }
    for (ChartView* free : before)
        free->setVisible(false);
    views.insert(views.end(), before.begin(), before.end());
    if (views != std::exchange(m_charts, views))
        m_placed = {};
}

/// A row that is read, or where the page was scrolled what is at its top.
std::optional<LabCanvas::Held> LabCanvas::heldInSight() const
{
    if (const std::optional<int> row = m_table->rowRead())
        return Held{m_table, row, onScreen(*m_table, row)};
    std::vector<QWidget*> all(m_charts.begin(), m_charts.end());
    all.insert(all.end(), {m_pictures, m_tours, m_packings, m_table});
    const auto isSeen = [&](const QWidget* one) { return !one->isHidden() && onScreen(*one, {}) + one->height() > 0; };
    const auto first = std::ranges::find_if(all, isSeen);
    if (m_scroll->verticalScrollBar()->value() == 0 || first == all.end())
        return {};
    return Held{*first, {}, onScreen(**first, {})};
}

int LabCanvas::onScreen(const QWidget& what, std::optional<int> row) const
{
    return what.mapTo(m_scroll->viewport(), QPoint(0, row ? m_table->yOf(*row) : 0)).y();
}

/// At once: it is not seen anywhere else in between.
void LabCanvas::layOut()
{
    m_page->layout()->activate();
    QEvent ranges(QEvent::LayoutRequest);
    QCoreApplication::sendEvent(m_scroll, &ranges);
}

void LabCanvas::hold(const Held& held)
{
    if (held.what->isHidden() || (held.row && *held.row >= m_table->model().rowCount()))
        return;
    layOut();
    QScrollBar& bar = *m_scroll->verticalScrollBar();
    bar.setValue(bar.value() + onScreen(*held.what, held.row) - held.y);
    if (held.row)
        m_table->scrollBy(onScreen(*held.what, held.row) - held.y);
}

/// Where the lines are others than before: the first of them.
void LabCanvas::chooseFront()
{
    const auto isThere = [&](int style) {
        return std::ranges::any_of(m_specs, [&](const ChartSpec& spec) {
            return std::ranges::any_of(spec.series, [&](const ChartSeries& series) {
                return series.style == style && !series.label.isEmpty();
            });
        });
    };
    const std::set<int> first = firstInFront(m_specs);
    if (first.empty() || m_inFront.empty() || !std::ranges::all_of(m_inFront, isThere))
        m_inFront = first;
}

void LabCanvas::arrange()
{
    placeCharts();
    nameLines();
    giveHeights();
}

/// Three where that saves a row and they are wide enough.
int LabCanvas::chartsAcross() const
{
    constexpr int many = 3;
    const int charts = static_cast<int>(m_specs.size()), width = m_scroll->viewport()->width() / many;
    const auto rows = [&](int across) { return (charts + across - 1) / across; };
    if (charts > usualColumns && rows(many) < rows(usualColumns) &&
        width >= withText(charts == many ? narrowest : wideEnough))
        return many;
    return std::clamp(charts, 1, usualColumns);
}

/// 3:2.
QSize LabCanvas::sizeOfCharts() const
{
    const int width = m_scroll->viewport()->width() / chartsAcross();
    return {width, std::clamp(width * 2 / 3, lowest, highest)};
}

/// In rows, all of one width.
void LabCanvas::placeCharts()
{
    const int across = chartsAcross(), charts = static_cast<int>(m_specs.size());
    if (std::pair(across, charts) == std::exchange(m_placed, {across, charts}))
        return;
    for (int i = 0; i < charts; ++i) {
        ChartView* chart = m_charts[static_cast<std::size_t>(i)];
        m_grid->removeWidget(chart);
        m_grid->addWidget(chart, i / across, i % across);
    }
    for (int column = 0; column < 3; ++column)
        m_grid->setColumnStretch(column, column < across ? 1 : 0);
}

/// Where they end, if there is room in every chart; else one legend for all charts that name the same.
void LabCanvas::nameLines()
{
    const QSize size = sizeOfCharts();
    const auto few = [](const ChartSpec& spec) {
        return std::ranges::count_if(spec.series, [](const ChartSeries& series) { return !series.label.isEmpty(); }) <=
               static_cast<std::ptrdiff_t>(mostAtEnds);
    };
    const bool atEnds = std::ranges::all_of(m_specs, [&](const ChartSpec& spec) {
        return spec.legend != Legend::Below || (few(spec) && endsHaveRoom(spec, chartStyle(), size));
    });
    if (!m_named.empty() && atEnds == m_atEnds)
        return;
    m_atEnds = atEnds;
    m_named = m_specs;
    m_legendOf = atEnds ? std::vector<ChartSeries>() : takeCommonLegend(m_named);
    if (m_named.size() == 1 && m_named.front().legend == Legend::Below && !few(m_named.front())) {
        m_named.front().legend = Legend::None;  // what many lines are called stands outside of one chart too
        std::ranges::copy_if(m_named.front().series, std::back_inserter(m_legendOf),
                             [](const ChartSeries& series) { return !series.label.isEmpty(); });
        for (ChartSeries& series : m_legendOf)
            series.points.clear();
    }
    const bool othersNone =
        std::ranges::any_of(m_named, [](const ChartSpec& spec) { return spec.legend == Legend::None; });
    for (std::size_t i = 0; i < m_named.size(); ++i) {
        m_charts[i]->setNamesAtEnds(few(m_named[i]));
        m_charts[i]->setNamesInside(othersNone);
    }
    showLines();
}

/// Those that stand out in their methods' colours and dashes, above all others.
void LabCanvas::showLines()
{
    const int pointed = styleOfLabel(m_named, m_pointed);
    std::vector<ChartSeries> legend = m_legendOf;
    // without the names of those behind it is as it is, whatever is pointed at
    putBehind(legend, m_inFront, m_legend->more().isChecked() ? pointed : ChartSeries::reference);
    m_legend->show(std::move(legend));
    for (std::size_t i = 0; i < m_named.size(); ++i) {
        ChartSpec spec = m_named[i];
        if (const int together = coincidingLines(spec); !m_inFront.empty() && together > 2)
            spec.title += u" (%1\u00A0lines\u00A0coincide)"_s.arg(together);
        putBehind(spec.series, m_inFront, pointed);
        m_charts[i]->show(std::move(spec));
    }
}

/// With the white space below each of them.
int LabCanvas::heightsOf(std::initializer_list<QWidget*> shown) const
{
    const QMargins around = m_page->layout()->contentsMargins();
    const int width = m_scroll->viewport()->width() - around.left() - around.right();
    int sum = 0;
    for (QWidget* one : shown)
        if (!one->isHidden())
            sum += std::max(one->minimumHeight(),  // the legend's is fixed
                            one->hasHeightForWidth() ? one->heightForWidth(width) : one->sizeHint().height()) +
                   m_page->layout()->spacing();
    return sum;
}

/// Charts are alike, so that their tops and axes are, each with what its own legend takes. A little lower than 3:2
/// where that lets some rows of the table have room; how many rows there are is all the same to them, so that they stay
/// where they are as rows come. No chart is higher than what is seen of the page, which scrolls. The table has what is
/// left; where that is too little, all that it needs.
void LabCanvas::giveHeights()
{
    const int seen = m_scroll->viewport()->height(), between = m_grid->verticalSpacing();
    if (seen <= 0)
        return;
    const QMargins around = m_page->layout()->contentsMargins();
    const int above = around.top() + heightsOf({m_nothing, m_smoothing, m_legend}),
              spacing = m_page->layout()->spacing(),
              others = above + heightsOf({m_pictures, m_tours, m_packings}) + spacing + around.bottom();
    int named = 0;
    for (std::size_t i = 0; i < m_specs.size(); ++i)
        if (m_charts[i]->onScreen().legend == Legend::Below)
            named = std::max(named, static_cast<int>(m_charts[i]->spec().series.size()) / 2);  // two a line
    const int own = std::max(0, named - usualLegend) * legendLine, across = chartsAcross(),
              rows = (static_cast<int>(m_specs.size()) + across - 1) / across;
    const auto heightOfCharts = [&](int of) { return rows * (of + own) + std::max(0, rows - 1) * between; };
    const QSize natural = sizeOfCharts();
    const int least = std::min(static_cast<int>(leastShape * natural.width()), highEnough),
              room = (seen - others - m_table->leastHeight() - heightOfCharts(0)) / std::max(1, rows),
              whole = std::min(natural.height(), std::max(leastChart, seen - above - own - between)),
              height = room >= least ? std::min(whole, room) : whole;
    for (ChartView* chart : m_charts)
        chart->setFixedHeight(height + own);
    const int all = m_table->wholeHeight(), left = seen - others - heightOfCharts(height);
    m_table->setFixedHeight(left >= std::min(all, m_table->leastHeight()) ? std::min(all, left) : all);
    showTablePart();
}

void LabCanvas::showTablePart()
{
    const int top = m_scroll->verticalScrollBar()->value() - m_table->y();
    m_table->showPart(top, m_scroll->viewport()->height());
    setWholeAtTop(*m_scroll, m_table->hasHeadingAt(top));
}

bool LabCanvas::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_scroll->viewport() && event->type() == QEvent::Resize)
        arrange();
    else if (watched == m_table && event->type() == QEvent::Move)
        showTablePart();
    else if (watched == m_legend && event->type() == QEvent::Resize)
        giveHeights();
    else if (watched == m_legend && event->type() == QEvent::MouseButtonPress && !m_inFront.empty()) {
        const int style = styleOfLabel(m_named, m_pointed);
        if (style >= 0 && (!m_inFront.contains(style) || m_inFront.size() > 1)) {
            m_inFront.contains(style) ? void(m_inFront.erase(style)) : void(m_inFront.insert(style));
            showLines();
        }
    }
    return QWidget::eventFilter(watched, event);
}

void LabCanvas::invite(const Lab& lab, const LabRecord* recorded)
{
    show(lab, recorded ? std::vector<ShownRun>{{u"recorded"_s, recorded}} : std::vector<ShownRun>());
    const QString about = text(lab.about);
    m_nothing->setVisible(recorded);
    m_empty->setVisible(!recorded);
    m_start->setVisible(!recorded);
    if (recorded)
        m_nothing->setText(
            u"%1\nPress Start, or tick a run that was kept. Below is what the run found that comes with the program."_s
                .arg(about));
    await(lab, about + u"\n\n"_s);
    giveHeights();
}

/// In the middle of the page, what is not there yet.
void LabCanvas::await(const Lab& lab, const QString& before)
{
    m_emptyTitle->setText(text(lab.label));
    QString awaited = before + u"As the run goes on, here will come:"_s;
    for (const LabChart& chart : lab.charts)
        awaited += u"\n\u2022\u2002"_s + plainText(text(chart.title));
    m_emptyWords->setText(awaited + u"\n\u2022\u2002tables of the numbers"_s);
}

}  // namespace attnscope

#include "moc_lab_canvas.cpp"

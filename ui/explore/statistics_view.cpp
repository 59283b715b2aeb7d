#include "ui/explore/statistics_view.h"

#include "core/analysis/answer.h"
#include "core/analysis/scenario_words.h"
#include "core/base/text.h"
#include "core/statistics/measures.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/figure/counted_rows.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/line_swatch.h"
#include "ui/workbench/workbench.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int methodRole = Qt::UserRole + 1, styleRole = methodRole + 1;
namespace columns {
enum {
    Name,
    Entropy,
    Change,
    Kept,
    Reach,
    Deviation,
    Multiplier,
    Effective,
    AtTrained,
    Largest,
    TopFour,
    Divergence,
    Variation,
    Information
};
}

constexpr int usualRow = 24, leastRow = 19;  // pixels: four methods have room below the charts

constexpr int digits[] = {0, 4, 3, 4, 2, 2, 4, 3, 4, 3, 3, 3, 3, 4};

/// What needs rows of attention, and what is told where there are none.
bool needsRows(int column)
{
    return column == columns::Deviation || (column >= columns::Largest && column <= columns::Information);
}
bool isSlow(int column) { return column == columns::Information || column == columns::Kept; }

/// To two digits: between points of a curve no more are known.
double roughly(double n)
{
    const double unit = std::pow(10, std::floor(std::log10(n)) - 1);
    return std::round(n / unit) * unit;
}

/// By column; none where there is no value.
std::vector<double> valuesOf(const Analysis& analysis, std::size_t which)
{
    const ComparedMethod numbers = comparedMethod(analysis, which);
    const MethodAnalysis& method = analysis.methods[which];
    return {noValue,
            numbers.entropy,
            numbers.entropy - numbers.atTrained,
            numbers.keeps,
            method.keeps ? roughly(method.keeps->n) : noValue,
            method.entropy.deviation.value_or(noValue),
            numbers.multiplier,
            effectiveKeys(numbers.entropy),
            numbers.atTrained,
            method.largestWeight.mean,
            method.top4Mass.mean,
            method.fromFirst ? method.fromFirst->kl : noValue,
            method.fromFirst ? method.fromFirst->variation : noValue,
            method.matrix ? method.matrix->mutualInformation : noValue};
}

}  // namespace

StatisticsView::StatisticsView(Workbench& bench, QWidget* parent)
    : ValueTable(
          u"Statistics of the ticked methods"_s,
          {{u"Method"_s, u"The ticked methods"_s},
           {u"H"_s, u"Entropy: mean over the rows that count, in nats: the list above the maps says which"_s},
           {u"H \u2212 H(N)"_s, u"How far the entropy at n is from that at the length trained at, of the same rows "
                                "under m = 1, in nats: 0 is kept. Sorted by its size"_s},
           {u"m for H(N)"_s, u"The multiplier that would give these rows the mean entropy that they have at N "
                             "(above 2 048 keys from 512 rows); a dash: none does"_s},
           {u"Kept to"_s,
            u"Beyond N, the first n at which the mean entropy is a tenth of H(N) off; it may come back later. Read "
            "off the exact line where there is one, else between the chart's points, which are of this draw: another "
            "may leave elsewhere. Beyond 1 024 tokens these are of some of the rows: one that is off by less than "
            "twice what their choice can do to the mean counts if the next is surely off. \u003E: kept so far at "
            "least, where the chart ends or is not sure. A dash: it is off at N, or the chart ends there"_s},
           {u"sd"_s,
            u"Standard deviation of H between the rows, in nats: how much they differ. They share their keys, so that "
            "it does not say how far the mean of another sequence would lie"_s,
            false, columns::Entropy},
           {u"m/\u03C4"_s, u"The multiplier of the last row's logits, over the temperature"_s},
           {u"e^H"_s, u"Effective tokens: how many keys a row attends to, as if evenly: e to the mean entropy"_s},
           {u"H at N"_s, u"Expected entropy at the length trained at, in nats: a method that keeps the entropy has "
                         "the same at n"_s},
           {u"Largest w"_s, u"Mean of the rows' largest weights"_s},
           {u"Top 4"_s, u"Mean weight of a row's four most attended keys together"_s},
           {u"KL"_s, u"Of the chosen row: Kullback-Leibler divergence from the first ticked method, in nats"_s},
           {u"TV"_s,
            u"Of the chosen row: total variation from the first ticked method, 0 (the same) to 1 (disjoint)"_s},
           {u"Mutual inf."_s,
            u"How much a row tells about the key it looks at: H of the mean row minus the mean H, in nats"_s}},
          parent),
      m_document(bench.document), m_pins(bench.pins), m_caption(new QWidget)
{
    Analyser& analyser = bench.analyser;
    Pointer& pointer = bench.pointer;
    buildCaption(analyser);
    setIconSize(swatchSize);
    letColumnsLeave(columns::Kept);
    verticalHeader()->setMinimumSectionSize(leastRow);
    verticalHeader()->setDefaultSectionSize(usualRow);
    setMouseTracking(true);
    connect(&analyser, &Analyser::arrived, this, [this](const AnalysisPtr& analysis) {
        const bool now = analysis->scenario.view.table || rowCount() != std::ssize(linesOf(analysis));
        m_shows.run([this, analysis] { show(analysis); }, now);
    });
    connect(&bench.pins, &Pins::changed, this, [this, &analyser] {
        if (analyser.current())
            m_shows.run([this, analysis = analyser.current()] { show(analysis); }, true);
    });
    connect(this, &ValueTable::sortForgotten, this, [this, &analyser] {
        if (analyser.current())
            m_shows.run([this, analysis = analyser.current()] { show(analysis); }, true);
    });
    connect(&pointer, &Pointer::moved, this, &StatisticsView::mark);
    connect(this, &QTableWidget::itemEntered, &pointer, [&pointer](const QTableWidgetItem* entered) {
        pointer.point({.method = entered->data(methodRole).toInt()});
    });
    connect(this, &ValueTable::pointerLeft, &pointer, &Pointer::leave);
}

void StatisticsView::buildCaption(Analyser& analyser)
{
    auto* rows = elidedCaption(u"The rows that the table is of"_s);
    QToolButton* more = toolButton({}, {});
    more->setProperty("quiet", true);
    more->setCheckable(true);
    more->hide();
    inRow(m_caption, {{rows, 1}, more}, 4);
    connect(&analyser, &Analyser::arrived, rows, [this, rows, more](const AnalysisPtr& analysis) {
        m_caption->setMinimumHeight(more->sizeHint().height());  // a button that goes moves no title
        rows->setText(!analysis->failed.empty()  ? u"nothing was computed"_s
                      : analysis->queryCount > 0 ? rowSetWords(analysis->scenario)
                                                 : QString());
    });
    const auto say = [this, more] {
        const QStringList left = columnsThatLeft();
        more->setVisible(more->isChecked() || !left.isEmpty());
        more->setText(more->isChecked() ? u"Fewer columns"_s : u"%1 more"_s.arg(left.size()));
        described(more, more->isChecked() ? u"Fewer columns"_s : u"%1 more columns"_s.arg(left.size()),
                  more->isChecked() ? u"Only the columns that there is room for"_s
                                    : u"Show them, and scroll sideways: %1"_s.arg(left.join(u", "_s)));
    };
    connect(this, &ValueTable::columnsLeft, more, say);
    connect(horizontalScrollBar(), &QScrollBar::rangeChanged, more, [this, more](int, int most) {
        if (most == 0 && !isColumnHidden(columns::Information))  // all of them have room now: there are none to leave
            more->setChecked(false);
    });
    connect(more, &QToolButton::toggled, this, [this, say](bool all) {
        letColumnsLeave(all ? 0 : columns::Kept);
        fitColumns();
        say();
    });
}

/// The line of the method that is pointed at in any view is tinted.
void StatisticsView::mark(const Pointed& at)
{
    for (int row = 0; row < rowCount(); ++row) {
        const bool pointed = at.method >= 0 && item(row, 0) && item(row, 0)->data(methodRole).toInt() == at.method;
        tintRow(row, pointed);
    }
}

/// What is shown in place of the present scenario, or is the same, hides its pin.
std::vector<StatisticsView::Line> StatisticsView::linesOf(const AnalysisPtr& present) const
{
    std::vector<Line> lines;
    const auto add = [&lines](const AnalysisPtr& of, int pin) {
        for (std::size_t method = 0; method < of->methods.size(); ++method)
            lines.push_back({of, method, pin});
    };
    add(present, 0);
    const auto& pins = m_pins.analyses();
    const int hidden = m_pins.flipped() >= 0 ? m_pins.flipped() : m_pins.current();
    for (int pin = 0; pin < std::ssize(pins); ++pin)
        if (const AnalysisPtr& of = pins[static_cast<std::size_t>(pin)]; of && pin != hidden)
            add(of, pin + 1);
    return lines;
}

void StatisticsView::show(const AnalysisPtr& present)
{
    setSortingEnabled(false);
    const bool theoryAlone = present->queryCount == 0;
    for (int column = columns::Entropy; column <= columns::Information; ++column)
        offerColumn(column, theoryAlone
                                ? !needsRows(column)
                                : column != columns::AtTrained && column != columns::Effective);  // the maps say e^H
    const int count = rowCount();
    const std::vector<Line> lines = linesOf(present);
    setRowCount(static_cast<int>(lines.size()));
    for (int row = 0; row < rowCount(); ++row)
        showLine(row, lines[static_cast<std::size_t>(row)], present->scenario);
    setSortingEnabled(true);
    if (count != rowCount()) {
        fitRows();
        updateGeometry();
        emit rowsCounted();
    }
    if (present->scenario.view.table || count != rowCount() || cutsNumbers())  // not at every step of a drag
        fitColumns();
}

void StatisticsView::showLine(int row, const Line& line, const Scenario& present)
{
    const Scenario& scenario = line.of->scenario;
    const MethodAnalysis& method = line.of->methods[line.method];
    const bool absent = !method.absent.empty();
    const int style = methodStyles(scenario.methods)[line.method];
    QString name = text(method.label), about = name + u'\n' + numbersIn(text(absent ? method.absent : method.worked));
    if (line.pin > 0) {
        name = u"Pin %1: %2"_s.arg(line.pin).arg(name);
        if (const QString rows = rowSetWords(scenario); rows != rowSetWords(present))
            name += u", "_s + rows;
        const std::string changed = joined(scenarioDifferences(m_document.scenario(), scenario), ", ");
        about =
            u"Pin %1: %2, %3\n"_s.arg(line.pin).arg(numbersIn(text(scenarioSubject(scenario))), rowSetWords(scenario)) +
            (changed.empty() ? QString() : u"From now to the pin: %1\n"_s.arg(numbersIn(text(changed)))) + about;
    }
    setWords(row, 0, name, LineSwatch::icon(style));
    setGroup(row, line.pin);
    for (int column = 0; column < columnCount(); ++column)
        cell(row, column)->setData(methodRole, line.pin > 0 ? -1 : static_cast<int>(line.method));
    item(row, 0)->setData(styleRole, style);
    item(row, 0)->setToolTip(Qt::convertFromPlainText(about, Qt::WhiteSpaceNormal));
    std::vector<double> values = valuesOf(*line.of, line.method);
    if (line.pin > 0)  // these are of one row, and a pin's is another
        values[columns::Divergence] = values[columns::Variation] = noValue;
    const double deviation = values[columns::Deviation];
    for (int column = columns::Entropy; column <= columns::Information; ++column)
        if (isSlow(column) && !scenario.view.table && line.of->queryCount > 0)
            setWords(row, column, u"\u2026"_s);  // still to come
        else if (column == columns::Change)
            setChange(row, column, absent ? noValue : values[static_cast<size_t>(column)], deviation);
        else if (column == columns::Entropy)
            setMeasured(row, column, absent ? noValue : values[static_cast<size_t>(column)], deviation);
        else if (column == columns::Reach && method.keeps && method.keeps->beyond)
            setBound(row, column, method.keeps->n);
        else
            setNumber(row, column, absent ? noValue : values[static_cast<size_t>(column)], digits[column]);
}

/// Three methods and the heading, below which the rest scrolls.
QSize StatisticsView::minimumSizeHint() const
{
    constexpr int most = 3;
    return {ValueTable::minimumSizeHint().width(), horizontalHeader()->sizeHint().height() +
                                                       std::clamp(rowCount(), 1, most) * usualRow +
                                                       horizontalScrollBar()->sizeHint().height() + 2 * frameWidth()};
}

int StatisticsView::heightOfRows() const
{
    return horizontalHeader()->sizeHint().height() + std::max(1, rowCount()) * usualRow + 2 * frameWidth();
}

/// No row is cut: closer together all of them fit, or as many as are whole share the height.
void StatisticsView::fitRows()
{
    const int room = viewport()->height(), count = std::max(1, rowCount()), whole = std::max(1, room / usualRow);
    verticalHeader()->setDefaultSectionSize(count * usualRow <= room   ? usualRow
                                            : count * leastRow <= room ? room / count
                                                                       : std::max(leastRow, room / whole));
}

void StatisticsView::resizeEvent(QResizeEvent* event)
{
    ValueTable::resizeEvent(event);
    fitRows();
}

/// The methods' swatches are drawn in colours of the theme.
void StatisticsView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        for (int row = 0; row < rowCount(); ++row)
            if (QTableWidgetItem* name = item(row, 0))
                name->setIcon(LineSwatch::icon(name->data(styleRole).toInt()));
    ValueTable::changeEvent(event);
}

}  // namespace attnscope

#include "moc_statistics_view.cpp"

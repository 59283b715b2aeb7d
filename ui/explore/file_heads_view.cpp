#include "ui/explore/file_heads_view.h"

#include "ui/explore/head_history.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/figure/counted_rows.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/when_seen.h"
#include "ui/workbench/document.h"
#include "ui/views/chart_view.h"
#include "ui/views/head_overview.h"
#include "ui/views/save_chart.h"
#include "ui/widgets/value_table.h"

#include <QComboBox>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {

enum HeadColumn { LayerColumn, HeadOfLayerColumn, KeepsColumn };
constexpr int placeRole = Qt::UserRole + 1;  // layer * heads + head

/// Of the columns from KeepsColumn on: what moves most first, then what a head is for.
std::vector<const HeadMeasure*> measuresOfTable()
{
    std::vector<const HeadMeasure*> all;
    for (const char* id : {"keeps", "slope", "entropy", "share"})
        all.push_back(&headMeasure(id));
    for (const HeadMeasure& measure : headMeasures())
        if (measure.role)
            all.push_back(&measure);
    return all;
}

std::vector<ValueTable::Column> columnsOfTable()
{
    std::vector<ValueTable::Column> columns{{u"Layer"_s, u"The pair of tensors, in the order of the file"_s},
                                            {u"Head"_s, u"A click looks at it"_s}};
    for (const HeadMeasure* measure : measuresOfTable())
        columns.push_back({text(measure->heading), text(measure->about)});
    return columns;
}

/// In a column that is called so: "layer 2" is 2.
QString numberOfLayer(const QString& name)
{
    static const QString layer = u"layer "_s;
    bool isNumber = false;
    (void)name.mid(layer.size()).toInt(&isNumber);
    return name.startsWith(layer) && isNumber ? name.mid(layer.size()) : name;
}

constexpr int leastWidth = 160;

}  // namespace

FileHeadsView::FileHeadsView(Document& document, FileOffers& offers, QWidget* parent)
    : QWidget(parent), m_document(document), m_offers(offers), m_heads(document, offers),
      m_measure(described(new ElidedList, u"Heads by"_s, u"What colours the heads"_s)),
      m_longer(described(new QPushButton, u"A longer n"_s, u"To a length at which the multipliers tell something"_s)),
      m_said(elidedCaption(u"The head under the pointer"_s)), m_parts(new QSplitter), m_overview(new HeadOverview),
      m_side(new QStackedWidget), m_table(new ValueTable(u"Every head of the file"_s, columnsOfTable())),
      m_lines(new ChartView),
      m_overTime(
          toolButton(u"Over time"_s,
                     u"Every head at each file of its run (files, or folders, whose names differ in a number), or "
                     "at each writing of a file that was written again while this was open"_s,
                     u"Heads over time"_s))
{
    for (const HeadMeasure& one : headMeasures())
        addItem(*m_measure, text(one.label), QString::fromLatin1(one.id), text(one.about));
    m_parts->setChildrenCollapsible(false);
    m_parts->setMinimumWidth(leastWidth);  // whichever way they stand
    m_parts->addWidget(m_overview);
    m_side->addWidget(m_table);
    m_side->addWidget(m_lines);
    m_parts->addWidget(m_side);
    m_lines->setAccessibleName(u"Heads over time"_s);
    m_lines->setAccessibleDescription(
        u"A line a head; the strong one is chosen. A click on a line chooses another, and of a run the nearest file"_s);
    m_overTime->setProperty("framed", true);
    m_overTime->setCheckable(true);
    m_overTime->hide();
    offerSaving(*m_lines, u"heads over time"_s);
    m_parts->setStretchFactor(0, 1);
    m_parts->setStretchFactor(1, 1);
    inColumn(this, {inRow({m_measure, m_overTime, stretch(), m_longer}, 8), {m_parts, 1}}, 4, {14, 0, 14, 8});
    setFocusProxy(m_overview);
    m_overview->setToolTip(
        u"Every head of the file: a row a layer, a column a head. A click or the arrow keys choose one"_s);
    m_table->sortByColumn(KeepsColumn, Qt::DescendingOrder);

    connect(&m_heads, &FileHeads::changed, this, [this] {
        show();
        m_table->scrollToTop();  // not to the chosen head: the one whose entropy moves most is in sight
    });
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this] { say({}); });
    auto* showsChosen = new WhenSeen(this, [this] { showChosen(); });
    auto* showsAll = new WhenSeen(this, [this] { show(); });
    connect(&document, &Document::changed, showsChosen, [showsChosen] { (*showsChosen)(); });
    connect(&document, &Document::lookChanged, showsAll, [showsAll] { (*showsAll)(); });
    connect(m_measure, &QComboBox::activated, this, [this](int at) {
        m_document.editLook([&](Look& look) { look.headsBy = m_measure->itemData(at).toString().toStdString(); });
    });
    connect(m_overview, &HeadOverview::chosen, this, [this](int layer, int head) { choose(layer, head); });
    connect(m_overview, &HeadOverview::pointed, this, &FileHeadsView::say);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, [this] {
        const QList<QTableWidgetItem*> chosen = m_table->selectedItems();
        if (m_showing || chosen.isEmpty())
            return;
        const QPoint place = m_table->item(chosen.front()->row(), LayerColumn)->data(placeRole).toPoint();
        choose(place.x(), place.y());
    });
    connect(m_overTime, &QToolButton::toggled, this, [this](bool on) {
        m_heads.setOverTime(on);
        showLines();
        m_side->setCurrentWidget(on ? static_cast<QWidget*>(m_lines) : m_table);
        m_shared = {};
        shareRoom();
        say({});
    });
    connect(m_lines, &ChartView::clicked, this, [this](QPointF at, const std::optional<ChartHit>& hit) {
        const bool line = hit && hit->series < std::ssize(m_headOfLine);
        const QPoint head = line ? m_headOfLine[static_cast<std::size_t>(hit->series)] : m_chosen;
        if (line || m_heads.isOfRun())
            choose(head.x(), head.y(), fileNearTo(at.x()));
    });
    connect(m_longer, &QPushButton::clicked, this, [this] {
        if (const std::optional<BeyondTrained> longer = longerLength())
            m_document.editOnce(u"Length n"_s, [&](Scenario& scenario) {
                scenario.n = longer->n;
                scenario.nTrain = longer->nTrain;
            });
    });
    show();
}

void FileHeadsView::rankBy(const HeadMeasure& measure)
{
    m_document.editLook([&](Look& look) { look.headsBy = measure.id; });
    const auto all = measuresOfTable();
    const auto column = std::ranges::find(all, &measure) - all.begin();
    const int at = KeepsColumn + static_cast<int>(column);
    m_table->sortByColumn(at, Qt::DescendingOrder);
    m_table->scrollTo(m_table->model()->index(0, at));
}

QString FileHeadsView::said() const { return m_said->text(); }

QWidget* FileHeadsView::caption() const { return m_said; }

void FileHeadsView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_heads.setActive(true);
}

/// The grid and the table beside each other, or where that is narrow the one above the other.
void FileHeadsView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_parts->setOrientation(width() > 1.4 * height() ? Qt::Horizontal : Qt::Vertical);
    shareRoom();
}

/// One above the other the cells come first: as high as they are wanted, and without a table where that has no room.
/// Side by side they are as wide as they are wanted, and the table has the rest.
void FileHeadsView::shareRoom()
{
    constexpr int leastTable = 84;  // its heading and two rows
    constexpr int leastBoth = 320;  // side by side
    const bool above = m_parts->orientation() == Qt::Vertical;
    const QSize asked(above ? 0 : m_overview->wideHint(),
                      above ? std::min(m_parts->height(), m_overview->sizeHint().height()) : 0);
    if (std::exchange(m_shared, std::pair(m_parts->size(), asked)) == std::pair(m_parts->size(), asked))
        return;  // and what somebody has dragged stays
    const int left = m_parts->height() - asked.height() - m_parts->handleWidth();
    const bool lines = m_overTime->isChecked(),  // they come first
        both = above ? left >= leastTable : m_parts->width() >= leastBoth;
    m_side->setVisible(lines || both);
    m_overview->setVisible(!lines || both);
    if (above)
        m_parts->setSizes({asked.height(), std::max(0, left)});
    else if (const int wide = std::min(m_overview->wideHint(), m_parts->width() / 2); wide > 0)
        m_parts->setSizes({wide, m_parts->width() - m_parts->handleWidth() - wide});
    say({});
}

void FileHeadsView::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_heads.setActive(false);
}

std::optional<BeyondTrained> FileHeadsView::longerLength() const
{
    const OfferedFilePtr& file = m_offers.current();
    return file && !file->offers.empty() ? beyondTrained(m_document.scenario(), file->offers.front().sizes.keys)
                                         : std::nullopt;
}

void FileHeadsView::choose(int layer, int head, const std::string& path)
{
    const OfferedFilePtr& file = m_offers.current();
    const int offer = m_heads.offerOf(layer);
    if (!file || offer < 0 || offer >= std::ssize(file->offers))
        return;
    Scenario next = m_document.scenario();
    if (offerOf(*file, next.tensors) != offer)
        next = scenarioFor(std::move(next), *file, static_cast<std::size_t>(offer));
    next.n = m_document.scenario().n;
    next.tensors.head = head;
    next.tensors.mean.clear();
    if (!path.empty())
        next.tensors.path = path;
    m_document.replaceOnce(u"Head"_s, std::move(next));
}

void FileHeadsView::show()
{
    const HeadMeasure& measure = headMeasure(m_document.look().headsBy);
    m_measure->setCurrentIndex(m_measure->findData(QString::fromLatin1(measure.id)));
    m_overview->setValues(m_heads.values(measure), findColourMap(m_document.look().maps.colourMap).value_or(nullptr),
                          measure);
    m_overview->setLayerNames(m_heads.names());
    showTable();
    shareRoom();
    showChosen();
}

void FileHeadsView::showTable()
{
    const QScopedValueRollback rollback(m_showing, true);
    m_table->setSortingEnabled(false);
    int count = 0;
    for (const auto& layer : m_heads.layers())
        count += static_cast<int>(layer.size());
    m_table->setRowCount(count);
    int row = 0;
    for (std::size_t layer = 0; layer < m_heads.layers().size(); ++layer)
        for (std::size_t head = 0; head < m_heads.layers()[layer].size(); ++head, ++row) {
            const HeadNumbers& numbers = m_heads.layers()[layer][head];
            m_table->setNumber(row, LayerColumn, double(layer), 6);  // by which it is sorted
            m_table->item(row, LayerColumn)->setText(numberOfLayer(m_heads.names().value(qsizetype(layer))));
            m_table->item(row, LayerColumn)
                ->setData(placeRole, QPoint(static_cast<int>(layer), static_cast<int>(head)));
            m_table->setNumber(row, HeadOfLayerColumn, double(head), 6);
            int column = KeepsColumn;
            for (const HeadMeasure* measure : measuresOfTable())
                m_table->setNumber(row, column++, measure->value(numbers).value_or(noValue),
                                   measure->role || measure->lengths > 1 ? 3 : 4);
        }
    m_table->setSortingEnabled(true);
    m_table->fitColumns();
}

bool FileHeadsView::showsTable() const { return !m_side->isHidden() && m_side->currentWidget() == m_table; }

void FileHeadsView::showLines()
{
    m_overTime->setVisible(m_heads.isOfRun() || m_heads.writings().size() > 1 || m_overTime->isChecked());
    if (!m_overTime->isChecked() || (m_heads.isOfRun() && m_heads.names().isEmpty()))  // its next file is being read
        return;
    const auto& methods = m_document.scenario().methods;
    HeadHistoryChart lines = chartOf(m_heads.writings(), headMeasure(m_document.look().headsBy), m_heads.names(),
                                     m_chosen, methods.empty() ? 0 : methodStyles(methods).front());
    m_headOfLine = std::move(lines.heads);
    const OfferedFilePtr& file = m_offers.current();
    for (std::size_t i = 0; file && i < m_heads.writings().size() && !lines.chart.series.empty(); ++i)
        if (m_heads.writings()[i].file.path == file->file.path())
            lines.chart.lines.push_back({.at = lines.chart.series.front().points[i].x, .label = u"here"_s});
    m_lines->show(std::move(lines.chart));
}

void FileHeadsView::showChosen()
{
    const QScopedValueRollback rollback(m_showing, true);
    const OfferedFilePtr& file = m_offers.current();
    const TensorSelection& tensors = m_document.scenario().tensors;
    const int layer = file ? m_heads.layerOf(offerOf(*file, tensors)) : -1;
    m_overview->setChosen(layer, tensors.head);
    const QPoint before = std::exchange(m_chosen, QPoint(layer, tensors.head));
    m_table->setAutoScroll(m_chosen != before);  // else nobody has chosen, and it keeps its place
    for (int row = 0; row < m_table->rowCount(); ++row)
        if (m_table->item(row, LayerColumn)->data(placeRole).toPoint() == m_chosen)
            m_table->selectRow(row);
    m_table->setAutoScroll(true);
    showLines();
    const std::optional<BeyondTrained> longer = longerLength();
    m_longer->setVisible(longer.has_value());
    if (longer) {
        const auto [words, about] = offerOf(*longer, m_document.scenario());
        m_longer->setText(words);
        m_longer->setToolTip(about);
    }
    say({});
}

/// Of the run, in the chart; empty: it is of none.
std::string FileHeadsView::fileNearTo(double x) const
{
    const ChartSpec& chart = m_lines->spec();
    const auto& writings = m_heads.writings();
    if (!m_heads.isOfRun() || writings.empty() || chart.series.empty() ||
        chart.series.front().points.size() != writings.size())
        return {};
    const auto& points = chart.series.front().points;
    const auto nearest =
        std::ranges::min_element(points, {}, [x](const ChartPoint& point) { return std::abs(point.x - x); });
    return writings[static_cast<std::size_t>(nearest - points.begin())].file.path;
}

/// How far it is read.
QString FileHeadsView::ofRun() const
{
    const int come = m_heads.filesToCome(), without = m_heads.filesWithout();
    const auto read = static_cast<int>(m_heads.writings().size());
    QString words = come > 0 ? u"%1 of %2 files of its run"_s.arg(read).arg(read + come + without)
                             : u"%1 files of its run"_s.arg(read);
    if (without > 0)
        words += u"; %1 without these heads at n = %2"_s.arg(without).arg(countText(double(m_document.scenario().n)));
    return words + u", "_s + rowSetWords(m_document.scenario());
}

void FileHeadsView::say(const QString& pointed)
{
    const Scenario& now = m_document.scenario();
    const QString rows = rowSetWords(now),
                  worstFirst = u"The head whose entropy moves most stands first (%1)"_s.arg(rows);
    m_said->setText(!pointed.isEmpty()           ? pointed
                    : !m_heads.error().isEmpty() ? m_heads.error()
                    : double(now.n) <= now.nTrain
                        ? u"n \u2264 N = %1: the multipliers say nothing yet"_s.arg(countText(now.nTrain))
                    : !m_heads.isComplete()                        ? u"Computing layer after layer"_s
                    : m_overTime->isChecked() && m_heads.isOfRun() ? ofRun()
                    : m_overTime->isChecked() && m_heads.writings().size() < 2
                        ? u"Begins anew, at n = %1"_s.arg(countText(double(now.n)))
                    : showsTable() && m_table->horizontalHeader()->sortIndicatorSection() == KeepsColumn &&
                            m_table->horizontalHeader()->sortIndicatorOrder() == Qt::DescendingOrder
                        ? worstFirst
                        : rows);
    m_said->setShortTexts(m_said->text() == worstFirst                 ? QStringList{rows + u", worst first"_s, rows}
                          : !pointed.isEmpty()                         ? QStringList{pointed.section(u": "_s, 1)}
                          : m_said->text().startsWith(u"n \u2264 N"_s) ? QStringList{m_said->text().section(u':', 0, 0)}
                                                                       : QStringList());
}

}  // namespace attnscope

#include "moc_file_heads_view.cpp"

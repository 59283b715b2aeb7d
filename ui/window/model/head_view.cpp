#include "ui/window/model/head_view.h"

#include "core/attention/row_detail.h"
#include "core/rows/rows.h"
#include "ui/figure/map_pictures.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/window/controls/building.h"
#include "ui/window/controls/elided.h"
#include "ui/window/controls/when_seen.h"
#include "ui/window/views/heatmap_plot.h"
#include "ui/window/views/map_loupe.h"
#include "ui/window/views/region_motion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

namespace {

constexpr std::int64_t mostReadAtOnce = 1 << 23;  // products of a row: a few milliseconds
constexpr size_t keysInWords = 4;

QString weightInWords(double weight)
{
    return weight >= 0.0095 ? QString::number(weight, 'f', 2) : QString::number(weight, 'g', 1);
}

QString quoted(const Analysis& analysis, std::int64_t index)
{
    const bool known = index >= 0 && index < std::ssize(analysis.tokens);
    return QStringLiteral("\u2018%1\u2019")
        .arg(known ? QString::fromStdString(analysis.tokens[static_cast<size_t>(index)]) : QString::number(index));
}

/// A weight a cell, of rows that can be read at once; those that cannot are blank.
PooledMap cellsOf(const PreparedHead& head, const Region& region, std::int64_t row, RowDetail& pointed)
{
    PooledMap map{.region = region,
                  .rows = static_cast<int>(region.rowEnd - region.rowBegin),
                  .columns = static_cast<int>(region.columnEnd - region.columnBegin),
                  .values = {}};
    map.values.assign(static_cast<size_t>(map.rows * map.columns), 0);
    const std::int64_t products = head.head.keyCount * std::max<std::int64_t>(1, head.head.query.cols());
    for (std::int64_t i = region.rowBegin; i < region.rowEnd; ++i) {
        if (products * (i == row ? 1 : map.rows) > mostReadAtOnce)
            continue;
        const auto detail = rowDetail(head.head, head.normaliser, i, head.head.keyCount,
                                      static_cast<double>(head.scale[static_cast<size_t>(i)]));
        if (!detail)
            continue;
        for (size_t k = 0; k < detail->keys.size(); ++k)
            if (detail->keys[k] >= region.columnBegin && detail->keys[k] < region.columnEnd)
                map.values[static_cast<size_t>((i - region.rowBegin) * map.columns + detail->keys[k] -
                                               region.columnBegin)] = static_cast<float>(detail->weights[k]);
        if (i == row)
            pointed = *detail;
    }
    return map;
}

}  // namespace

QString rowInWords(const Analysis& analysis, const PreparedHead& head, std::int64_t row, std::int64_t key)
{
    if (row < 0 || row >= head.head.queryCount() ||
        head.head.keyCount * std::max<std::int64_t>(1, head.head.query.cols()) > mostReadAtOnce)
        return {};
    const auto detail = rowDetail(head.head, head.normaliser, row, head.head.keyCount,
                                  static_cast<double>(head.scale[static_cast<size_t>(row)]));
    if (!detail || detail->keys.empty())
        return {};
    const QString query = QStringLiteral("%1 %2").arg(quoted(analysis, row), QObject::tr("(%1)").arg(row));
    if (key >= 0) {
        const auto found = std::lower_bound(detail->keys.begin(), detail->keys.end(), key);
        if (found == detail->keys.end() || *found != key)
            return HeadView::tr("%1 does not see %2 (%3)").arg(query, quoted(analysis, key)).arg(key);
        const double weight = detail->weights[static_cast<size_t>(found - detail->keys.begin())];
        return HeadView::tr("%1 looks at %2 (%3), %4")
            .arg(query, quoted(analysis, key))
            .arg(key)
            .arg(weightInWords(weight));
    }
    std::vector<size_t> order(detail->keys.size());
    std::iota(order.begin(), order.end(), size_t{0});
    const size_t count = std::min(keysInWords, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                      [&](size_t a, size_t b) { return detail->weights[a] > detail->weights[b]; });
    QStringList looked;
    for (size_t k = 0; k < count; ++k)
        looked << QStringLiteral("%1 %2").arg(quoted(analysis, detail->keys[order[k]]),
                                              weightInWords(detail->weights[order[k]]));
    return HeadView::tr("%1 looks at %2").arg(query, looked.join(QStringLiteral(", ")));
}

HeadView::HeadView(Document& document, ModelRunner& runner, QWidget* parent)
    : QWidget(parent), m_document(document), m_runner(runner), m_heading(elidedCaption()),
      m_explore(pushButton(tr("Explore it"), tr("Keeps the queries and keys of this window in a file of tensors and "
                                                "opens this head of it in Explore, with all of its views"))),
      m_plot(new HeatmapPlot), m_reading(new ElidedLabel), m_loupe(new MapLoupe(this))
{
    m_heading->setProperty("role", "pane");
    inColumn(this, {inRow({{m_heading, 1}, m_explore}), {m_plot, 1}, m_reading}, 4, {14, 0, 14, 8});
    m_reading->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_reading->setAccessibleDescription(tr("Which tokens the row looks at"));
    described(m_plot, tr("Attention of the head"),
              tr("Queries from top to bottom, keys from left to right. The wheel zooms, a drag pans, a double click "
                 "shows all; a click chooses a row"));
    connect(m_explore, &QPushButton::clicked, this, &HeadView::exploreAsked);
    auto* seen = new WhenSeen(this, [this] { show(); });
    connect(&runner, &ModelRunner::pictured, seen, [seen] { (*seen)(); });
    connect(&document, &Document::lookChanged, this, [this] {
        showRow();
        lookCloser(m_underAt);
    });
    m_teaches = m_plot->toolTip();
    connect(m_plot, &HeatmapPlot::pointed, this, [this](const Pointed& at, const QPointF&) {
        m_plot->setPointed(at);
        read(at);
        lookCloser(at);
    });
    connect(m_plot, &HeatmapPlot::left, this, [this] {
        m_plot->setPointed({});
        read({});
        lookCloser({});
    });
    const auto choose = [this](std::int64_t row) {
        const auto& analysis = m_runner.picture().analysis;
        if (analysis)
            m_document.editLook(
                [&](Look& look) { look.model.row = std::clamp<std::int64_t>(row, 0, analysis->queryCount - 1); });
    };
    connect(m_plot, &HeatmapPlot::rowChosen, this, choose);
    connect(m_plot, &HeatmapPlot::rowStepped, this,
            [this, choose](int by) { choose(std::max<std::int64_t>(0, m_document.look().model.row) + by); });
    const auto whole = [this] {
        return Region{0, m_runner.picture().analysis->queryCount, 0, m_runner.picture().analysis->keyCount};
    };
    const auto now = [this, whole] {
        const Region& asked = m_runner.region();
        return asked.rowEnd > asked.rowBegin ? asked : whole();
    };
    const auto go = [this, whole](const Region& region) {
        m_plot->setRegion(region);  // at once, from what is there; the cells follow
        m_runner.lookAt(region == whole() ? Region{} : region, m_plot->pixels());
    };
    connect(m_plot, &HeatmapPlot::zoomed, this, [this, now, go, whole](double factor, QPointF about) {
        if (m_runner.picture().analysis)
            go(zoomedRegion(now(), whole(), factor, about));
    });
    connect(m_plot, &HeatmapPlot::panned, this, [this, now, go, whole](QPointF by) {
        lookCloser({});  // the cells move with the pointer
        if (m_runner.picture().analysis)
            go(pannedRegion(now(), whole(), by));
    });
    connect(m_plot, &HeatmapPlot::doubleClicked, m_plot, &HeatmapPlot::fitted);
    connect(m_plot, &HeatmapPlot::fitted, this, [this, go, whole] {
        if (m_runner.picture().analysis)
            go(whole());
    });
    show();
}

MapLoupe* HeadView::loupe() const { return m_loupe; }

QString HeadView::reading() const { return m_reading->text(); }

void HeadView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layout()->activate();
    m_runner.lookAt(m_runner.region(), m_plot->pixels());  // more cells than pixels would never be seen
}

void HeadView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        show();
    QWidget::changeEvent(event);
}

void HeadView::show()
{
    const Picture& picture = m_runner.picture();
    m_explore->setEnabled(picture.heads != nullptr);
    m_plot->setVisible(picture.analysis != nullptr);
    if (!picture.analysis) {
        m_heading->setText(picture.error);
        m_reading->setText({});
        return;
    }
    const std::vector<RowSummary>& rows = picture.analysis->methods.front().rows;
    const double mean = entropyMean(rows).mean;
    m_heading->setText(tr("Layer %1, head %2, n = %3: all rows %4 nats, %5 keys")
                           .arg(picture.of.layer)
                           .arg(picture.of.head)
                           .arg(picture.of.n)
                           .arg(mean, 0, 'f', 2)
                           .arg(std::exp(mean), 0, 'f', 1));
    m_plot->setTokens(picture.analysis->tokens, picture.analysis->queryTokens);
    const std::vector<int> styles = methodStyles(m_document.scenario().methods);
    const int style = picture.of.method < std::ssize(styles) ? styles[static_cast<std::size_t>(picture.of.method)] : 0;
    m_plot->setData(*picture.analysis, 0, picture.pictures->methods.front(), style);
    const Region& asked = m_runner.region();
    m_plot->setRegion(
        asked.rowEnd > asked.rowBegin ? asked : Region{0, picture.analysis->queryCount, 0, picture.analysis->keyCount});
    m_row.reset();
    showRow();
}

/// The chosen one, and who it looks at.
void HeadView::showRow()
{
    const std::int64_t row = m_document.look().model.row;
    if (!m_runner.picture().analysis || row == m_row)
        return;
    m_row = row;
    m_plot->setChosenRow(row);
    read({});
}

void HeadView::lookCloser(const Pointed& at)
{
    m_underAt = at;
    if (!m_loupe)
        return;
    m_plot->setToolTip(m_document.look().maps.loupe ? QString() : m_teaches);
    const Picture& picture = m_runner.picture();
    const bool shown = m_document.look().maps.loupe && picture.analysis && picture.prepared && m_plot->isVisible() &&
                       at.row >= 0 && at.key >= 0 && at.row < picture.prepared->head.queryCount() &&
                       at.key < picture.prepared->head.keyCount;
    if (!shown)
        return m_loupe->hide();
    RowDetail row;
    LoupeReading reading{.at = at,
                         .cells = cellsOf(*picture.prepared,
                                          loupeRegion(at, picture.analysis->queryCount, picture.analysis->keyCount),
                                          at.row, row),
                         .scale = picture.pictures->scale,
                         .facts = {}};
    reading.facts = loupeFacts(at, picture.analysis->tokens, row.keys.empty() ? nullptr : &row);
    m_loupe->show(*m_plot, std::move(reading));
}

void HeadView::hideEvent(QHideEvent* event)
{
    lookCloser({});
    QWidget::hideEvent(event);
}

void HeadView::read(const Pointed& at)
{
    const Picture& picture = m_runner.picture();
    if (!picture.analysis || !picture.prepared)
        return m_reading->setText({});
    const std::int64_t row = at.row >= 0 ? at.row : m_document.look().model.row;
    m_reading->setText(row < 0 ? tr("Point at a cell, or click a row, to read who looks at whom")
                               : rowInWords(*picture.analysis, *picture.prepared, row, at.row >= 0 ? at.key : -1));
}

}  // namespace attnscope

#include "moc_head_view.cpp"

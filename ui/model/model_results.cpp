#include "ui/model/model_results.h"

#include "core/base/measured_text.h"
#include "core/analysis/model_answer.h"
#include "core/attention/positions.h"
#include "core/scaling/scale_method.h"
#include "ui/figure/labels.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/line_swatch.h"
#include "ui/widgets/when_seen.h"
#include "ui/widgets/theme.h"
#include "ui/views/chart_view.h"
#include "ui/views/save_chart.h"
#include "ui/widgets/value_table.h"

#include <QComboBox>
#include <QRegularExpression>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTextEdit>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace attnscope {

namespace {

constexpr double notThere = std::numeric_limits<double>::quiet_NaN();
enum ResultColumn {
    MethodColumn,
    PositionColumn,
    LengthColumn,
    QualityColumn,
    DifferenceColumn,
    ErrorColumn,
    AccuracyColumn,
    EntropyColumn
};

/// Of a text that is as long as its windows need; a file's is what it is.
const QString ofMadeTexts =
    u"There is as much of made-up stories and repeated tokens as the longest n of the list needs, and the windows of "
    "every n are spread over all of it: with another longest n they are other windows, and the numbers of every n are "
    "others too"_s;

QString plainMethod(const Choice& method) { return QString::fromStdString(describeChoice(scaleMethods(), method)); }

}  // namespace

ModelResults::ModelResults(Document& document, ModelRunner& runner, QWidget* parent)
    : QWidget(parent), m_document(document), m_runner(runner),
      m_measure(described(new ElidedList, u"Quality as"_s,
                          u"Perplexity on a log axis, or its logarithm, the loss in nats"_s)),
      m_windows(elidedCaption(u"Of which windows the quality is"_s)), m_quality(new ChartView), m_places(new ChartView),
      m_tabs(new QTabWidget),
      m_table(new ValueTable(
          u"Quality of the model"_s,
          {{u"Method"_s, u"The scale method inside the layers"_s},
           {u"Positions"_s, u"The position scheme"_s, true},
           {u"n"_s, u"Tokens of a window"_s},
           {u"Perplexity"_s, u"e to the mean loss of the predictions that count. Find the scale runs other windows, of "
                             "which all tokens count, so that its loss is another number. "_s +
                                 ofMadeTexts},
           {u"\u0394 nats"_s, u"Loss minus that of the first method, window by window, with its standard error: a "
                              "paired difference; below 0 is better"_s},
           {u"\u00B1 of loss"_s,
            u"Standard error of the loss itself over the windows, in nats; a dash: one window has none"_s},
           {u"Right (%)"_s, u"How often the likeliest token is the right one"_s},
           {u"Entropy (nats)"_s, u"Mean entropy of the rows that made these predictions, over layers and heads"_s}})),
      m_written(new QTextEdit)
{
    auto* split = new QSplitter(Qt::Vertical);
    split->setObjectName(u"model results"_s);
    split->setChildrenCollapsible(false);
    inColumn(this, {split}, usualSpacing, {0, 0, 0, 4});
    auto* upper = new QWidget;
    m_measure->addItem(u"Perplexity"_s, true);
    m_measure->addItem(u"Loss, nats"_s, false);
    QHBoxLayout* top = inRow({textLabel(u"Quality against length"_s, "pane"), {m_windows, 1}, m_measure}, 8);
    top->setContentsMargins(6, 0, 6, 0);
    inColumn(upper, {top, {m_quality, 1}}, 2, {8, 0, 8, 0});
    split->addWidget(upper);
    m_table->letColumnsLeave(4);  // down to the difference from the first method, which is what one reads
    m_tabs->tabBar()->setDrawBase(false);
    for (const auto& [page, title] : std::initializer_list<std::pair<QWidget*, QString>>{
             {m_places, u"By place"_s}, {m_table, u"Numbers"_s}, {m_written, u"What it writes"_s}}) {
        auto* inset = new QWidget;  // as the chart above, and the title: one left edge
        inColumn(inset, {{page, 1}}, 0, {8, 0, 8, 0});
        m_tabs->addTab(inset, title);
    }
    m_tabs->setTabToolTip(0, u"Quality against the place in the window of the chosen n: does more context help?"_s);
    m_tabs->setTabToolTip(1, u"Every number, with standard errors and paired differences"_s);
    m_tabs->setTabToolTip(2, u"The likeliest continuation of the first window under the chosen combination"_s);
    split->addWidget(m_tabs);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    m_quality->setNamesAtEnds(true);
    offerSaving(*m_quality, u"quality"_s);
    offerSaving(*m_places, u"quality_by_place"_s);
    m_quality->setAccessibleName(u"Quality against length"_s);
    m_places->setAccessibleName(u"Quality against the place in the window"_s);
    m_written->setReadOnly(true);
    m_written->setAccessibleName(u"What the model writes"_s);
    m_written->setFrameShape(QFrame::NoFrame);
    m_written->document()->setDocumentMargin(6);
    connect(m_measure, &QComboBox::activated, this, [this](int at) {
        m_document.editLook([&](Look& look) { look.model.perplexity = m_measure->itemData(at).toBool(); });
    });
    for (const auto& [widget, bring] :
         std::initializer_list<std::pair<QWidget*, std::function<void()>>>{{m_quality, [this] { showQuality(); }},
                                                                           {m_places, [this] { showPlaces(); }},
                                                                           {m_table, [this] { showTable(); }},
                                                                           {m_written, [this] { showWritten(); }}}) {
        auto* seen = new WhenSeen(widget, bring);
        const auto update = [seen] { (*seen)(); };
        connect(&runner, &ModelRunner::studied, seen, update);
        connect(&runner, &ModelRunner::opened, seen, update);
        connect(&runner, &ModelRunner::wrote, seen, update);
        connect(&document, &Document::lookChanged, seen, update);
        update();
    }
    m_quality->setAccessibleDescription(
        u"A click chooses the nearest length as the n of the heads, the map, the places and the "
        "text"_s);
    connect(m_quality, &ChartView::hovered, m_quality, [this] { m_quality->setCursor(Qt::PointingHandCursor); });
    connect(m_quality, &ChartView::clicked, this,
            [this](QPointF value, const std::optional<ChartHit>&) {  // the nearest length is looked at
                std::int64_t nearest = 0;
                for (const std::int64_t n : m_runner.lengths())
                    if (nearest == 0 || std::abs(std::log(static_cast<double>(n) / value.x())) <
                                            std::abs(std::log(static_cast<double>(nearest) / value.x())))
                        nearest = n;
                if (nearest > 0)
                    m_document.editLook([&](Look& look) { look.model.n = nearest; });
            });
}

std::vector<StudyLine> ModelResults::lines() const
{
    const auto& methods = m_document.scenario().methods;
    const std::vector<int> styles = methodStyles(methods);
    std::vector<StudyLine> all;
    const ShownHead a = m_runner.shown();
    const auto b = m_runner.beside();
    const auto& positions = m_document.look().model.positions;
    for (size_t policy = 0; policy < m_runner.request().policies.size() && !methods.empty(); ++policy) {
        const size_t method = policy % methods.size(), position = policy / methods.size();
        const QString label = methodLabel(methods[method]);
        const bool chosen = static_cast<int>(position) == a.position, beside = b && policy == b->policy;
        const QString whole = position < positions.size() && positions.size() > 1
                                  ? u"%1, %2"_s.arg(label, m_runner.positionLabel(positions[position]))
                                  : label;
        all.push_back(
            {beside && !chosen ? whole : label, styles[method], !chosen && !beside, whole, beside && !chosen});
    }
    return all;
}

/// With no model nothing of this is on the screen.
void ModelResults::showQuality()
{
    if (!m_runner.model())
        return;
    const bool perplexity = m_document.look().model.perplexity;
    m_measure->setCurrentIndex(perplexity ? 0 : 1);
    m_measure->setVisible(m_runner.model()->head.outputs() > 0);  // else there is no loss to choose a measure of
    const auto study = m_runner.study();
    const auto trained = static_cast<double>(m_runner.model()->architecture.trainLength);
    const QString windows = study ? text(scoredInWords(study->cells)) : QString();
    m_windows->setText(windows);
    m_windows->setShortTexts({QString(windows).remove(u" tokens"_s), windows.section(u" of "_s, -1)});
    m_windows->setToolTip(isMade(m_document.look().model.text) ? ofMadeTexts : QString());
    ChartSpec quality = qualityChart(study ? study->cells : std::vector<StudyCell>(), lines(), perplexity, trained);
    const auto n = static_cast<double>(m_runner.shown().n);
    if (n > 0 && n != trained && !quality.series.empty())
        quality.lines.push_back({Qt::Vertical, n, u"$n$"_s, true});
    m_quality->show(std::move(quality));
}

void ModelResults::showPlaces()
{
    if (!m_runner.model())
        return;
    const auto study = m_runner.study();
    const std::vector<StudyCell> cells = study ? study->cells : std::vector<StudyCell>();
    const auto trained = static_cast<double>(m_runner.model()->architecture.trainLength);
    const ShownHead a = m_runner.shown();
    if (const auto b = m_runner.beside(); b && !m_document.look().model.captured)
        return m_places->show(differenceChart(cells, lines(), a.n, a.policy, b->policy, trained));
    m_places->show(placeChart(cells, lines(), a.n, m_document.look().model.perplexity, trained));
}

void ModelResults::showTable()
{
    if (!m_runner.model())
        return;
    const auto study = m_runner.study();
    const auto& methods = m_document.scenario().methods;
    const ModelLook& look = m_document.look().model;
    m_table->setSortingEnabled(false);
    m_table->setRowCount(study && !methods.empty() ? static_cast<int>(study->cells.size()) : 0);
    const std::vector<int> styles = methodStyles(methods);
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const StudyCell& cell = study->cells[static_cast<size_t>(row)];
        const size_t method = cell.policy % methods.size(), position = cell.policy / methods.size();
        const auto quality = cell.quality();
        m_table->setWords(row, MethodColumn, plainMethod(methods[method]), LineSwatch::icon(styles[method]));
        m_table->setWords(row, PositionColumn,
                          position < look.positions.size() ? m_runner.positionLabel(look.positions[position])
                                                           : QString());
        m_table->setNumber(row, LengthColumn, static_cast<double>(cell.n), 7);
        const double perplexity = quality ? std::exp(quality->loss) : notThere;
        m_table->setMeasured(row, QualityColumn, perplexity,
                             quality && quality->standardError ? perplexity * *quality->standardError : notThere);
        m_table->setNumber(row, ErrorColumn, quality && quality->standardError ? *quality->standardError : notThere, 2);
        const auto difference =
            method > 0 ? pairedDifference(cell, study->cells[static_cast<size_t>(row) - method]) : std::nullopt;
        double mean = notThere, error = notThere;
        if (difference) {
            mean = difference->mean;
            error = difference->standardError.value_or(notThere);
        }
        m_table->setWithError(row, DifferenceColumn, mean, error);
        m_table->setNumber(row, AccuracyColumn, quality ? 100 * quality->accuracy : notThere, 3);
        m_table->setNumber(row, EntropyColumn, quality ? quality->entropy : notThere, 3);
        for (int column = 0; column < m_table->columnCount(); ++column)
            m_table->cell(row, column)
                ->setToolTip(QString::fromStdString(cell.absent.empty() ? cell.partly : cell.absent));
    }
    m_table->offerColumn(PositionColumn, look.positions.size() > 1);  // of one it is the same in every row
    m_table->setSortingEnabled(true);
    m_table->fitColumns();
}

/// Both sides' texts, each after what the window ends with; of two the words that both begin with stand out less.
void ModelResults::showWritten()
{
    const Theme& theme = currentTheme();
    QString page;
    if (m_runner.model() && !m_document.scenario().methods.empty()) {
        const bool captured = m_document.look().model.captured;  // the model itself writes, whatever is looked at
        const auto b = captured ? std::nullopt : m_runner.beside();
        const QString text = m_runner.written().text, other = b ? m_runner.written(Side::B).text : QString();
        const qsizetype alike =
            std::distance(text.begin(), std::mismatch(text.begin(), text.end(), other.begin(), other.end()).first);
        const auto paragraphOf = [&](Side side, const ShownHead& of) {
            const Written& written = m_runner.written(side);
            if (written.tokens == 0) {
                QString why = m_runner.nothingWritten(side).toHtmlEscaped();
                why.replace(0, 1, why.left(1).toUpper());
                if (const QString said = u"<p>%1</p>"_s.arg(why); !page.endsWith(said))  // of both sides once
                    page += said;
                return;
            }
            const QString name = captured ? u"the published model, as captured"_s : m_runner.combinationLabel(of);
            const QString how =
                captured
                    ? u"After %1 tokens, %2: the likeliest next ones."_s.arg(countText(double(written.after)),
                                                                             name.toHtmlEscaped())
                    : u"After %1 tokens, %2, its scale that of the whole text, n = %3: the likeliest next ones."_s.arg(
                          countText(double(written.after)), name.toHtmlEscaped(),
                          countText(double(written.after + written.tokens)));
            const QString said = !b ? how : side == Side::A ? u"A. %1"_s.arg(how) : u"B. %1"_s.arg(how);
            page += u"<p style='color:%1'>%2</p>"_s.arg(theme.muted.name(), unbroken(said));
            QString before = written.before;
            before.remove(QRegularExpression(u"^[.\\s]+(?=.)"_s));  // no dots after those of what is left out
            page += u"<p><span style='color:%1'>\u2026%2</span>%3<b>%4</b></p>"_s.arg(
                theme.muted.name(), before.toHtmlEscaped(), written.text.left(alike).toHtmlEscaped(),
                written.text.mid(alike).toHtmlEscaped());
        };
        paragraphOf(Side::A, m_runner.shown());
        if (b)
            paragraphOf(Side::B, *b);
        if (b && !text.isEmpty() && text == other)
            page += u"<p style='color:%1'>%2</p>"_s.arg(theme.muted.name(), u"Both write the same."_s);
    }
    if (page != std::exchange(m_page, page))  // else what is selected there stays, and where it was scrolled to
        m_written->setHtml(page);
}

/// Swatches and muted words have the colours of the ground.
void ModelResults::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        showTable();
        showWritten();
    }
    QWidget::changeEvent(event);
}

}  // namespace attnscope

#include "moc_model_results.cpp"

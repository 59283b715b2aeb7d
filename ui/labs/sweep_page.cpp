#include "ui/labs/sweep_page.h"

#include "ui/figure/sweep_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/views/chart_view.h"
#include "ui/views/save_chart.h"
#include "ui/widgets/series_legend.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QProgressBar>
#include <QSignalBlocker>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int lookEvery = 1000;  // ms
const QString noColumn = u""_s;

/// How many charts stand side by side.
int columnsFor(std::size_t charts) { return charts <= 1 ? 1 : charts <= 4 ? 2 : 3; }

}  // namespace

SweepPage::SweepPage(const QString& folder, QWidget* parent)
    : QWidget(parent), m_folder(folder), m_side(new QWidget), m_name(paragraph("title")), m_state(paragraph("caption")),
      m_words(paragraph("caption")), m_nothing(paragraph("caption")), m_bar(new QProgressBar), m_x(new ElidedList),
      m_y(new ElidedList), m_colour(new ElidedList), m_facet(new ElidedList),
      m_logX(new QCheckBox(u"x is logarithmic"_s)), m_logY(new QCheckBox(u"y is logarithmic"_s)),
      m_close(pushButton(u"Close the sweep"_s, u"Takes it out of this list; its folder stays as it is"_s)),
      m_legend(new SeriesLegend), m_grid(new QGridLayout), m_job([this](Made made) { take(std::move(made)); },
                                                                 [](const Error& error) {
                                                                     return Made{nullptr, {}, {}, {}, error.message};
                                                                 })
{
    buildSide();
    inColumn(this, {m_words, m_legend, {m_grid, 1}, {m_nothing, 1}}, 8, {4, 0, 8, 4});
    m_nothing->setAlignment(Qt::AlignCenter);
    m_words->setAccessibleDescription(u"What the points average"_s);
    connect(&m_clock, &QTimer::timeout, this, &SweepPage::look);
    showState();
}

void SweepPage::buildSide()
{
    m_name->setText(QFileInfo(m_folder).fileName());
    m_name->setToolTip(m_folder);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(4);
    m_bar->setAccessibleName(u"Progress of the sweep"_s);
    keepPlace(*m_bar);
    for (QComboBox* list : {m_x, m_y, m_colour, m_facet})
        connect(list, &QComboBox::activated, this, &SweepPage::chooseFromLists);
    for (QCheckBox* box : {m_logX, m_logY}) {
        described(box, box->text(), u"Where all of its numbers are above 0"_s);
        connect(box, &QCheckBox::clicked, this, [this] {
            m_logChosen = true;
            showCharts();
        });
    }
    inColumn(
        m_side,
        {m_name,
         m_state,
         m_bar,
         captionedLine(u"Across, x"_s, m_x, u"The column that stands across"_s),
         captionedLine(u"Up, y"_s, m_y,
                       u"The column of numbers that stands up: the mean of all rows that agree in the other three"_s),
         captionedLine(u"Colour"_s, m_colour, u"A line for each value of this column"_s),
         captionedLine(u"Facets"_s, m_facet, u"A chart for each value of this column, nine at most"_s),
         m_logX,
         m_logY,
         stretch(),
         {m_close, 0, Qt::AlignLeft}},
        formSpacing);
    connect(m_close, &QPushButton::clicked, this, &SweepPage::closeAsked);
}

QComboBox& SweepPage::list(const char* which)
{
    const std::string_view name = which;
    return name == "x" ? *m_x : name == "y" ? *m_y : name == "colour" ? *m_colour : *m_facet;
}

SweepPage::Stamps SweepPage::stamps() const
{
    Stamps all;
    const char* names[] = {sweepSpecName, sweepJournalName, sweepRowsName};
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = stampOf((m_folder + QLatin1Char('/') + QLatin1String(names[i])).toStdString());
    return all;
}

void SweepPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_clock.start(lookEvery);
    look();
}

void SweepPage::hideEvent(QHideEvent* event)
{
    m_clock.stop();
    QWidget::hideEvent(event);
}

void SweepPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        m_legend->update();
    QWidget::changeEvent(event);
}

void SweepPage::look()
{
    if (const Stamps now = stamps(); now != m_seen) {
        m_seen = now;
        startJob(true);
    }
}

void SweepPage::setChoice(const SweepChoice& choice)
{
    m_chosen = true;
    if (m_choice.x != choice.x || m_choice.y != choice.y)
        m_logChosen = false;
    m_choice = choice;
    startJob(false);
}

void SweepPage::chooseFromLists()
{
    const auto chosen = [](const QComboBox* list) { return list->currentData().toString().toStdString(); };
    setChoice({chosen(m_x), chosen(m_y), chosen(m_colour), chosen(m_facet)});
}

void SweepPage::startJob(bool readAgain)
{
    m_settled = false;
    m_readsAgain = m_readsAgain || readAgain;  // until it has come: another job may take this one's place
    m_job.start([path = m_folder.toStdString(), known = m_readsAgain ? nullptr : m_made.folder, choice = m_choice,
                 chosen = m_chosen](std::stop_token stop, const auto& publish) {
        Made made{known, {}, choice, {}, {}};
        if (!known) {
            auto read = readSweepFolder(path);
            if (!read)
                return publish({nullptr, {}, choice, {}, read.error().message});
            made.folder = std::make_shared<const SweepFolder>(std::move(*read));
        }
        if (stop.stop_requested())
            return;
        made.columns = sweepColumns(*made.folder);
        if (!chosen)
            made.choice = firstChoice(made.columns);
        if (made.folder->table.rows.empty())
            return publish(std::move(made));
        auto view = viewOf(*made.folder, made.choice);
        if (view)
            made.view = std::move(*view);
        else
            made.error = view.error().message;
        publish(std::move(made));
    });
}

void SweepPage::take(Made made)
{
    m_made = std::move(made);
    m_readsAgain = false;
    m_choice = m_made.choice;
    m_settled = true;
    listColumns();
    showState();
    showCharts();
    emit settled();
}

void SweepPage::listColumns()
{
    const auto fill = [&](QComboBox* list, const std::string& current, const QString& none, auto fits) {
        const QSignalBlocker blocker(list);
        list->clear();
        if (!none.isEmpty())
            list->addItem(none, noColumn);
        for (const SweepColumn& column : m_made.columns)
            if (!column.redundant && fits(column))
                list->addItem(sentence(columnWords(column.name)), text(column.name));
        list->setCurrentIndex(list->findData(text(current)));
    };
    const auto varies = [](const SweepColumn& column) { return column.values > 1; };
    fill(m_x, m_choice.x, {},
         [&](const SweepColumn& column) { return column.values > 0 && (varies(column) || column.name == m_choice.x); });
    fill(m_y, m_choice.y, {}, [](const SweepColumn& column) { return column.numbers > 0 && !column.taskNumber; });
    fill(m_colour, m_choice.colour, u"None"_s,
         [&](const SweepColumn& column) { return column.condition && varies(column); });
    fill(m_facet, m_choice.facet, u"None"_s,
         [&](const SweepColumn& column) { return column.condition && varies(column); });
}

void SweepPage::showState()
{
    const SweepFolder* folder = m_made.folder.get();
    m_bar->setVisible(folder && folder->tasks > folder->done);
    if (!folder)
        return m_state->setText(m_settled ? QString() : u"Reading\u2026"_s);
    m_bar->setRange(0, static_cast<int>(std::max<std::int64_t>(1, folder->tasks)));
    m_bar->setValue(static_cast<int>(folder->done + folder->failed));
    QStringList said;
    if (!folder->command.empty())
        said << u"attnscope %1"_s.arg(text(folder->command));
    if (folder->tasks > 0)
        said << (folder->done == folder->tasks ? u"all %1 tasks done"_s.arg(folder->tasks)
                                               : u"%1 of %2 tasks done"_s.arg(folder->done).arg(folder->tasks));
    said << u"%1 rows"_s.arg(countText(double(folder->table.rows.size())));
    QString words = said.join(u", "_s);
    if (folder->failed > 0)
        words += QLatin1Char('\n') + u"%1 failed; %2"_s.arg(folder->failed).arg(text(folder->firstError));
    m_state->setText(words);
}

void SweepPage::showCharts()
{
    if (!m_logChosen)
        m_logX->setChecked(spansOctaves(m_made.view));
    const bool wrong = !m_made.error.empty(), empty = m_made.view.facets.empty();
    const std::vector<ChartSpec> specs =
        wrong || empty ? std::vector<ChartSpec>()
                       : sweepCharts(m_made.view, m_choice, m_logX->isChecked(), m_logY->isChecked());
    const int across = columnsFor(specs.size());
    while (m_charts.size() < specs.size()) {
        m_charts.push_back(new ChartView(this));
        m_charts.back()->setNamesAtEnds(true);
        offerSaving(*m_charts.back(), u"sweep_%1"_s.arg(m_charts.size()));
    }
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        m_charts[i]->setVisible(i < specs.size());
        m_grid->removeWidget(m_charts[i]);
        if (i >= specs.size())
            continue;
        m_grid->addWidget(m_charts[i], static_cast<int>(i) / across, static_cast<int>(i) % across);
        m_charts[i]->setAccessibleName(specs[i].title.isEmpty() ? u"Chart of the sweep"_s : specs[i].title);
        m_charts[i]->show(specs[i]);
    }
    m_legend->show(specs.size() > 1 && !m_choice.colour.empty() ? specs.front().series : std::vector<ChartSeries>());
    m_words->setVisible(!specs.empty());
    m_words->setText(specs.empty() ? QString() : sweepWords(m_made.view, m_choice));
    m_nothing->setVisible(specs.empty());
    m_nothing->setProperty("kind", wrong ? "error" : "");
    m_nothing->setText(wrong       ? text(m_made.error)
                       : m_settled ? u"No task has ended with rows yet. They appear here as they come."_s
                                   : u"Reading\u2026"_s);
}

std::vector<ChartView*> SweepPage::charts() const
{
    std::vector<ChartView*> shown;
    std::ranges::copy_if(m_charts, std::back_inserter(shown),
                         [](const ChartView* chart) { return !chart->isHidden(); });
    return shown;
}

QString SweepPage::words() const { return m_nothing->isHidden() ? m_words->text() : m_nothing->text(); }
QString SweepPage::state() const { return m_state->text(); }

}  // namespace attnscope

#include "moc_sweep_page.cpp"

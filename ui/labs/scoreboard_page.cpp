#include "ui/labs/scoreboard_page.h"

#include "ui/figure/figure.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/labs/board_view.h"
#include "ui/labs/board_words.h"
#include "ui/views/chart_view.h"
#include "ui/views/save_chart.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextDocument>
#include <QTreeWidget>

#include <algorithm>
#include <iterator>
#include <map>
#include <cmath>

namespace attnscope {

namespace {

constexpr int readingWidth = 330, runRow = 24, originRole = Qt::UserRole;
const std::string shippedOrigin = "shipped";

/// Ends in a line, so that a row that is cut there goes on below it.
QScrollArea* scrolledBothWays(QWidget* content)
{
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setObjectName(u"endsInALine"_s);
    return area;
}

const QString ownTicked = u"runs on the scoreboard"_s;  // among the settings: their folders

/// What comes with the program, and the runs that their owner has let join.
std::set<std::string> rememberedTicks()
{
    std::set<std::string> ticked{shippedOrigin};
    for (const QString& folder : QSettings().value(ownTicked).toStringList())
        ticked.insert(folder.toStdString());
    return ticked;
}

void rememberTicks(const std::set<std::string>& ticked)
{
    QStringList folders;
    for (const std::string& origin : ticked)
        if (origin != shippedOrigin)
            folders << text(origin);
    QSettings().setValue(ownTicked, folders);
}

QString runsInWords(qsizetype count) { return count == 1 ? u"1 run"_s : u"%1 runs"_s.arg(count); }

bool isDoubling(double ratio) { return ratio >= 1 && std::exp2(std::round(std::log2(ratio))) == ratio; }

}  // namespace

ScoreboardPage::ScoreboardPage(RunStore store, QWidget* parent)
    : QWidget(parent), m_store(std::move(store)), m_ticked(rememberedTicks()), m_side(new QWidget),
      m_lengths(new ElidedList), m_against(new ElidedList), m_runList(new QTreeWidget),
      m_counts(selectableParagraph("caption")),
      m_how(toolButton(u"How it is computed"_s,
                       u"What colours and dots mean, and how many tests there are, above this button"_s)),
      m_table(new BoardView), m_chart(new ChartView), m_title(selectableParagraph("title")),
      m_task(selectableParagraph("caption")), m_found(selectableParagraph(nullptr)),
      m_relation(selectableParagraph("caption")), m_command(new WrappedLabel),
      m_copy(pushButton(u"Copy the command"_s,
                        u"The command that made the run behind this cell, to run it again elsewhere"_s)),
      m_open(pushButton(
          u"Show its settings"_s,
          u"The run behind this cell: its lab with the same settings, or the run itself where it is yours"_s)),
      m_job([this](std::shared_ptr<const Made> made) { take(std::move(made)); },
            [](const Error& error) {
                auto made = std::make_shared<Made>();
                made->error = error.message;
                return std::shared_ptr<const Made>(std::move(made));
            })
{
    buildSide();
    offerSaving(*m_chart, u"scoreboard"_s);
    m_chart->setAccessibleName(u"Quality over the change of entropy"_s);
    auto* below = new QSplitter;
    auto* reading = new QWidget;
    buildReading(reading);
    auto* beside = new QWidget;
    inColumn(beside, {m_relation, {m_chart, 1}}, 2, {0, 10, 0, 0});
    below->addWidget(beside);
    below->addWidget(reading);
    below->setStretchFactor(0, 1);
    below->setChildrenCollapsible(false);
    below->setSizes({2 * readingWidth, readingWidth});
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(scrolledBothWays(m_table));
    split->addWidget(below);
    split->setStretchFactor(0, 5);
    split->setStretchFactor(1, 3);
    split->setSizes({5 * readingWidth, 3 * readingWidth});
    split->setChildrenCollapsible(false);
    inColumn(this, {split}, usualSpacing, {4, 0, 8, 0});

    connect(m_table, &BoardView::pointed, this, &ScoreboardPage::showCell);
    connect(m_table, &BoardView::chosen, this, &ScoreboardPage::chooseCell);
    const auto pointAt = [this](const std::optional<ChartHit>& hit) {
        const auto series = hit ? static_cast<std::size_t>(hit->series) : m_chartCells.size();
        if (series >= m_chartCells.size() || static_cast<std::size_t>(hit->point) >= m_chartCells[series].size())
            return false;
        const BoardCell& at = m_made->board.cells[m_chartCells[series][static_cast<std::size_t>(hit->point)]];
        m_table->point(at.method, {at.task, at.ratio});
        showCell();
        return true;
    };
    connect(m_chart, &ChartView::hovered, this, [pointAt](QPointF, std::optional<ChartHit> hit) { pointAt(hit); });
    connect(m_chart, &ChartView::clicked, this, [this, pointAt](QPointF, std::optional<ChartHit> hit) {
        if (pointAt(hit))
            chooseCell();
    });
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(command()); });
    connect(m_open, &QPushButton::clicked, this, [this] { openRun(true); });
}

void ScoreboardPage::buildSide()
{
    connect(m_lengths, &QComboBox::activated, this, &ScoreboardPage::showBoard);
    connect(m_against, &QComboBox::activated, this, [this] { startJob(false); });

    described(m_runList, u"Runs of the scoreboard"_s,
              u"What the board is made of: ticked runs. Your own finished runs of labs stand below those that come "
              "with the program, and count once you tick them."_s);
    m_runList->setHeaderLabels({u"Runs, and what tells them apart"_s, u"How many"_s});
    m_runList->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_runList->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_runList->setIndentation(16);
    connect(m_runList, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) {
        const std::string origin = item->data(0, originRole).toString().toStdString();
        item->checkState(0) == Qt::Checked ? void(m_ticked.insert(origin)) : void(m_ticked.erase(origin));
        rememberTicks(m_ticked);
        startJob(false);
    });
    m_how->setProperty("framed", true);
    m_how->setCheckable(true);
    connect(m_how, &QToolButton::toggled, this, &ScoreboardPage::sayHow);
    m_runList->setMinimumHeight(3 * runRow);
    sayHow();
    QHBoxLayout* buttons = inRow({});
    for (const auto& [name, text, teaches] :
         {std::tuple("scoreboard", u"Table as a figure\u2026"_s,
                     u"The table as it is shown, of one length or of all, as a page in mm: PDF, SVG or PNG"_s),
          std::tuple("scoreboard_entropy", u"Entropy as a figure\u2026"_s,
                     u"The gain over the change of entropy, a panel a task, to be saved as PDF, SVG or PNG"_s)}) {
        QPushButton* button = pushButton(text, teaches);
        connect(button, &QPushButton::clicked, this,
                [this, figureName = std::string(name)] { emit figureAsked(figure(figureName)); });
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    inColumn(m_side,
             {captionedLine(u"Length"_s, m_lengths, u"How many times the length trained at: n over N"_s),
              captionedLine(u"Also against"_s, m_against,
                            u"Another method that the cell pointed at is held against as well, over the networks "
                            "that were tested with both; the words beside the chart begin with that"_s),
              {m_runList, 1},
              m_counts,
              inRow({m_how, stretch()}),
              buttons},
             formSpacing);
}

/// Beside the table that it explains: what colours and dots are in short, or how all of it is computed.
void ScoreboardPage::sayHow()
{
    const QString inShort =
        u"Blue: better than Vanilla, red: worse; %1\u202F% is half-way to the strongest colour; without a colour "
        "it may be chance. One, two, three dots: q < 0.05, 0.01, 0.001. Bold: the best of its column. \u2020: its "
        "multiplier is not 1 at\u00A0N."_s.arg(halfColourGain);
    m_counts->setText(unbroken(m_how->isChecked() && m_made ? boardCounts(m_made->board) : inShort));
}

void ScoreboardPage::buildReading(QWidget* into)
{
    m_found->setAccessibleDescription(u"The cell that is pointed at, in words"_s);
    auto* words = new QWidget;
    m_command->setProperty("role", "caption");
    m_command->setAccessibleDescription(u"The command that made it"_s);
    inColumn(words, {m_title, m_task, m_found, m_command, stretch()}, 6, {0, 0, 10, 0});  // no letter touches the bar
    m_reading = scrolled(words);
    inColumn(into, {{m_reading, 1}, inRow({{m_open, 1}, {m_copy, 1}})}, 6, {12, 10, 0, 0});
}

void ScoreboardPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void ScoreboardPage::refresh()
{
    m_stale = true;
    if (isVisible())
        startJob(true);
}

void ScoreboardPage::forget(const QString& folder)
{
    if (m_ticked.erase(folder.toStdString()) > 0)
        rememberTicks(m_ticked);
}

void ScoreboardPage::startJob(bool readAgain)
{
    m_stale = m_settled = false;
    m_readsAgain = m_readsAgain || readAgain;  // until it has come: another job may take this one's place
    if (!m_made)
        m_table->waitFor(u"Reading the runs\u2026"_s);
    m_job.start(
        [store = m_store, ticked = m_ticked, known = m_readsAgain ? nullptr : m_made,
         against = m_against->currentData().toString().toStdString()](std::stop_token stop, const auto& publish) {
            auto made = std::make_shared<Made>();
            if (known)
                made->runs = known->runs;
            else if (auto shipped = shippedRuns()) {
                made->runs = std::move(*shipped);
                for (StoredRun& run : store.runs())
                    if (run.record.finished)
                        made->runs.push_back({run.folder.toStdString(), std::move(run.record)});
            } else
                made->error = shipped.error().message;
            if (stop.stop_requested())
                return;
            std::vector<BoardRun> used;
            for (std::size_t r = 0; r < made->runs.size(); ++r)
                if (ticked.contains(made->runs[r].origin)) {
                    made->used.push_back(r);
                    used.push_back(made->runs[r]);
                }
            made->board = makeScoreboard(used);
            made->relations = entropyRelations(made->board);
            if (!against.empty())
                made->against = makeScoreboard(used, against);
            publish(made);
        });
}

void ScoreboardPage::take(std::shared_ptr<const Made> made)
{
    if (!made->error.empty())
        emit failed(text(made->error));
    m_made = std::move(made);
    m_readsAgain = false;
    listRuns();
    listLengths();
    listMethods();
    m_how->setAccessibleDescription(boardCounts(m_made->board));
    sayHow();
    showBoard();
    m_settled = true;
    emit settled();
}

void ScoreboardPage::listRuns()
{
    const QSignalBlocker blocker(m_runList);
    std::set<QString> open;  // the labs whose runs are looked at
    for (int lab = 0; m_runList->topLevelItemCount() > 0 && lab < m_runList->topLevelItem(0)->childCount(); ++lab)
        if (m_runList->topLevelItem(0)->child(lab)->isExpanded())
            open.insert(m_runList->topLevelItem(0)->child(lab)->text(0));
    m_runList->clear();
    const auto add = [&](QTreeWidgetItem* item, const std::string& origin) {
        item->setData(0, originRole, text(origin));
        item->setCheckState(0, m_ticked.contains(origin) ? Qt::Checked : Qt::Unchecked);
    };
    auto* shipped = new QTreeWidgetItem(m_runList, {u"With the program"_s});
    shipped->setSizeHint(1, {0, runRow});
    add(shipped, shippedOrigin);
    std::vector<Choice> choices;
    std::ranges::transform(m_made->runs, std::back_inserter(choices),
                           [](const BoardRun& run) { return run.record.choice; });
    const QStringList differences = whatDiffers(choices);
    std::map<QString, QTreeWidgetItem*> groups;
    const auto labOf = [&](const QString& label) {
        QTreeWidgetItem*& lab = groups[label];
        if (!lab) {
            lab = new QTreeWidgetItem(shipped, {label});
            lab->setSizeHint(0, {roomForName(label, *m_runList), runRow});
        }
        return lab;
    };
    for (qsizetype i = 0; i < differences.size(); ++i) {
        const BoardRun& run = m_made->runs[static_cast<std::size_t>(i)];
        const bool comes = run.origin == shippedOrigin;
        const QString label = text((*findRow(labs(), run.record.choice.id, "lab"))->label);
        const QString name =
            comes ? label : nameOfRun(run.record.choice, text(run.origin).section(QLatin1Char('/'), -1));
        auto* item = comes ? new QTreeWidgetItem(labOf(label), {differences[i]})
                           : new QTreeWidgetItem(m_runList, {u"%1: %2"_s.arg(name, differences[i])});
        const QString whole = parametersOf(run.record.choice) + u"\n\n"_s + commandOf(run);
        item->setToolTip(0, Qt::convertFromPlainText(comes ? whole : name + u"\n\n"_s + whole));
        item->setSizeHint(0, {0, runRow});
        item->setFirstColumnSpanned(true);
        if (!comes)
            add(item, run.origin);
    }
    shipped->setText(1, runsInWords(differences.size() - (m_runList->topLevelItemCount() - 1)));
    for (const auto& [label, lab] : groups) {
        lab->setText(1, runsInWords(lab->childCount()));
        lab->sortChildren(0, Qt::AscendingOrder);
        lab->setExpanded(open.contains(label));
    }
    shipped->sortChildren(0, Qt::AscendingOrder);
    shipped->setExpanded(true);
}

void ScoreboardPage::listLengths()
{
    const auto before = m_lengths->currentData();
    const QSignalBlocker blocker(m_lengths);
    m_lengths->clear();
    for (const double ratio : m_made->board.ratios)
        m_lengths->addItem(ratio == 1 ? u"n = N, as trained"_s : u"n = %1 N"_s.arg(number(ratio)), ratio);
    m_lengths->addItem(u"All: N, 2 N, 4 N, \u2026"_s, 0.0);
    const auto doubling = std::find_if(m_made->board.ratios.rbegin(), m_made->board.ratios.rend(),
                                       [](double ratio) { return isDoubling(ratio) && ratio <= 16; });
    const int wanted = m_lengths->findData(
        before.isValid() ? before : QVariant(doubling == m_made->board.ratios.rend() ? 0.0 : *doubling));
    m_lengths->setCurrentIndex(std::max(0, wanted));
}

/// What another can be held against: all that runs were tested with.
void ScoreboardPage::listMethods()
{
    const Scoreboard& board = m_made->board;
    ListItems items{{u"Vanilla alone"_s, QString()}};
    for (const std::string& method : board.methods)
        if (method != board.reference &&
            std::ranges::any_of(board.cells, [&](const BoardCell& at) { return at.method == method && at.isTested; }))
            items.emplace_back(plainText(methodLabel(board, method, false)), text(method));
    const QVariant before = m_against->currentData();
    const QSignalBlocker blocker(m_against);
    refill(*m_against, items);
    m_against->setCurrentIndex(std::max(0, m_against->findData(before)));
}

std::vector<double> ScoreboardPage::shownRatios() const
{
    if (const double one = m_lengths->currentData().toDouble(); one > 0)
        return {one};
    std::vector<double> ratios;
    std::ranges::copy_if(m_made->board.ratios, std::back_inserter(ratios), isDoubling);
    return ratios;
}

/// The first method below vanilla, where a column is of one network.
std::string ScoreboardPage::bestOf(const BoardTable::Place& place) const
{
    const std::vector<std::string>& methods = m_table->table().methods;
    const auto best = std::ranges::find_if(methods, [&](const std::string& method) {
        const BoardCell* at = m_made->board.find(place.task, method, place.ratio);
        return at && isBest(*at);
    });
    return best == methods.end() ? methods[1] : *best;
}

void ScoreboardPage::showBoard()
{
    if (!m_made)
        return;
    const std::vector<double> ratios = shownRatios();
    m_table->show(scoreboardTable(m_made->board, ratios));
    if (!m_table->spot() && m_table->table().places.size() > 1 && m_table->table().methods.size() > 1) {
        m_table->point(bestOf(m_table->table().places.front()), m_table->table().places.front());
        m_table->bringIntoSight(*m_table->spot());
    }
    m_chartCells.clear();
    showCell();
}

/// Of the task that is pointed at.
void ScoreboardPage::showChart()
{
    const auto& spot = m_table->spot();
    const std::string task = spot ? m_table->table().places[spot->place].task : m_chartTask;
    const std::vector<double> ratios = shownRatios();
    if (task == m_chartTask && ratios == m_chartRatios && !m_chartCells.empty())
        return;
    m_chartTask = task;
    m_chartRatios = ratios;
    BoardEntropy entropy = scoreboardEntropy(m_made->board, task, ratios);
    m_chartCells = std::move(entropy.cells);
    QStringList said;
    const auto say = [&](const QString& where, const std::string& scope) {
        const auto found = std::ranges::find(m_made->relations, scope, &EntropyRelation::scope);
        if (found != m_made->relations.end())
            said << where + relationText(*found);
    };
    say(u"Beyond N, rank correlation here "_s, task);
    if (ratios.size() == 1)
        say(u"at n = %1 N "_s.arg(number(ratios.front())), "n = " + formatNumber(ratios.front()) + " N");
    else
        say(u"of all tasks "_s, "all methods");
    m_relation->setText(unbroken(
        said.isEmpty() ? u"Beyond N a rank correlation says whether a method does better the less it changes entropy."_s
                       : said.join(u"; "_s) + u". Below 0: the less entropy changes, the better."_s));
    const auto shown = std::ranges::find(m_made->board.tasks, task, &Scoreboard::Task::label);
    if (shown != m_made->board.tasks.end())
        entropy.chart.title = taskTitle(*shown);
    m_chart->show(std::move(entropy.chart));
    m_chart->fit();
}

const BoardCell* ScoreboardPage::cell() const
{
    if (!m_made || !m_table->spot())
        return nullptr;
    const auto& [row, place] = *m_table->spot();
    const BoardTable& table = m_table->table();
    return m_made->board.find(table.places[place].task, table.methods[row], table.places[place].ratio);
}

/// The user's own before one that comes with the program.
const BoardRun* ScoreboardPage::runBehind() const
{
    const BoardCell* at = cell();
    const BoardRun* behind = nullptr;
    for (const std::size_t r : at ? at->runs : std::vector<std::size_t>()) {
        const BoardRun& run = m_made->runs[m_made->used[r]];
        if (!behind || (behind->origin == shippedOrigin && run.origin != shippedOrigin))
            behind = &run;
    }
    return behind;
}

void ScoreboardPage::showCell()
{
    if (!m_made)
        return;
    showChart();
    const BoardCell* at = cell();
    const BoardRun* run = runBehind();
    const BoardWords words =
        at ? wordsOf(m_made->board, *at)
           : BoardWords{u"Nothing here"_s, {}, u"No run has tested this. Point at a cell with a number."_s};
    const bool another = m_title->text() != unbroken(words.title) || m_task->text() != unbroken(words.task);
    m_title->setText(unbroken(words.title));
    m_task->setText(unbroken(words.task));
    m_found->setText(unbroken((at && !m_made->against.cells.empty() ? wordsAgainst(m_made->against, *at) : QString()) +
                              words.found));
    if (another)
        m_reading->verticalScrollBar()->setValue(0);  // it is read from its beginning
    m_table->setAccessibleDescription(said());
    m_command->setText(run ? (run->origin == shippedOrigin
                                  ? u"Comes with the program: %1"_s
                                  : u"Your run %1: %2"_s.arg(text(run->origin).section(QLatin1Char('/'), -1)))
                                 .arg(commandOf(*run))
                           : QString());
    m_open->setText(run && run->origin != shippedOrigin ? u"Open the run"_s : u"Show its settings"_s);
    m_open->setAccessibleName(m_open->text());
    m_open->setEnabled(run);
    m_copy->setEnabled(run);
    ChartMark mark;
    for (std::size_t line = 0; at && at->entropyChange && line < m_chartCells.size(); ++line)
        if (!m_chartCells[line].empty() && m_made->board.cells[m_chartCells[line].front()].method == at->method)
            mark.points.push_back({{100 * std::abs(*at->entropyChange), at->gain}, m_chart->spec().series[line].style});
    m_chart->setMark(std::move(mark));
}

/// A run of the user's opens; of one that comes with the program the lab has the settings, and its command stands
/// beside.
void ScoreboardPage::chooseCell()
{
    showCell();
    openRun(false);
}

void ScoreboardPage::openRun(bool shown)
{
    const BoardRun* run = runBehind();
    if (run && run->origin == shippedOrigin)
        emit labAsked(run->record.choice, shown);
    else if (run)
        emit runAsked(text(run->origin));
}

QString ScoreboardPage::said() const
{
    return m_title->text() + QLatin1Char('\n') + m_task->text() + QLatin1Char('\n') + m_found->text();
}

QString ScoreboardPage::command() const
{
    const BoardRun* run = runBehind();
    return run ? commandOf(*run) : QString();
}

Recipe ScoreboardPage::figure(const std::string& name) const
{
    Recipe recipe = loadRecipe(name).value_or(Recipe());
    if (!m_ticked.contains(shippedOrigin))
        recipe.parameters["shipped"] = false;
    for (const std::size_t r : m_made ? m_made->used : std::vector<std::size_t>())
        if (m_made->runs[r].origin != shippedOrigin)
            recipe.parameters["runs"].push_back(m_made->runs[r].origin);
    if (const double one = m_lengths->currentData().toDouble(); one > 0)
        recipe.parameters["ratio"] = one;
    return recipe;
}

}  // namespace attnscope

#include "moc_scoreboard_page.cpp"

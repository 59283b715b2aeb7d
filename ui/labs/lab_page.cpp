#include "ui/labs/lab_page.h"

#include "core/labs/packing/packing_evaluation.h"
#include "core/labs/scoreboard/scoreboard.h"
#include "ui/figure/figure.h"
#include "ui/figure/labels.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/building.h"
#include "ui/widgets/choice_control.h"
#include "ui/widgets/file_to_save.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/workbench/document.h"
#include "ui/labs/lab_canvas.h"
#include "ui/labs/lab_sections.h"
#include "ui/labs/scoreboard_page.h"
#include "ui/labs/tours_page.h"
#include "ui/workbench/workbench.h"

#include <QComboBox>
#include <QMenu>
#include <QProgressBar>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTextDocument>
#include <QTreeWidget>

#include <algorithm>
#include <iterator>
#include <set>

namespace attnscope {

namespace {

constexpr int rowHeight = 42;  // two lines

const Lab& labOf(const Choice& choice) { return **findRow(labs(), choice.id, "lab"); }

/// Packing's charts are of the means over the bins, which a run that comes with the program leaves out: they are in its
/// rows.
void addMeans(LabRecord& record)
{
    constexpr const char* means = "means";
    if (record.choice.id != "packing" ||
        std::ranges::any_of(record.rows, [](const LabRow& row) { return row.table == means; }))
        return;
    std::set<std::int64_t> lengths;
    for (const LabRow& row : record.rows)
        if (row.table == qualityTable)
            lengths.insert(static_cast<std::int64_t>(row.number("n")));
    const std::vector<LabRow> rows = record.rows;
    for (const std::int64_t n : lengths)
        for (LabCells& cells : meansOverBins(rows, n))
            record.rows.push_back({means, std::move(cells)});
}

const std::vector<BoardRun>& shippedLabRuns()
{
    static const auto runs = [] {
        auto all = shippedRuns().value_or(std::vector<BoardRun>());
        for (BoardRun& run : all)
            addMeans(run.record);
        return all;
    }();
    return runs;
}

QStringList namesOf(const std::vector<Choice>& methods)
{
    QStringList names;
    for (const Choice& method : methods)
        names << plainText(methodLabel(method));
    return names;
}

/// Of the runs that come with the program the one that is most like what is chosen; null: none is of this lab.
const LabRecord* recordedRun(const Choice& choice)
{
    const auto& runs = shippedLabRuns();
    const auto alike = [&](const BoardRun& run) -> std::ptrdiff_t {
        const Choice& of = run.record.choice;
        if (of.id != choice.id)
            return -1;
        return std::ranges::count_if(of.values, [&](const auto& value) {
            return choice.values.contains(value.first) && choice.values.at(value.first) == value.second;
        });
    };
    const auto best = std::ranges::max_element(runs, {}, alike);
    return best == runs.end() || alike(*best) < 0 ? nullptr : &best->record;
}

}  // namespace

LabPage::LabPage(Workbench& bench, MessageBar& messages, const QString& root, QWidget* parent)
    : QWidget(parent), m_document(bench.document), m_saves(bench.saves), m_messages(messages), m_store(root),
      m_runner(bench.lab), m_sections(new LabSections), m_canvas(new LabCanvas), m_board(new ScoreboardPage(m_store)),
      m_toursPage(new ToursPage(m_document, m_store)),
      m_reading([this](std::vector<StoredRun> runs) { listRuns(std::move(runs)); },
                [](const Error&) { return std::vector<StoredRun>(); })
{
    inRow(this, {buildSections()}, usualSpacing, {12, 4, 4, 8});
    connect(&m_runner, &LabRunner::changed, this, [this] {
        refreshState();
        if (m_runner.isRunning())  // else it has ended, and what it found is read in a moment
            refreshCanvas();
    });
    connect(&m_runner, &LabRunner::ended, this, &LabPage::ended);
    connect(m_canvas, &LabCanvas::startAsked, this, &LabPage::start);
    connect(m_canvas, &LabCanvas::smoothed, this, &LabPage::refreshCanvas);
    showChoice({labs().front().id, {}, {}});
    followLook();
    connectSections();
    connect(&m_document, &Document::lookChanged, this, &LabPage::followLook);
    refreshState();
}

/// Runs are read when they are first looked at, not when the program starts.
void LabPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (std::exchange(m_listed, true) || m_runner.isRunning())
        return;
    if (m_store.isEmpty())
        return listRuns({});
    m_stage->setText(u"Reading the runs\u2026"_s);
    m_reading.start([store = m_store](const std::stop_token&, const auto& publish) { publish(store.runs()); });
}

/// What its first preset says.
static Choice firstOf(const Lab& lab)
{
    const Choice usual{lab.id, {}, {}};
    return lab.presets.empty() ? usual : parseChoice(lab.presets.front().text, labs(), "lab").value_or(usual);
}

/// The newest run of the lab that is chosen is ticked; where none was chosen yet the newest of all, and its lab is
/// chosen; without any run a lab of which there is one to look at.
void LabPage::listRuns(std::vector<StoredRun> runs)
{
    if (m_runner.isRunning() || !m_runs.empty())
        return;  // somebody was faster: they are listed already, or when it ends
    m_runs = std::move(runs);
    if (m_document.look().labs.lab.empty()) {  // nobody chose
        if (!m_runs.empty())
            showChoice(m_runs.front().record.choice);
        else if (!shippedLabRuns().empty())
            showChoice(firstOf(labOf(shippedLabRuns().front().record.choice)));
    }
    refreshList(newestOf(choice().id));
}

/// Empty: there is no run of this lab.
QString LabPage::newestOf(const std::string& lab) const
{
    const auto newest = std::ranges::find(m_runs, lab, [](const StoredRun& run) { return run.record.choice.id; });
    return newest == m_runs.end() ? QString() : newest->folder;
}

void LabPage::setChoice(const Choice& choice)
{
    showChoice(choice);
    m_document.editLook([&](Look& look) { look.labs.lab = formatChoice(choice); });
}

/// A lab that the document's text does not name is none that there is any more.
void LabPage::followLook()
{
    const LabLook& look = m_document.look().labs;
    const auto chosen = parseChoice(look.lab, labs(), "lab");
    if (chosen && *chosen != choice())
        showChoice(*chosen);
    if (std::exchange(m_page, look.page) != look.page)  // else a sweep may be what is shown
        m_sections->show(text(look.page));
}

/// Another lab's newest run is ticked in place of those of the one before.
void LabPage::showChoice(const Choice& choice)
{
    m_lab->setChoice(choice);
    if (m_shown != choice.id) {
        m_shown = choice.id;
        listPresets(labOf(choice));
        const auto shown = ticked();
        if (shown.empty() || shown.front()->record.choice.id != choice.id)
            refreshList(newestOf(choice.id));
    }
    const auto isChoice = [&](int index) {
        return parseChoice(m_presets->itemData(index).toString().toStdString(), labs(), "lab") == choice;
    };
    int index = m_presets->count() - 1;
    while (index >= 0 && !isChoice(index))
        --index;
    m_presets->setCurrentIndex(index);
}

const Choice& LabPage::choice() const { return m_lab->choice(); }

void LabPage::listPresets(const Lab& lab)
{
    m_presets->clear();
    if (std::ranges::find(lab.presets, lab.id, &Preset::text) == lab.presets.end())
        m_presets->addItem(u"With the defaults"_s, text(lab.id));
    for (const Preset& preset : lab.presets)
        addItem(*m_presets, sentence(text(preset.label)), text(preset.text), text(preset.source));
}

void LabPage::start()
{
    begin({.choice = m_lab->choice(), .folder = m_store.newFolder(m_lab->choice()).toStdString()});
}

void LabPage::resumeSelected()
{
    if (const StoredRun* run = selected())
        begin({.choice = run->record.choice, .folder = run->folder.toStdString(), .resume = true});
}

void LabPage::begin(const LabRun& run)
{
    const QString folder = text(run.folder);
    if (m_runner.isRunning()) {
        const LabRun& other = m_runner.run();
        const QString name = nameOfRun(other.choice, text(other.folder).section(QLatin1Char('/'), -1));
        return m_messages.say(
            MessageBar::Kind::Note,
            u"%1 is running, and one run goes at a time: end it with Stop, or wait; then Resume"_s.arg(name));
    }
    m_runner.start(run);
    if (std::ranges::find(m_runs, folder, &StoredRun::folder) == m_runs.end())
        m_runs.insert(m_runs.begin(),
                      {nameOfRun(run.choice, folder.section(QLatin1Char('/'), -1)), folder, m_runner.record()});
    refreshList(folder);
    m_canvas->bringCharts();
}

void LabPage::ended(const QString& problem)
{
    if (!problem.isEmpty())
        m_messages.say(MessageBar::Kind::Error, problem);
    m_runs = m_store.runs();
    refreshList();  // others may be looked at by now
    m_board->refresh();
}

bool LabPage::isRunning(const StoredRun& run) const
{
    return m_runner.isRunning() && m_runner.run().folder == run.folder.toStdString();
}

const LabRecord& LabPage::recordOf(const StoredRun& run) const
{
    return isRunning(run) ? m_runner.record() : run.record;
}

/// `tick`: the one run to be ticked and chosen, empty: none; not given: as they were.
void LabPage::refreshList(const std::optional<QString>& tick)
{
    QStringList before;
    for (const StoredRun* run : ticked())
        before << run->folder;
    const QString chosen = selected() ? selected()->folder : QString();
    const int scrolledTo = m_list->verticalScrollBar()->value();
    {
        const QSignalBlocker blocker(m_list);
        m_list->clear();
        std::vector<Choice> choices;
        std::ranges::transform(m_runs, std::back_inserter(choices),
                               [](const StoredRun& run) { return run.record.choice; });
        const QStringList differences = whatDiffers(choices);
        for (qsizetype i = 0; i < differences.size(); ++i) {
            const StoredRun& run = m_runs[static_cast<std::size_t>(i)];
            auto* item = new QTreeWidgetItem(m_list, {QString(), run.name, differences[i], {}});
            item->setSizeHint(NameColumn, {0, withText(rowHeight)});
            item->setData(NameColumn, Qt::UserRole, run.folder);
            item->setData(NameColumn, Qt::AccessibleTextRole, u"%1: %2"_s.arg(run.name, differences[i]));
            const QString all = parametersOf(run.record.choice);
            item->setToolTip(NameColumn, Qt::convertFromPlainText(
                                             all == differences[i] ? u"%1\n%2\n\n%3"_s.arg(run.name, run.folder, all)
                                                                   : u"%1\n%2\n\n%3\n\nAll of it: %4"_s.arg(
                                                                         run.name, run.folder, differences[i], all)));
            item->setCheckState(TickColumn, (tick ? run.folder == *tick : before.contains(run.folder)) ? Qt::Checked
                                                                                                       : Qt::Unchecked);
            if (run.folder == tick.value_or(chosen))
                m_list->setCurrentItem(item);
        }
        if (!tick) {
            m_list->doItemsLayout();  // else it has nothing to scroll yet
            m_list->verticalScrollBar()->setValue(scrolledTo);
        }
    }
    refreshState();
    refreshCanvas();
}

void LabPage::refreshState()
{
    const bool running = m_runner.isRunning();
    m_start->setEnabled(!running);
    m_canvas->startButton().setEnabled(!running);
    m_pause->setEnabled(running);
    m_pause->setText(m_runner.isPaused() ? u"Resume"_s : u"Pause"_s);
    m_cancel->setEnabled(running);
    const LabRecord& record = m_runner.record();
    m_bar->setValue(running ? static_cast<int>(record.fraction * progressSteps) : 0);
    m_bar->setVisible(running);
    m_stage->setText(!running ? QString() : m_runner.isPaused() ? u"paused"_s : text(record.stage));
    m_left->setText(m_runner.timeLeft());
    {
        const QSignalBlocker blocker(m_list);
        for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
            const StoredRun* run = runOf(m_list->topLevelItem(row));
            if (!run)
                continue;
            const LabRecord& known = recordOf(*run);
            const QString done = u"%1 %"_s.arg(static_cast<int>(100 * known.fraction));
            const bool stopped = !known.finished && !isRunning(*run);
            QTreeWidgetItem& item = *m_list->topLevelItem(row);
            item.setText(StateColumn, known.finished                           ? u"done"_s
                                      : stopped                                ? u"stopped"_s
                                      : isRunning(*run) && m_runner.isPaused() ? u"paused"_s
                                                                               : done);
            item.setToolTip(StateColumn, stopped ? u"Stopped at %1; Resume goes on from there"_s.arg(done) : QString());
        }
    }
    const StoredRun* run = selected();
    m_resume->setEnabled(run && !running && !run->record.finished);
    m_more->setEnabled(run && !isRunning(*run));
    const bool opens =
        run && std::ranges::any_of(recordOf(*run).files, [](const LabFile& file) { return file.scenario.has_value(); });
    m_open->setEnabled(opens);
    m_open->setToolTip(
        opens || !run ? u"Look at what the chosen run trained in the other views"_s
        : run->record.finished
            ? u"The chosen run left nothing that the other views show"_s
            : u"What a run trained is there once it is trained, before it is tested; Resume goes on with it"_s);
}

void LabPage::fillOpenMenu()
{
    m_openMenu->clear();
    const StoredRun* run = selected();
    const std::vector<LabFile> files = run ? recordOf(*run).files : std::vector<LabFile>();
    for (std::size_t i = 0; i < files.size(); ++i)
        if (files[i].scenario)
            m_openMenu->addAction(text(files[i].about), this, [this, i] {
                if (const StoredRun* now = selected())
                    open(*now, i);
            });
}

bool LabPage::open(const StoredRun& run, std::size_t file)
{
    const std::vector<LabFile>& files = recordOf(run).files;
    if (file >= files.size() || !files[file].scenario)
        return false;
    const auto methods = m_document.scenario().methods;
    m_document.replaceOnce(u"Open a lab's result"_s, *files[file].scenario);
    QString words = u"%1: %2"_s.arg(run.name, text(files[file].about));
    if (m_document.scenario().methods != methods)
        words += u". %1 in place of your methods; Undo brings them back"_s.arg(
            namesOf(m_document.scenario().methods).join(u", "_s));
    m_messages.say(MessageBar::Kind::Note, words);
    emit opened();
    return true;
}

const StoredRun* LabPage::selected() const { return runOf(m_list->currentItem()); }

/// Null: it is on its way out of the list.
const StoredRun* LabPage::runOf(const QTreeWidgetItem* item) const
{
    const auto found =
        item ? std::ranges::find(m_runs, item->data(NameColumn, Qt::UserRole).toString(), &StoredRun::folder)
             : m_runs.end();
    return found == m_runs.end() ? nullptr : &*found;
}

std::vector<const StoredRun*> LabPage::ticked() const
{
    std::vector<const StoredRun*> runs;
    for (int row = 0; row < m_list->topLevelItemCount(); ++row)
        if (const StoredRun* run = runOf(m_list->topLevelItem(row));
            run && m_list->topLevelItem(row)->checkState(TickColumn) == Qt::Checked)
            runs.push_back(run);
    return runs;
}

/// The ticked runs of the first one's lab.
void LabPage::refreshCanvas()
{
    std::vector<ShownRun> shown;
    for (const StoredRun* run : ticked()) {
        const LabRecord& record = isRunning(*run) ? m_runner.record() : run->record;
        if (shown.empty() || record.choice.id == shown.front().record->choice.id)
            shown.push_back({run->name, &record});
    }
    if (shown.empty())
        m_canvas->invite(labOf(m_lab->choice()), recordedRun(m_lab->choice()));
    else
        m_canvas->show(labOf(shown.front().record->choice), shown);
}

void LabPage::runsChanged()
{
    m_runs = m_store.runs();
    refreshList();
    m_board->refresh();
}

/// Something on the disk is written or copied; `said` where it went well, or the runs are others then.
void LabPage::file(const QString& what, std::function<Result<void>()> write, const QString& said)
{
    m_saves.add(
        what, this, std::move(write),
        [this, said](const Result<void>& done) {
            if (!done)
                m_messages.say(MessageBar::Kind::Error, text(done.error().message));
            else if (!said.isEmpty())
                m_messages.say(MessageBar::Kind::Done, said);
            else
                runsChanged();
        },
        SaveQueue::Line::Long);
}

void LabPage::removeSelected()
{
    const StoredRun* run = selected();
    if (!run || isRunning(*run))
        return;
    m_saves.add(
        run->name, this, [store = m_store, gone = *run] { return store.remove(gone); },
        [this, gone = *run](const Result<QString>& inTrash) {
            if (inTrash)
                m_board->forget(gone.folder);
            runsChanged();
            if (!inTrash)
                return m_messages.say(MessageBar::Kind::Error, text(inTrash.error().message));
            m_messages.say(MessageBar::Kind::Note, u"%1 is in the trash"_s.arg(gone.name),
                           {{u"Put back"_s, u"The run is where it was"_s, [this, gone, inTrash = *inTrash] {
                                 file(gone.name,
                                      [store = m_store, gone, inTrash] { return store.putBack(gone, inTrash); }, {});
                             }}});
        },
        SaveQueue::Line::Long);
    std::erase_if(m_runs, [gone = run->folder](const StoredRun& one) { return one.folder == gone; });
    refreshList();
}

void LabPage::saveCopy()
{
    if (!selected())
        return;
    const StoredRun run = *selected();  // another may be chosen by the time the dialog is answered
    if (const QString folder = folderToChoose(*this, u"Folder for the copy"_s, {}, u"copy"_s); !folder.isEmpty())
        copyTo(run, folder);
}

void LabPage::copySelectedTo(const QString& folder)
{
    if (const StoredRun* run = selected())
        copyTo(*run, folder);
}

void LabPage::copyTo(const StoredRun& run, const QString& folder)
{
    file(
        run.name, [store = m_store, run, folder] { return store.copy(run, folder); }, u"Copied to %1"_s.arg(folder));
}

void LabPage::saveFigure()
{
    const Recipe recipe = figureOfTicked();  // others may be ticked by the time the dialog is answered
    const QString path =
        fileToSave(*this, u"Save the figure"_s, u"lab.pdf"_s, u"PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"_s);
    if (!path.isEmpty())
        saveRecipe(recipe, path);
}

void LabPage::saveFigureAs(const QString& path) { saveRecipe(figureOfTicked(), path); }

Recipe LabPage::figureOfTicked() const
{
    Recipe recipe;
    recipe.name = "lab_run";
    recipe.kind = "lab_run";
    recipe.widthMm = 183;
    for (const StoredRun* run : ticked())
        if (!isRunning(*run))
            recipe.parameters["folders"].push_back(run->folder.toStdString());
    return recipe;
}

void LabPage::saveRecipe(const Recipe& recipe, const QString& path)
{
    file(
        path,
        [recipe, path]() -> Result<void> {
            return renderFigure(recipe, path.toStdString(), {}, {}).map([](const QSizeF&) {});
        },
        u"Saved %1"_s.arg(path));
}

}  // namespace attnscope

#include "moc_lab_page.cpp"

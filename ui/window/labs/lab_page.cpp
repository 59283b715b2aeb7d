#include "ui/window/labs/lab_page.h"

#include "ui/figure/figure.h"
#include "ui/window/controls/choice_control.h"
#include "ui/window/controls/elided.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/controls/number_control.h"
#include "ui/window/document.h"
#include "ui/window/labs/lab_canvas.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextDocument>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int progressSteps = 1000, controlsWidth = 400, rowHeight = 28, tickWidth = 26, padding = 20;
enum ListColumn { TickColumn, NameColumn, ParametersColumn, StateColumn };

const Lab& labOf(const Choice& choice) { return **findRow(labs(), choice.id, "lab"); }

QPushButton* button(const QString& text, const QString& teaches)
{
    auto* made = new QPushButton(text);
    made->setToolTip(teaches);
    made->setAccessibleName(text);
    return made;
}

QToolButton* toolButton(const QString& text, const QString& teaches)
{
    auto* made = new QToolButton;
    made->setText(text);
    made->setToolTip(teaches);
    made->setAccessibleName(text);
    return made;
}

}  // namespace

LabPage::LabPage(Document& document, MessageBar& messages, const QString& root, QWidget* parent)
    : QWidget(parent), m_document(document), m_messages(messages), m_shelf(root), m_canvas(new LabCanvas), m_files([this](const Filed& filed) {
          if (!filed.result)
              m_messages.say(MessageBar::Kind::Error, QString::fromStdString(filed.result.error().message));
          else if (!filed.said.isEmpty())
              m_messages.say(MessageBar::Kind::Note, filed.said);
          if (filed.runsChanged) {
              m_runs = m_shelf.runs();
              refreshList();
          }
          emit done();
      }, [](const Error& error) { return Filed{tl::unexpected(error), {}, false}; })
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 4, 4, 8);
    auto* split = new QSplitter;
    split->addWidget(buildControls());
    split->addWidget(m_canvas);
    split->setStretchFactor(1, 1);
    split->setSizes({controlsWidth, 2 * controlsWidth});
    split->setChildrenCollapsible(false);
    layout->addWidget(split);
    connect(&m_runner, &LabRunner::changed, this, [this] {
        refreshState();
        refreshCanvas();
    });
    connect(&m_runner, &LabRunner::ended, this, &LabPage::ended);
    setChoice({labs().front().id, {}, {}});
    refreshState();
}

/// Runs are read when they are first looked at, not when the program starts.
void LabPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!std::exchange(m_listed, true) && !m_runner.isRunning()) {
        m_runs = m_shelf.runs();
        refreshList(m_runs.empty() ? QString() : m_runs.front().folder);
    }
}

QWidget* LabPage::buildControls()
{
    auto* side = new QWidget;
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->setSpacing(8);
    m_lab = new ChoiceControl(tr("Lab"), entriesOf(labs()), tr("What is trained"));
    m_presets = new ElidedList;
    m_presets->setAccessibleName(tr("Preset"));
    m_presets->setToolTip(tr("Parameters that belong together"));
    m_presets->setPlaceholderText(tr("own values"));
    auto* fields = new QScrollArea;
    auto* inside = new QWidget;
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_lab);
    auto* presets = new QHBoxLayout;
    presets->setSpacing(8);
    auto* caption = new QLabel(tr("Preset"));
    caption->setProperty("role", "caption");
    caption->setFixedWidth(captionWidth);
    caption->setBuddy(m_presets);
    presets->addWidget(caption);
    presets->addWidget(m_presets, 1);
    column->addLayout(presets);
    column->addStretch(1);
    fields->setWidget(inside);
    fields->setWidgetResizable(true);
    fields->setFrameShape(QFrame::NoFrame);
    fields->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    fields->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);  // what it does not need is the runs'
    fields->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    layout->addWidget(fields, 2);
    connect(m_lab, &ChoiceControl::edited, this, [this](const Choice& choice) { setChoice(choice); });
    connect(m_presets, &QComboBox::activated, this, [this](int index) {
        if (const auto choice = parseChoice(m_presets->itemData(index).toString().toStdString(), labs(), "lab"))
            setChoice(*choice);
    });

    auto* line = new QHBoxLayout;
    m_start = button(tr("Start"), tr("Train with these parameters; the run is kept below"));
    m_start->setProperty("primary", true);
    m_pause = button(tr("Pause"), tr("Hold the run where it is, and let it go on"));
    m_cancel = button(tr("Cancel"), tr("Stop the run; what it has learned is kept, and Resume goes on from there"));
    for (QPushButton* each : {m_start, m_pause, m_cancel})
        line->addWidget(each);
    layout->addLayout(line);
    connect(m_start, &QPushButton::clicked, this, &LabPage::start);
    connect(m_pause, &QPushButton::clicked, this, [this] { m_runner.setPaused(!m_runner.isPaused()); });
    connect(m_cancel, &QPushButton::clicked, this, &LabPage::cancel);

    m_bar = new QProgressBar;
    m_bar->setRange(0, progressSteps);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(4);
    m_bar->setAccessibleName(tr("Progress of the run"));
    m_stage = new QLabel;
    m_left = new QLabel;
    m_left->setAccessibleDescription(tr("Time left"));
    m_stage->setAccessibleDescription(tr("What it does"));
    auto* words = new QHBoxLayout;
    for (QLabel* label : {m_stage, m_left})
        label->setProperty("role", "caption");
    words->addWidget(m_stage, 1);
    words->addWidget(m_left);
    layout->addWidget(m_bar);
    layout->addLayout(words);
    buildRunList(layout);
    return side;
}

void LabPage::buildRunList(QVBoxLayout* layout)
{
    m_list = new QTreeWidget;
    m_list->setHeaderLabels({QString(), tr("Run"), tr("Parameters"), tr("State")});
    m_list->setRootIsDecorated(false);
    m_list->setAccessibleName(tr("Runs"));
    m_list->setToolTip(tr("Tick runs to compare them"));
    m_list->header()->setSectionResizeMode(ParametersColumn, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(NameColumn, QHeaderView::ResizeToContents);
    m_list->header()->setMinimumSectionSize(tickWidth);
    m_list->header()->setSectionResizeMode(TickColumn, QHeaderView::Fixed);
    m_list->setColumnWidth(TickColumn, tickWidth);
    m_list->header()->setSectionResizeMode(StateColumn, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    layout->addWidget(m_list, 1);
    connect(m_list, &QTreeWidget::itemChanged, this, &LabPage::refreshCanvas);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &LabPage::refreshState);

    auto* line = new QHBoxLayout;
    m_resume = toolButton(tr("Resume"), tr("Go on with the chosen run from its checkpoint"));
    m_open = toolButton(tr("Open"), tr("Look at what the chosen run trained in the other views"));
    m_more = toolButton(tr("More"), tr("Save, show or remove the chosen run"));
    m_openMenu = new QMenu(m_open);
    m_moreMenu = new QMenu(m_more);
    m_open->setMenu(m_openMenu);
    m_more->setMenu(m_moreMenu);
    for (QToolButton* each : {m_open, m_more})
        each->setPopupMode(QToolButton::InstantPopup);
    for (QToolButton* each : {m_resume, m_open, m_more})
        line->addWidget(each);
    line->addStretch(1);
    layout->addLayout(line);
    connect(m_resume, &QToolButton::clicked, this, &LabPage::resumeSelected);
    connect(m_openMenu, &QMenu::aboutToShow, this, &LabPage::fillOpenMenu);
    connect(m_moreMenu->addAction(tr("Save the ticked runs as a &figure\u2026")), &QAction::triggered, this, &LabPage::saveFigure);
    connect(m_moreMenu->addAction(tr("&Copy the run to a folder\u2026")), &QAction::triggered, this, &LabPage::saveCopy);
    connect(m_moreMenu->addAction(tr("&Show its files")), &QAction::triggered, this, [this] {
        if (const ShelvedRun* run = selected())
            QDesktopServices::openUrl(QUrl::fromLocalFile(run->folder));
    });
    m_moreMenu->addSeparator();
    connect(m_moreMenu->addAction(tr("&Remove the run")), &QAction::triggered, this, &LabPage::removeSelected);
}

void LabPage::setChoice(const Choice& choice)
{
    m_lab->setChoice(choice);
    if (m_shown != choice.id) {
        m_shown = choice.id;
        listPresets(labOf(choice));
        if (ticked().empty())
            refreshCanvas();
    }
    const auto isChoice = [&](int index) { return parseChoice(m_presets->itemData(index).toString().toStdString(), labs(), "lab") == choice; };
    int index = m_presets->count() - 1;
    while (index >= 0 && !isChoice(index))
        --index;
    m_presets->setCurrentIndex(index);
}

void LabPage::listPresets(const Lab& lab)
{
    m_presets->clear();
    m_presets->addItem(tr("Defaults"), QString::fromStdString(lab.id));
    for (const Preset& preset : lab.presets) {
        m_presets->addItem(QString::fromStdString(preset.label), QString::fromStdString(preset.text));
        m_presets->setItemData(m_presets->count() - 1, QString::fromStdString(preset.source), Qt::ToolTipRole);
    }
}

void LabPage::start() { begin({.choice = m_lab->choice(), .folder = m_shelf.newFolder(m_lab->choice()).toStdString()}); }

void LabPage::resumeSelected()
{
    if (const ShelvedRun* run = selected())
        begin({.choice = run->record.choice, .folder = run->folder.toStdString(), .resume = true});
}

void LabPage::begin(const LabRun& run)
{
    if (m_runner.isRunning())
        return;
    m_runner.start(run);
    const QString folder = QString::fromStdString(run.folder);
    if (std::ranges::find(m_runs, folder, &ShelvedRun::folder) == m_runs.end())
        m_runs.insert(m_runs.begin(), {folder.section(QLatin1Char('/'), -1), folder, m_runner.record()});
    refreshList(folder);
}

void LabPage::ended(const QString& problem)
{
    if (!problem.isEmpty())
        m_messages.say(MessageBar::Kind::Error, problem);
    const QString folder = QString::fromStdString(m_runner.run().folder);
    m_runs = m_shelf.runs();
    refreshList(std::ranges::find(m_runs, folder, &ShelvedRun::folder) == m_runs.end() ? QString() : folder);
}

bool LabPage::isRunning(const ShelvedRun& run) const { return m_runner.isRunning() && m_runner.run().folder == run.folder.toStdString(); }

/// `tick`: the one run to be ticked and chosen; empty: as they were.
void LabPage::refreshList(const QString& tick)
{
    QStringList before;
    for (const ShelvedRun* run : ticked())
        before << run->folder;
    const QString chosen = selected() ? selected()->folder : QString();
    {
        const QSignalBlocker blocker(m_list);
        m_list->clear();
        for (const ShelvedRun& run : m_runs) {
            auto* item = new QTreeWidgetItem(m_list, {QString(), run.name, parametersOf(run.record.choice), {}});
            item->setSizeHint(NameColumn, {m_list->fontMetrics().horizontalAdvance(run.name) + padding, rowHeight});
            item->setData(NameColumn, Qt::UserRole, run.folder);
            item->setToolTip(ParametersColumn, Qt::convertFromPlainText(item->text(ParametersColumn)));
            item->setCheckState(TickColumn, (tick.isEmpty() ? before.contains(run.folder) : run.folder == tick) ? Qt::Checked : Qt::Unchecked);
            if (run.folder == (tick.isEmpty() ? chosen : tick))
                m_list->setCurrentItem(item);
        }
    }
    refreshState();
    refreshCanvas();
}

void LabPage::refreshState()
{
    const bool running = m_runner.isRunning();
    m_start->setEnabled(!running);
    m_pause->setEnabled(running);
    m_pause->setText(m_runner.isPaused() ? tr("Go on") : tr("Pause"));
    m_cancel->setEnabled(running);
    const LabRecord& record = m_runner.record();
    m_bar->setValue(running ? static_cast<int>(record.fraction * progressSteps) : 0);
    m_stage->setText(!running ? QString() : m_runner.isPaused() ? tr("paused") : QString::fromStdString(record.stage));
    m_left->setText(m_runner.timeLeft());
    {
        const QSignalBlocker blocker(m_list);
        for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
            const ShelvedRun* run = runOf(m_list->topLevelItem(row));
            if (!run)
                continue;
            const LabRecord& known = isRunning(*run) ? record : run->record;
            const QString done = tr("%1 %").arg(static_cast<int>(100 * known.fraction));
            m_list->topLevelItem(row)->setText(StateColumn, known.finished ? tr("done") : isRunning(*run) ? done : tr("stopped, %1").arg(done));
        }
    }
    const ShelvedRun* run = selected();
    m_resume->setEnabled(run && !running && !run->record.finished);
    m_more->setEnabled(run && !isRunning(*run));
    m_open->setEnabled(run && std::ranges::any_of(run->record.files, [](const LabFile& file) { return file.scenario.has_value(); }));
}

void LabPage::fillOpenMenu()
{
    m_openMenu->clear();
    if (const ShelvedRun* run = selected())
        for (std::size_t i = 0; i < run->record.files.size(); ++i)
            if (run->record.files[i].scenario)
                connect(m_openMenu->addAction(QString::fromStdString(run->record.files[i].about)), &QAction::triggered, this, [this, i] {
                    if (const ShelvedRun* now = selected())
                        open(*now, i);
                });
}

bool LabPage::open(const ShelvedRun& run, std::size_t file)
{
    if (file >= run.record.files.size() || !run.record.files[file].scenario)
        return false;
    m_document.replace(tr("Open a lab's result"), *run.record.files[file].scenario);
    m_document.endGesture();
    m_messages.say(MessageBar::Kind::Note, tr("%1: %2").arg(run.name, QString::fromStdString(run.record.files[file].about)));
    emit opened();
    return true;
}

const ShelvedRun* LabPage::selected() const
{
    return runOf(m_list->currentItem());
}

/// Null: it is on its way out of the list.
const ShelvedRun* LabPage::runOf(const QTreeWidgetItem* item) const
{
    const auto found = item ? std::ranges::find(m_runs, item->data(NameColumn, Qt::UserRole).toString(), &ShelvedRun::folder) : m_runs.end();
    return found == m_runs.end() ? nullptr : &*found;
}

std::vector<const ShelvedRun*> LabPage::ticked() const
{
    std::vector<const ShelvedRun*> runs;
    for (int row = 0; row < m_list->topLevelItemCount(); ++row)
        if (const ShelvedRun* run = runOf(m_list->topLevelItem(row)); run && m_list->topLevelItem(row)->checkState(TickColumn) == Qt::Checked)
            runs.push_back(run);
    return runs;
}

/// The ticked runs of the first one's lab.
void LabPage::refreshCanvas()
{
    std::vector<ShownRun> shown;
    for (const ShelvedRun* run : ticked()) {
        const LabRecord& record = isRunning(*run) ? m_runner.record() : run->record;
        if (shown.empty() || record.choice.id == shown.front().record->choice.id)
            shown.push_back({run->name, &record});
    }
    m_canvas->show(labOf(shown.empty() ? m_lab->choice() : shown.front().record->choice), shown);
}

void LabPage::removeSelected()
{
    const ShelvedRun* run = selected();
    if (!run || isRunning(*run))
        return;
    m_files.add([shelf = m_shelf, gone = *run] { return Filed{shelf.remove(gone), {}, true}; });
    std::erase_if(m_runs, [gone = run->folder](const ShelvedRun& one) { return one.folder == gone; });
    refreshList();
}

void LabPage::saveCopy()
{
    if (!selected())
        return;
    if (const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the copy")); !folder.isEmpty())
        copySelectedTo(folder);
}

void LabPage::copySelectedTo(const QString& folder)
{
    if (const ShelvedRun* run = selected())
        m_files.add([shelf = m_shelf, copied = *run, folder] { return Filed{shelf.copy(copied, folder), tr("Copied to %1").arg(folder)}; });
}

void LabPage::saveFigure()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the figure"), QStringLiteral("lab.pdf"), tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"));
    if (!path.isEmpty())
        saveFigureAs(path);
}

void LabPage::saveFigureAs(const QString& path)
{
    Recipe recipe;
    recipe.name = "lab_run";
    recipe.kind = "lab_run";
    recipe.widthMm = 183;
    for (const ShelvedRun* run : ticked())
        if (!isRunning(*run))
            recipe.parameters["folders"].push_back(run->folder.toStdString());
    m_files.add([recipe, path] { return Filed{renderFigure(recipe, path.toStdString(), {}, {}), tr("Saved %1").arg(path)}; });
}

}  // namespace attnscope

#include "moc_lab_page.cpp"

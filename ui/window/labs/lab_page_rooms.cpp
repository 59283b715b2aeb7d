// What the Labs workspace is built of: the controls of a lab, and beside it the scoreboard and sweeps.

#include "ui/window/labs/lab_page.h"

#include "ui/window/controls/choice_control.h"
#include "ui/window/controls/elided.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/controls/number_control.h"
#include "ui/window/labs/lab_canvas.h"
#include "ui/window/labs/lab_rooms.h"
#include "ui/window/labs/scoreboard_page.h"
#include "ui/window/labs/sweep_page.h"
#include "ui/window/labs/tours_page.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int tickWidth = 26;
const QString labRoom = QStringLiteral("lab"), boardRoom = QStringLiteral("scoreboard"), toursRoom = QStringLiteral("tours"), sweepRoom = QStringLiteral("sweep:");

/// As high as what it holds, where there is room: QScrollArea asks for the size of what it holds once.
class FittedScroll : public QScrollArea {
public:
    explicit FittedScroll(QWidget* content)
    {
        setWidget(content);
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    }
    QSize sizeHint() const override { return widget()->sizeHint(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == widget() && event->type() == QEvent::LayoutRequest)
            updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }
};

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

QWidget* LabPage::buildRooms()
{
    m_rooms->add(labRoom, tr("Experiments"), tr("Train something, test it at other lengths, and compare runs"), buildControls(), m_canvas);
    m_rooms->add(boardRoom, tr("Scoreboard"), tr("Every scale method on every task, against vanilla, from all runs together"), m_board->controls(), m_board);
    m_rooms->add(toursRoom, tr("Tours"), tr("One instance under two scales, side by side; the tour follows the slider"), m_toursPage->controls(), m_toursPage);
    return m_rooms;
}

void LabPage::connectRooms()
{
    connect(m_board, &ScoreboardPage::failed, this, [this](const QString& message) { m_messages.say(MessageBar::Kind::Error, message); });
    connect(m_board, &ScoreboardPage::figureAsked, this, &LabPage::figureAsked);
    connect(m_board, &ScoreboardPage::runAsked, this, &LabPage::openRun);
    connect(m_board, &ScoreboardPage::labAsked, this, [this](const Choice& choice, bool shown) {
        shown ? showLab(choice) : setChoice(choice);
    });
}

void LabPage::showScoreboard() { m_rooms->show(boardRoom); }

void LabPage::showTours() { m_rooms->show(toursRoom); }

void LabPage::showLab(const Choice& choice)
{
    setChoice(choice);
    m_rooms->show(labRoom);
}

void LabPage::openRun(const QString& folder)
{
    m_rooms->show(labRoom);
    if (std::ranges::find(m_runs, folder, &ShelvedRun::folder) == m_runs.end())
        m_runs = m_shelf.runs();
    const auto run = std::ranges::find(m_runs, folder, &ShelvedRun::folder);
    if (run == m_runs.end())
        return m_messages.say(MessageBar::Kind::Error, tr("%1 is not there any more; choose another run").arg(folder));
    m_listed = true;
    setChoice(run->record.choice);
    refreshList(folder);
}

SweepPage& LabPage::openSweep(const QString& folder)
{
    const QString path = QDir(folder).absolutePath(), id = sweepRoom + path;
    if (!m_rooms->has(id)) {
        auto* page = new SweepPage(path);
        m_sweeps.push_back(page);
        m_rooms->add(id, tr("Sweep: %1").arg(QFileInfo(path).fileName()), path, page->controls(), page);
        connect(page, &SweepPage::closeAsked, this, [this, page, id] {
            std::erase(m_sweeps, page);
            m_rooms->remove(id);
        });
    }
    m_rooms->show(id);
    return **std::ranges::find(m_sweeps, path, &SweepPage::folder);
}

QWidget* LabPage::buildControls()
{
    auto* side = new QWidget;
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_lab = new ChoiceControl(tr("Lab"), entriesOf(labs()), tr("What is trained"));
    m_lab->leaveOutPresets();
    m_presets = new ElidedList;
    m_presets->setAccessibleName(tr("Preset"));
    m_presets->setToolTip(tr("Parameters that belong together"));
    m_presets->setPlaceholderText(tr("own values"));
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
    layout->addWidget(new FittedScroll(inside), 2);  // what it does not need is the runs'
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

}  // namespace attnscope

// What the Labs workspace is built of: the controls of a lab, and beside it the scoreboard and sweeps.

#include "ui/plot/qt_text.h"
#include "ui/labs/lab_page.h"

#include "ui/widgets/building.h"
#include "ui/widgets/choice_control.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/workbench/document.h"
#include "ui/labs/lab_canvas.h"
#include "ui/labs/lab_sections.h"
#include "ui/labs/lab_text_fields.h"
#include "ui/labs/scoreboard_page.h"
#include "ui/labs/sweep_page.h"
#include "ui/labs/tours_page.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QScrollArea>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QUrl>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int tickWidth = 26;
const QString labSection = u"lab"_s, boardSection = u"scoreboard"_s, toursSection = u"tours"_s,
              sweepSection = u"sweep:"_s;

/// As high as what it holds, where there is room: QScrollArea asks for the size of what it holds once.
class FittedScroll : public QScrollArea {
public:
    explicit FittedScroll(QWidget* content)
    {
        letScroll(*this, content);
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

/// Says in its place that there is none.
class RunList : public QTreeWidget {
protected:
    void paintEvent(QPaintEvent* event) override
    {
        QTreeWidget::paintEvent(event);
        if (topLevelItemCount() > 0)
            return;
        QPainter painter(viewport());
        painter.setPen(currentTheme().muted);
        painter.drawText(viewport()->rect().adjusted(6, 8, -6, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         u"No run yet. Start makes one, which is listed here."_s);
    }
};

/// The run's name, and below it what another column says of it: there it would have a few letters' room.
class RunRow : public QStyledItemDelegate {
public:
    RunRow(int below, QObject* parent) : QStyledItemDelegate(parent), m_below(below) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyleOptionViewItem ground = option;
        initStyleOption(&ground, index);
        ground.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);
        constexpr int left = 6, right = 4, up = 2;
        const QRect room = option.rect.adjusted(left, up, -right, -up);
        const QFontMetrics letters(option.font);
        const auto line = [&](int top, const QString& words, const QColor& colour) {
            painter->setPen(colour);
            painter->drawText(QRect(room.left(), top, room.width(), room.height() / 2), Qt::AlignVCenter,
                              letters.elidedText(words, Qt::ElideRight, room.width()));
        };
        painter->setFont(option.font);
        line(room.top(), index.data().toString(), currentTheme().text);
        line(room.top() + room.height() / 2, index.siblingAtColumn(m_below).data().toString(), currentTheme().muted);
    }

private:
    int m_below;
};

}  // namespace

QWidget* LabPage::buildSections()
{
    m_sections->add(labSection, u"Experiments"_s, u"Train something, test it at other lengths, and compare runs"_s,
                    buildControls(), m_canvas);
    m_sections->add(boardSection, u"Scoreboard"_s,
                    u"Every scale method on every task, against Vanilla, from all runs together"_s, m_board->controls(),
                    m_board);
    m_sections->add(toursSection, u"Tours"_s,
                    u"One instance under two scales, side by side; the tour follows the slider"_s,
                    m_toursPage->controls(), m_toursPage);
    return m_sections;
}

void LabPage::connectSections()
{
    connect(m_sections, &LabSections::sectionShown, this, [this](const QString& id) {
        if (std::ranges::find(labPageIds, id.toStdString()) != labPageIds.end())  // and no sweep
            m_document.editLook([&](Look& look) { look.labs.page = id.toStdString(); });
    });
    connect(m_board, &ScoreboardPage::failed, this,
            [this](const QString& message) { m_messages.say(MessageBar::Kind::Error, message); });
    connect(m_board, &ScoreboardPage::figureAsked, this, &LabPage::figureAsked);
    connect(m_toursPage, &ToursPage::figureAsked, this, &LabPage::figureAsked);
    connect(m_board, &ScoreboardPage::runAsked, this, &LabPage::openRun);
    connect(m_board, &ScoreboardPage::labAsked, this,
            [this](const Choice& choice, bool shown) { shown ? showLab(choice) : setChoice(choice); });
}

std::optional<Recipe> LabPage::shownFigure() const
{
    if (m_sections->shown() == boardSection)
        return m_board->figure("scoreboard");
    if (m_sections->shown() == toursSection)
        return m_toursPage->figure();
    const Recipe recipe = figureOfTicked();
    return m_sections->shown() == labSection && recipe.parameters.contains("folders") ? std::optional(recipe)
                                                                                      : std::nullopt;
}

void LabPage::showScoreboard() { m_sections->show(boardSection); }

void LabPage::showTours() { m_sections->show(toursSection); }

void LabPage::showLab(const Choice& choice)
{
    setChoice(choice);
    m_sections->show(labSection);
}

void LabPage::openRun(const QString& folder)
{
    m_sections->show(labSection);
    if (std::ranges::find(m_runs, folder, &StoredRun::folder) == m_runs.end())
        m_runs = m_store.runs();
    const auto run = std::ranges::find(m_runs, folder, &StoredRun::folder);
    if (run == m_runs.end())
        return m_messages.say(MessageBar::Kind::Error, u"%1 is not there any more; choose another run"_s.arg(folder));
    m_listed = true;
    setChoice(run->record.choice);
    refreshList(folder);
}

SweepPage& LabPage::openSweep(const QString& folder)
{
    const QString path = QDir(folder).absolutePath(), id = sweepSection + path;
    if (!m_sections->has(id)) {
        auto* page = new SweepPage(path);
        m_sweeps.push_back(page);
        m_sections->add(id, u"Sweep: %1"_s.arg(QFileInfo(path).fileName()), path, page->controls(), page);
        connect(page, &SweepPage::closeAsked, this, [this, page, id] {
            std::erase(m_sweeps, page);
            m_sections->remove(id);
        });
    }
    m_sections->show(id);
    return **std::ranges::find(m_sweeps, path, &SweepPage::folder);
}

QWidget* LabPage::buildControls()
{
    m_lab = new ChoiceControl(u"Lab"_s, entriesOf(labs()), u"What is trained"_s);
    m_lab->editTextsBy([](const Entry& entry) -> TextEditor* {
        const Lab& lab = static_cast<const Lab&>(entry);
        return LabTextFields::isFor(lab) ? new LabTextFields(lab) : nullptr;
    });
    m_presets = new ElidedList;
    m_presets->setPlaceholderText(u"own values"_s);
    m_lab->takePresets(captionedLine(u"Preset"_s, m_presets, u"Parameters that belong together"_s));
    auto* inside = new QWidget;
    inColumn(inside, {m_lab, stretch()});
    connect(m_lab, &ChoiceControl::edited, this, [this](const Choice& choice) { setChoice(choice); });
    connect(m_lab, &ChoiceControl::finished, &m_document, &Document::endGesture);
    connect(m_presets, &QComboBox::activated, &m_document, &Document::endGesture);
    connect(m_presets, &QComboBox::activated, this, [this](int index) {
        if (const auto choice = parseChoice(m_presets->itemData(index).toString().toStdString(), labs(), "lab"))
            setChoice(*choice);
    });

    m_start = pushButton(u"Start"_s, u"Train with the parameters below; the run is kept in the list"_s);
    m_start->setProperty("primary", true);
    m_pause = pushButton(u"Pause"_s, u"Hold the run where it is, and let it go on"_s);
    m_cancel = pushButton(u"Stop"_s, u"End the run here; what it has learned is kept, and Resume goes on from there"_s);
    connect(m_start, &QPushButton::clicked, this, &LabPage::start);
    connect(m_pause, &QPushButton::clicked, this, [this] { m_runner.setPaused(!m_runner.isPaused()); });
    connect(m_cancel, &QPushButton::clicked, this, &LabPage::cancel);

    m_bar = new QProgressBar;
    m_bar->setRange(0, progressSteps);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(4);
    m_bar->setAccessibleName(u"Progress of the run"_s);
    keepPlace(*m_bar);
    m_stage = elidedCaption(u"What it does"_s);  // whatever a lab says, the column keeps its width
    m_left = textLabel({}, "caption");
    m_left->setAccessibleDescription(u"Time left"_s);
    QLayout* runs = buildRunList();
    auto* side = new QWidget;
    inColumn(side,
             {inRow({m_start, m_pause, m_cancel}),
              m_bar,
              inRow({{m_stage, 1}, m_left}),
              {new FittedScroll(inside), 2},
              {m_list, 1},
              runs},
             8);  // above the parameters, where they stay as those open; what these do not need is the runs'
    return side;
}

/// The list, and the buttons below it, which are returned.
QLayout* LabPage::buildRunList()
{
    m_list = described(new RunList, u"Runs"_s, u"Tick runs to compare them"_s);
    m_list->setHeaderLabels({QString(), u"Runs, and what tells them apart"_s, {}, u"State"_s});
    m_list->setRootIsDecorated(false);
    m_list->setColumnHidden(ParametersColumn, true);  // it is the second line of the names
    m_list->setItemDelegateForColumn(NameColumn, new RunRow(ParametersColumn, m_list));
    m_list->header()->setSectionResizeMode(NameColumn, QHeaderView::Stretch);
    m_list->header()->setMinimumSectionSize(tickWidth);
    m_list->header()->setSectionResizeMode(TickColumn, QHeaderView::Fixed);
    m_list->setColumnWidth(TickColumn, tickWidth);
    m_list->header()->setSectionResizeMode(StateColumn, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    connect(m_list, &QTreeWidget::itemChanged, this, &LabPage::refreshCanvas);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &LabPage::refreshState);

    m_resume = toolButton(u"Resume"_s, u"Go on with the chosen run from its checkpoint"_s);
    m_open = toolButton(u"Open"_s, u"Look at what the chosen run trained in the other views"_s);
    m_more = toolButton(u"More"_s, u"Save, show or remove the chosen run"_s);
    m_openMenu = new QMenu(m_open);
    m_moreMenu = new QMenu(m_more);
    m_open->setMenu(m_openMenu);
    m_more->setMenu(m_moreMenu);
    for (QToolButton* each : {m_resume, m_open, m_more})
        each->setProperty("framed", true);  // else its words begin right of all others
    for (QToolButton* each : {m_open, m_more})
        each->setPopupMode(QToolButton::InstantPopup);
    connect(m_resume, &QToolButton::clicked, this, &LabPage::resumeSelected);
    connect(m_openMenu, &QMenu::aboutToShow, this, &LabPage::fillOpenMenu);
    m_moreMenu->addAction(u"Save the ticked runs as a &figure\u2026"_s, this, &LabPage::saveFigure);
    m_moreMenu->addAction(u"&Copy the run to a folder\u2026"_s, this, &LabPage::saveCopy);
    m_moreMenu->addAction(u"&Show its files"_s, this, [this] {
        if (const StoredRun* run = selected())
            QDesktopServices::openUrl(QUrl::fromLocalFile(run->folder));
    });
    m_moreMenu->addSeparator();
    m_moreMenu->addAction(u"&Move the run to the trash"_s, this, &LabPage::removeSelected);
    return inRow({m_resume, m_open, m_more, stretch()});
}

}  // namespace attnscope

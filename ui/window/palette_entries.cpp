#include "ui/window/palette_entries.h"

#include "core/analysis/head_numbers.h"
#include "core/analysis/source.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/labs/lab.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"
#include "core/tuning/exports.h"
#include "ui/figure/figure.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/message_bar.h"
#include "ui/views/methods_panel.h"
#include "ui/labs/lab_page.h"
#include "ui/workbench/lesson.h"
#include "ui/model/model_page.h"
#include "ui/workbench/scale_search.h"
#include "ui/window/main_window.h"
#include "ui/window/workspaces.h"
#include "ui/workbench/open_tensors.h"
#include "ui/explore/file_heads_view.h"
#include "ui/explore/learn_view.h"
#include "ui/learn/manual_view.h"

#include <QAction>
#include <QDockWidget>
#include <QHash>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QSet>
#include <QToolButton>

#include <algorithm>

namespace attnscope {

namespace {

/// `about`: searched where the name is not found.
PaletteEntry& addEntry(std::vector<PaletteEntry>& entries, const QString& kind, const QString& name,
                       const QString& about, std::function<void()> run)
{
    entries.push_back({.kind = kind, .name = name, .key = {}, .run = std::move(run), .about = about});
    return entries.back();
}

/// What people call it who do not know its name.
QString alsoCalled(const QString& name)
{
    static const QHash<QString, QString> others{{u"Present"_s, u"one view alone on stage"_s},
                                                {u"Tick Custom"_s, u"a formula, an expression of your own"_s},
                                                {u"Untick Custom"_s, u"a formula, an expression of your own"_s}};
    const QString other = others.value(name);
    return other.isEmpty() ? name : u"%1: %2"_s.arg(name, other);
}

/// Of parts that are empty without a file of tensors: what they show.
QString shownOfAFile(const QString& dock)
{
    static const QHash<QString, QString> parts{{u"heads"_s, u"The heads of a layer, compared"_s},
                                               {u"all heads"_s, u"Every head of the file, the worst first"_s},
                                               {u"tensors"_s, u"What a file of tensors holds"_s}};
    return parts.value(dock);
}

void addParts(std::vector<PaletteEntry>& entries, MainWindow& window)
{
    for (const QDockWidget* dock :
         window.explore().docks()) {  // to the front: one that lies behind another would be hidden by its menu's line
        const QString name = dock->objectName(), title = dock->windowTitle(), ofFile = shownOfAFile(name);
        if (name == u"learn"_s && window.document().visited().isEmpty())
            continue;  // the lessons themselves are found
        addEntry(entries, u"Part"_s, title, ofFile, [&window, name, title, ofFile] {
            window.showDock(name);
            if (!ofFile.isEmpty() && !window.document().scenario().ofFile())
                window.messages().say(MessageBar::Kind::Note, u"%1 needs a file of tensors: open one with Ctrl+O. The "
                                                              "heads of a model are in Model"_s.arg(title));
        });
    }
    if (window.document().scenario().ofFile())
        addEntry(entries, u"Part"_s, u"All heads over time"_s, u"A line a head against the step of a training"_s,
                 [&window] {
                     window.showDock(u"all heads"_s);
                     if (QToolButton* button = window.explore().fileHeads().overTime(); !button->isChecked())
                         button->click();
                 });
}

QString withoutMnemonic(QString text) { return text.remove(QLatin1Char('&')).remove(u"\u2026"_s); }

/// Lines that say what they do only below the title of their menu: of which kind they are without it, and with which
/// verb.
struct LinesOfMenu {
    QString menu, kind, name;
};

const LinesOfMenu* linesOf(const QString& menu)
{
    static const LinesOfMenu lines[] = {
        {u"Open an example model"_s, u"Model"_s, u"Open model %1"_s},
        {u"Open the heads of an example model"_s, u"Heads"_s, u"Open the heads of %1 in Explore"_s},
        {u"Open from another program"_s, u"Model"_s, u"Open %1"_s},
        {u"Open recent"_s, u"Recent"_s, u"%1"_s}};
    const auto line = std::ranges::find(lines, menu, &LinesOfMenu::menu);
    return line == std::end(lines) ? nullptr : line;
}

/// `title`: of a menu in a menu, by which its lines are found too.
void addCommands(std::vector<PaletteEntry>& entries, const QMenu& menu, const QString& kind, const QString& title = {})
{
    const LinesOfMenu* lines = linesOf(title);
    for (QAction* action : menu.actions()) {
        const QString text = withoutMnemonic(action->text());
        if (action->menu())
            addCommands(entries, *action->menu(), kind, text);
        else if (action->isEnabled() && !action->isSeparator() && !text.isEmpty() &&
                 !qobject_cast<const QDockWidget*>(action->parent()))
            entries.push_back({lines             ? lines->kind
                               : title.isEmpty() ? kind
                                                 : kind + u", "_s + title,
                               lines ? lines->name.arg(action->data().isValid() ? action->data().toString() : text)
                                     : alsoCalled(text),
                               action->shortcut().toString(QKeySequence::NativeText),
                               [action = QPointer(action)] {
                                   if (action)
                                       action->trigger();
                               },
                               title.isEmpty() ? action->toolTip() : title + u": "_s + action->toolTip()});
    }
}

/// The registry's rows, each of which goes into a field of the scenario.
template <class Row>
void addRows(std::vector<PaletteEntry>& entries, Document& document, const QString& kind, std::span<const Row> rows,
             Choice& (*field)(Scenario&))
{
    for (const Row& row : rows)
        addEntry(entries, kind, text(row.label), text(row.about), [&document, kind, field, id = row.id] {
            document.editOnce(kind, [&](Scenario& scenario) { field(scenario) = {id, {}, {}}; });
        });
}

void addMethods(std::vector<PaletteEntry>& entries, MainWindow& window)
{
    for (const ScaleMethod& method : scaleMethods()) {
        addEntry(entries, u"Methods reference"_s, text(method.label), text(method.about),
                 [&window, id = text(method.id)] { window.showSource(id); });
        const auto& ticked = window.document().scenario().methods;
        const bool isTicked = std::ranges::any_of(ticked, [&](const Choice& choice) { return choice.id == method.id; });
        const QString name = (isTicked ? u"Untick %1"_s : u"Tick %1"_s).arg(text(method.label));
        addEntry(entries, u"Scale method"_s, alsoCalled(name), {}, [&window, isTicked, id = method.id] {
            if (!isTicked && window.document().scenario().methods.size() >= MethodsPanel::most)
                return window.messages().say(
                    MessageBar::Kind::Note,
                    u"%1 methods are compared at most; untick one first"_s.arg(MethodsPanel::most));
            window.document().editOnce(u"Methods"_s, [&](Scenario& scenario) {
                if (isTicked)
                    std::erase_if(scenario.methods, [&](const Choice& choice) { return choice.id == id; });
                else
                    tickMethod(scenario.methods, {id, {}, {}});
            });
        });
    }
}

/// Layers as the file names them, and the heads of the one that is looked at.
void addHeads(std::vector<PaletteEntry>& entries, MainWindow& window)
{
    const OfferedFilePtr file = window.offers().current();
    const Scenario& now = window.document().scenario();
    if (!file || !now.ofFile())
        return;
    for (std::size_t i = 0; i < file->offers.size(); ++i)
        addEntry(entries, u"Layer"_s, labelInWords(file->offers[i].candidate.label), {}, [&window, file, i] {
            window.document().replaceOnce(u"Layer"_s, scenarioFor(window.document().scenario(), *file, i));
        });
    const auto sizes = sizesOf(file->file, now.tensors);
    for (int head = 0; sizes && head < sizes->heads; ++head)
        addEntry(entries, u"Head"_s, u"Head %1"_s.arg(head), {}, [&window, head] {
            window.document().editOnce(u"Head"_s, [&](Scenario& scenario) {
                scenario.tensors.head = head;
                scenario.tensors.mean.clear();
            });
        });
}

/// What heads are told apart by: of the file that is looked at, or of the model.
void addKindsOfHeads(std::vector<PaletteEntry>& entries, MainWindow& window)
{
    const bool ofFile =
        window.offers().current() && window.document().scenario().ofFile() && window.workspace() != modelWorkspace;
    for (const HeadMeasure& measure : ofFile ? headMeasures() : modelHeadMeasures())
        addEntry(entries, u"Heads"_s, u"Heads by %1"_s.arg(text(measure.label)), text(measure.about),
                 [&window, &measure, ofFile] {
                     if (ofFile) {
                         window.showDock(u"all heads"_s);
                         return window.explore().fileHeads().rankBy(measure);
                     }
                     window.setWorkspace(modelWorkspace);
                     window.model().rankHeadsBy(measure);
                 });
}

void addThingsToOpen(std::vector<PaletteEntry>& entries, MainWindow& window)
{
    for (std::size_t i = 0; i < lessons().size(); ++i) {
        const auto add = [&](const QString& name, std::size_t step, const QString& about) -> PaletteEntry& {
            return addEntry(entries, u"Lesson"_s, name, about, [&window, i, step] {
                window.showDock(u"learn"_s);
                window.explore().learn().openLesson(static_cast<int>(i), static_cast<int>(step));
            });
        };
        const Lesson& lesson = lessons()[i];
        add(lesson.title, 0, lesson.about);
        for (std::size_t step = 0; step < lesson.steps.size(); ++step)
            add(u"%1: %2"_s.arg(lesson.title, lesson.steps[step].title), step, lesson.steps[step].text).isRead = true;
    }
    for (const GalleryRow& figure : gallery())
        addEntry(entries, u"Figure"_s, plainText(text(figure.title)), {}, [&window, name = figure.name] {
            if (const auto recipe = loadRecipe(name))
                window.openFigure(*recipe);
        });
    const auto addFind = [&](const QString& name, const QString& target, const QString& about) {
        addEntry(entries, u"Model"_s, name, about, [&window, target] {
            window.setWorkspace(modelWorkspace);
            window.model().findScale(target);
        });
    };
    addFind(u"Find the scale"_s, {}, u"Which scale or positions are best for this model at a length, ready to paste"_s);
    for (const ExportTarget& target : exportTargets())
        if (target.id != ownTarget)
            addFind(u"Find the scale for %1"_s.arg(text(target.label)), text(target.id), text(target.about));
    addEntry(entries, u"Model"_s, u"Probes: needles and repeated tokens"_s, {}, [&window] {
        window.setWorkspace(modelWorkspace);
        window.model().showProbes();
    });
    addEntry(entries, u"Lab"_s, u"Scoreboard"_s, {}, [&window] {
        window.setWorkspace(labsWorkspace);
        window.labs().showScoreboard();
    });
    addEntry(entries, u"Lab"_s, u"Tours under two scales"_s, {}, [&window] {
        window.setWorkspace(labsWorkspace);
        window.labs().showTours();
    });
    QString page;  // of the part before
    QString pageTitle;
    for (const ManualPart& part : manualParts()) {
        const bool begins = part.page != page;
        if (begins)
            pageTitle = part.title;
        page = part.page;
        PaletteEntry& entry =
            addEntry(entries, u"Manual"_s, begins ? part.title : u"%1: %2"_s.arg(pageTitle, part.title), part.text,
                     [&window, begins, name = part.page, title = part.title] {
                         window.showDock(u"manual"_s);
                         begins ? window.manual().openPage(name) : window.manual().openPart(name, title);
                     });
        entry.isRead = true;
    }
    for (const Lab& lab : labs())
        addEntry(entries, u"Lab"_s, text(lab.label), {}, [&window, id = lab.id] {
            window.setWorkspace(labsWorkspace);
            window.labs().showLab({id, {}, {}});
        });
}

/// What an empty field lists first: the last files, what most people came for, and lessons that were not read yet.
void rankWanted(std::vector<PaletteEntry>& entries)
{
    static const std::pair<QString, QString> actions[] = {{u"File"_s, u"Open"_s},
                                                          {u"File"_s, u"Open a model's folder"_s},
                                                          {u"Model"_s, u"Find the scale"_s},
                                                          {u"Lab"_s, u"Scoreboard"_s},
                                                          {u"File"_s, u"Export a figure"_s},
                                                          {u"Edit"_s, u"Copy the picture"_s},
                                                          {u"View"_s, u"Present"_s},
                                                          {u"Help"_s, u"Keyboard"_s}};
    constexpr int mostFiles = 3, afterFiles = mostFiles + 1,
                  afterActions = afterFiles + static_cast<int>(std::size(actions));
    const QStringList finished = finishedLessons();
    QSet<QString> toRead;
    for (const Lesson& lesson : lessons())
        if (!finished.contains(lesson.id))
            toRead.insert(lesson.title);
    int files = 0;
    for (PaletteEntry& entry : entries) {
        if (entry.kind == u"Recent"_s && files < mostFiles)
            entry.wanted = ++files;
        if (entry.kind == u"Lesson"_s && toRead.contains(entry.name))
            entry.wanted = afterActions;
        const auto* action = std::ranges::find(actions, std::pair(entry.kind, entry.name.section(u": "_s, 0, 0)));
        if (action != std::end(actions))
            entry.wanted = afterFiles + static_cast<int>(action - std::begin(actions));
        entry.helps = entry.kind == u"Help"_s && (entry.name == u"Manual"_s || entry.name == u"Lessons"_s);
    }
}

}  // namespace

std::vector<PaletteEntry> paletteEntries(MainWindow& window)
{
    std::vector<PaletteEntry> entries;
    addParts(entries, window);
    for (const QAction* menu : window.menuBar()->actions())
        if (menu->menu())
            addCommands(entries, *menu->menu(), withoutMnemonic(menu->text()));
    addKindsOfHeads(entries, window);
    addMethods(entries, window);
    Document& document = window.document();
    for (const Entry& source : sourceEntries())
        addEntry(entries, u"Source"_s, text(source.label), {}, [&document, id = source.id] {
            document.replaceOnce(u"Source"_s, withSource(document.scenario(), {id, {}, {}}));
        });
    addRows(entries, document, u"Kernel"_s, kernels(), [](Scenario& s) -> Choice& { return s.attention.kernel; });
    addRows(entries, document, u"Positions"_s, positions(),
            [](Scenario& s) -> Choice& { return s.attention.position; });
    addRows(entries, document, u"Mask"_s, masks(), [](Scenario& s) -> Choice& { return s.attention.mask; });
    addRows(entries, document, u"Normaliser"_s, normalisers(),
            [](Scenario& s) -> Choice& { return s.attention.normaliser; });
    addRows(entries, document, u"Measure"_s, measures(), [](Scenario& s) -> Choice& { return s.view.measure; });
    addHeads(entries, window);
    addThingsToOpen(entries, window);
    rankWanted(entries);
    return entries;
}

}  // namespace attnscope

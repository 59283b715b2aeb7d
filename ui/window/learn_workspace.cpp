#include "ui/explore/explore_page.h"
#include "ui/explore/learn_view.h"
#include "ui/learn/lesson_list.h"
#include "ui/learn/manual_view.h"
#include "ui/learn/reference_view.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/side_by_side.h"
#include "ui/window/main_window.h"
#include "ui/window/workspaces.h"
#include "ui/workbench/lesson.h"

#include <QTabBar>
#include <QTabWidget>

namespace attnscope::workspace {

namespace {

WorkspacePage makeLearnWorkspace(MainWindow& window)
{
    auto* manual = new ManualView;
    auto* reference = new ReferenceView(window.document(), window.analyser());
    auto* lessons = new LessonList;
    QObject::connect(lessons, &LessonList::chosen, &window, [&window](int lesson) {
        window.showDock(u"learn"_s);
        window.explore().learn().openLesson(lesson, begunStep(attnscope::lessons()[static_cast<std::size_t>(lesson)]));
        window.explore().learn().setFocus();
    });
    auto* tabs = new QTabWidget;
    tabs->tabBar()->setDrawBase(false);
    tabs->addTab(manual, u"Manual"_s);
    tabs->addTab(reference, u"Methods reference"_s);
    QFrame* reading = cardOf(tabs, {8, 4, 8, 2});
    auto* page = new SideBySide(learnWorkspace, pane(u"Lessons"_s, lessons), reading, {.inNarrow = 492, .inWide = 724});
    page->reset(window.width());
    return {page, {manual, reference}};
}

}  // namespace

Workspace learn()
{
    return {"Learn",
            "Lessons, the manual, and the methods with their sources",
            {u"manual"_s, u"reference"_s},
            makeLearnWorkspace};
}

}  // namespace attnscope::workspace

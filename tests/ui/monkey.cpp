#include "tests/ui/monkey.h"

#include "core/document/session.h"
#include "tests/model/small_models.h"
#include "ui/widgets/message_bar.h"
#include "ui/views/player.h"
#include "ui/labs/lab_page.h"
#include "ui/labs/lab_sections.h"
#include "ui/workbench/lesson.h"
#include "ui/model/head_view.h"
#include "ui/model/model_controls.h"
#include "ui/model/heads_page.h"
#include "ui/model/model_page.h"
#include "ui/model/probe_page.h"
#include "ui/workbench/session_file.h"
#include "ui/explore/learn_view.h"
#include "ui/window/record_sheet.h"
#include "ui/window/workspaces.h"

#include <QColorDialog>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QTreeWidget>

#include <cmath>
#include <cstdio>
#include <utility>

namespace attnscope::testing {

namespace {

constexpr int answersEvery = 20;  // ms
constexpr Qt::Key keys[] = {
    Qt::Key_Space, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Tab,      Qt::Key_Backtab, Qt::Key_Left, Qt::Key_Right,
    Qt::Key_Up,    Qt::Key_Down,   Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Home,    Qt::Key_End,  Qt::Key_Delete,
    Qt::Key_Plus,  Qt::Key_Minus,  Qt::Key_0,      Qt::Key_1,        Qt::Key_2,       Qt::Key_9,    Qt::Key_A,
    Qt::Key_D,     Qt::Key_E,      Qt::Key_M,      Qt::Key_P,        Qt::Key_T,       Qt::Key_F6};
constexpr const char* shortcuts[] = {"Ctrl+P", "Ctrl+K", "Ctrl+R", "Ctrl+E",      "Ctrl+G", "Ctrl+L",
                                     "Ctrl+N", "Ctrl+S", "Ctrl+O", "F1",          "F11",    "Ctrl+W",
                                     "Ctrl+Q", "Ctrl+F", "?",      "Ctrl+Shift+S"};
constexpr const char* labTexts[] = {
    "eie:epochs=6,steps=2,batch=16,\"4:10:20\"", "eie:epochs=100000,steps=2,batch=16,\"4:10:20\"",
    "max-retrieval:steps=20,batch=8,width=16,seeds=2,sets=8,most_items=32,\"vanilla\"", "eie:\"nonsense\""};
constexpr const char* texts[] = {"1k",           "-3",      "1e9", "512,1024", "once upon a time there was",
                                 "sqrt(log(n))", "\u221a(", ""};

template <class List>
auto& pick(List& list, unsigned number)
{
    return list[number % std::size(list)];
}

}  // namespace

Monkey::Monkey(unsigned seed) : m_random(seed)
{
    prepareApplication();
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QApplication::setQuitOnLastWindowClosed(false);
    for (const char* scheme : {"file", "http", "https"})
        QDesktopServices::setUrlHandler(QString::fromLatin1(scheme), qApp, "aboutToQuit");  // nothing is opened
    makeFiles();
    // queued: a timer is silent while its own answer opens a dialog, which would wait for ever
    QObject::connect(
        &m_answering, &QTimer::timeout, &m_answering, [this] { answer(); }, Qt::QueuedConnection);
    m_answering.start(answersEvery);
    makeWindow({});
}

Monkey::~Monkey()
{
    m_window.reset();
    m_bench.reset();
}

const std::vector<Monkey::Action>& Monkey::actions()
{
    static const std::vector<Action> all{{"click", 30, &Monkey::click},
                                         {"double", 3, &Monkey::doubleClick},
                                         {"context", 4, &Monkey::contextMenu},
                                         {"drag", 8, &Monkey::drag},
                                         {"wheel", 4, &Monkey::wheel},
                                         {"hover", 4, &Monkey::hover},
                                         {"key", 14, &Monkey::key},
                                         {"type", 6, &Monkey::type},
                                         {"workspace", 10, &Monkey::workspace},
                                         {"shortcut", 5, &Monkey::shortcut},
                                         {"length", 5, &Monkey::length},
                                         {"open", 5, &Monkey::open},
                                         {"example", 9, &Monkey::example},
                                         {"heads", 3, &Monkey::heads},
                                         {"model", 7, &Monkey::model},
                                         {"stop", 5, &Monkey::stopModel},
                                         {"probe", 3, &Monkey::probe},
                                         {"rest", 5, &Monkey::restAtModel},
                                         {"explore", 2, &Monkey::explore},
                                         {"lab", 5, &Monkey::lab},
                                         {"lesson", 10, &Monkey::lesson},
                                         {"stage", 4, &Monkey::stage},
                                         {"present", 10, &Monkey::present},
                                         {"pin", 5, &Monkey::pin},
                                         {"record", 2, &Monkey::record},
                                         {"session", 4, &Monkey::session},
                                         {"undo", 8, &Monkey::undo},
                                         {"resize", 3, &Monkey::resize},
                                         {"close", 1, &Monkey::close},
                                         {"destroy", 1, &Monkey::destroy},
                                         {"wait", 12, &Monkey::wait}};
    return all;
}

int Monkey::run(int count)
{
    std::vector<double> weights;
    for (const Action& action : actions())
        weights.push_back(action.weight);
    std::discrete_distribution<std::size_t> choose(weights.begin(), weights.end());
    for (int i = 0; i < count; ++i) {
        const Action& action = actions()[choose(m_random)];
        act(action,
            {static_cast<unsigned>(m_random()), static_cast<unsigned>(m_random()), static_cast<unsigned>(m_random())});
    }
    return 0;
}

int Monkey::replay(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return 2;
    for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
        const QStringList words = line.mid(line.startsWith(mark) ? mark.size() : 0).split(QLatin1Char(' '));
        for (const Action& action : actions())
            if (words.size() >= 4 && words[0] == QLatin1String(action.name))
                act(action, {words[1].toUInt(), words[2].toUInt(), words[3].toUInt()});
    }
    return 0;
}

void Monkey::act(const Action& action, const Numbers& numbers)
{
    std::printf("%s%s %u %u %u  (%s)\n", qPrintable(mark), action.name, numbers[0], numbers[1], numbers[2],
                qPrintable(m_window->workspace()));
    std::fflush(stdout);
    m_answers.seed(numbers[2]);
    m_answered = 0;
    (this->*action.run)(numbers);
    QCoreApplication::processEvents();
    const Look& look = m_window->document().look();
    check(look.pins.size() <= Look::mostPins, QStringLiteral("more pins than there can be"));
    if (const auto read = readSession(writeSession(m_window->session().toKeep())); !read)
        check(false, QStringLiteral("the window cannot be kept: ") + QString::fromStdString(read.error().message));
    if (!m_window->isVisible() && !m_bench->lab.isRunning()) {  // it was closed: the next start
        const Session kept = m_window->session().toKeep();
        m_window.reset();
        m_bench.reset();
        makeWindow(kept);
    }
}

void Monkey::check(bool good, const QString& what)
{
    if (good)
        return;
    std::printf("%s\n", qPrintable(what));
    std::fflush(stdout);
    std::_Exit(3);  // as it is, without a word of what is still running
}

void Monkey::makeWindow(const std::optional<Session>& resumed)
{
    m_bench = std::make_unique<Workbench>(smallScenario());
    QObject::connect(&m_bench->model, &ModelRunner::opened, [this] {
        const ModelRunner& runner = m_bench->model;
        for (const StudyCell& cell : runner.study() ? runner.study()->cells : std::vector<StudyCell>())
            check(cell.logKeys.empty() || std::ssize(cell.logKeys) == runner.model()->architecture.layers,
                  QStringLiteral("a model is shown with the study of another"));
    });
    m_window = std::make_unique<MainWindow>(*m_bench);
    m_window->resize(1280, 800);
    m_window->resetLayout();
    m_window->show();
    if (resumed)
        m_window->session().resume(*resumed);
}

/// Models of different shapes, tensors, sessions, and what is none of these.
void Monkey::makeFiles()
{
    for (const char* name : {"llama", "gpt2", "qwen3"}) {
        const QString folder = m_folder.filePath(QString::fromLatin1(name));
        check(writeModel(smallModel(name), folder.toStdString()).empty(), folder);
        m_files << folder;
    }
    const QString broken = m_folder.filePath(QStringLiteral("broken")),
                  text = m_folder.filePath(QStringLiteral("a.txt"));
    QDir().mkpath(broken);
    for (const QString& path : {text, broken + QStringLiteral("/config.json")}) {
        QFile file(path);
        check(file.open(QIODevice::WriteOnly) && file.write("Once upon a time. ") > 0, path);
    }
    Session session;
    session.scenario = smallScenario();
    session.scenario.n = 2000;  // beyond what is computed at once
    session.look.pins = {smallScenario()};
    session.look.model.text = ModelText::Typed;
    session.look.model.typed = std::string(3000, 'a');
    const QString kept = m_folder.filePath(QStringLiteral("kept.attnscope"));
    check(saveSession(session, kept).has_value(), kept);
    m_files << broken << text << kept << m_folder.filePath(QStringLiteral("not there.npy"));
}

QString Monkey::file(unsigned number) const
{
    return m_files[static_cast<qsizetype>(number % static_cast<unsigned>(m_files.size()))];
}

/// Dialogs and menus that keep an action from coming back are told something.
void Monkey::answer()
{
    if (++m_answered < 3)
        return;
    if (QWidget* popup = QApplication::activePopupWidget()) {
        for (unsigned down = static_cast<unsigned>(m_answers() % 6); down > 0; --down)
            QTest::keyClick(popup, Qt::Key_Down);
        if (QApplication::activePopupWidget() == popup)
            QTest::keyClick(popup, m_answers() % 3 ? Qt::Key_Return : Qt::Key_Escape);
        if (QApplication::activePopupWidget() == popup && m_answered > 10)
            popup->close();
        return;
    }
    auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    if (!dialog)
        return;
    if (auto* files = qobject_cast<QFileDialog*>(dialog)) {
        files->selectFile(files->acceptMode() == QFileDialog::AcceptSave
                              ? m_folder.filePath(QStringLiteral("saved %1").arg(m_answers() % 3))
                              : file(static_cast<unsigned>(m_answers())));
        static_cast<QDialog*>(files)->done(m_answers() % 4 ? QDialog::Accepted : QDialog::Rejected);
    } else if (auto* box = qobject_cast<QMessageBox*>(dialog)) {
        const auto buttons = box->buttons();
        buttons[static_cast<qsizetype>(m_answers() % static_cast<unsigned>(buttons.size()))]->click();
    } else {
        dialog->done(m_answers() % 2 ? QDialog::Accepted : QDialog::Rejected);
    }
}

/// One of what is on the screen and can be reached; a menu or a dialog is in front of the window.
QWidget* Monkey::target(unsigned number, const std::function<bool(QWidget*)>& fits) const
{
    QWidget* top = QApplication::activePopupWidget();
    if (!top)
        top = QApplication::activeModalWidget();
    if (!top)
        top = m_window.get();
    std::vector<QWidget*> all;
    for (QWidget* widget : top->findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && widget->window() == top &&
            !widget->visibleRegion().isEmpty() && (!fits || fits(widget)))
            all.push_back(widget);
    return all.empty() ? (fits ? nullptr : top) : all[number % all.size()];
}

static QPoint somewhere(const QWidget& widget, unsigned number)
{
    return {static_cast<int>(number % static_cast<unsigned>(std::max(1, widget.width()))),
            static_cast<int>(number / 4096 % static_cast<unsigned>(std::max(1, widget.height())))};
}

void Monkey::click(const Numbers& numbers)
{
    QWidget* at = target(numbers[0]);
    QTest::mouseClick(at, Qt::LeftButton, numbers[2] % 8 == 0 ? Qt::ShiftModifier : Qt::NoModifier,
                      somewhere(*at, numbers[1]));
}

void Monkey::doubleClick(const Numbers& numbers)
{
    QWidget* at = target(numbers[0]);
    QTest::mouseDClick(at, Qt::LeftButton, {}, somewhere(*at, numbers[1]));
}

void Monkey::contextMenu(const Numbers& numbers)
{
    QWidget* at = target(numbers[0]);
    const QPoint place = somewhere(*at, numbers[1]);
    QTest::mouseClick(at, Qt::RightButton, {}, place);
    QContextMenuEvent asked(QContextMenuEvent::Mouse, place, at->mapToGlobal(place));
    QApplication::sendEvent(at, &asked);
}

void Monkey::drag(const Numbers& numbers)
{
    const QPointer<QWidget> at = target(numbers[0]);
    const QPoint from = somewhere(*at, numbers[1]), to = somewhere(*at, numbers[2]);
    QTest::mousePress(at, Qt::LeftButton, {}, from);
    for (int step = 1; step <= 6 && at; ++step) {
        QMouseEvent move(QEvent::MouseMove, from + (to - from) * step / 6,
                         at->mapToGlobal(from + (to - from) * step / 6), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(at, &move);
        QCoreApplication::processEvents();
    }
    if (at)
        QTest::mouseRelease(at, Qt::LeftButton, {}, to);
}

void Monkey::wheel(const Numbers& numbers) { turn(target(numbers[0]), static_cast<int>(numbers[1] % 7) - 3); }

void Monkey::hover(const Numbers& numbers)
{
    QWidget* at = target(numbers[0]);
    attnscope::testing::hover(at, somewhere(*at, numbers[1]));
}

void Monkey::key(const Numbers& numbers)
{
    constexpr Qt::KeyboardModifier with[] = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier};
    QWidget* at = QApplication::activePopupWidget();
    if (!at)
        at = QApplication::focusWidget() ? QApplication::focusWidget() : m_window.get();
    QTest::keyClick(at, pick(keys, numbers[0]), pick(with, numbers[1]));
}

void Monkey::type(const Numbers& numbers)
{
    QWidget* at = target(numbers[0], [](QWidget* widget) {
        return qobject_cast<QLineEdit*>(widget) || qobject_cast<QPlainTextEdit*>(widget);
    });
    if (!at)
        return;
    at->setFocus();
    QTest::keyClick(at, Qt::Key_A, Qt::ControlModifier);
    const QString text = QString::fromUtf8(pick(texts, numbers[1]));
    for (const QChar letter : text)
        QTest::sendKeyEvent(QTest::Click, at, Qt::Key_unknown, letter, Qt::NoModifier);
    if (numbers[2] % 2)
        QTest::keyClick(at, Qt::Key_Return);
}

void Monkey::workspace(const Numbers& numbers)
{
    QTest::keyClick(m_window.get(), static_cast<Qt::Key>(Qt::Key_1 + numbers[0] % workspaces().size()),
                    Qt::ControlModifier);
}

void Monkey::shortcut(const Numbers& numbers)
{
    QTest::keySequence(m_window.get(), QKeySequence(QString::fromLatin1(pick(shortcuts, numbers[0]))));
}

void Monkey::length(const Numbers& numbers)
{
    const auto n = static_cast<std::int64_t>(numbers[0] % 3 ? 2 + numbers[1] % 300 : 1025 + numbers[1] % 3000);
    m_window->document().editOnce(QStringLiteral("Length n"), [n](Scenario& scenario) { scenario.n = n; });
}

void Monkey::open(const Numbers& numbers) { m_window->openFile(file(numbers[0])); }

void Monkey::example(const Numbers& numbers)
{
    const auto all = shippedModels();
    m_window->openModel(QString::fromStdString(pick(all, numbers[0]).id));
}

void Monkey::heads(const Numbers& numbers)
{
    const auto all = shippedModels();
    m_window->openShippedHeads(QString::fromStdString(pick(all, numbers[0]).id));
}

/// What a model is given.
void Monkey::model(const Numbers& numbers)
{
    constexpr const char* measures[] = {"entropy", "share", "keeps", "slope", "gradient"};
    const auto change = [&](const auto& set) { m_window->document().editLook([&](Look& look) { set(look.model); }); };
    m_window->setWorkspace(modelWorkspace);
    switch (numbers[0] % 6) {
    case 0:
        return change([&](ModelLook& look) { look.measure = pick(measures, numbers[1]); });
    case 1:
        return change([&](ModelLook& look) {
            look.lengths = numbers[1] % 2 ? std::vector<std::int64_t>{16, 48} : std::vector<std::int64_t>{};
            look.windows = 1 + static_cast<int>(numbers[2] % 2);
        });
    case 2:
        return change([&](ModelLook& look) { look.text = static_cast<ModelText>(numbers[1] % 5); });
    case 3:
        return change([&](ModelLook& look) { look.captured = numbers[1] % 2; });
    case 4:
        return change([&](ModelLook& look) {
            look.beside.reset();
            if (numbers[1] % 3)
                look.beside = Combination{static_cast<int>(numbers[1] % 2), static_cast<int>(numbers[2] % 5)};
        });
    default:
        return change([&](ModelLook& look) {
            look.layer = static_cast<int>(numbers[1] % 5);
            look.head = static_cast<int>(numbers[2] % 8);
        });
    }
}

/// Stop, or Measure again.
void Monkey::stopModel(const Numbers&)
{
    m_window->setWorkspace(modelWorkspace);
    if (QWidget* button = m_window->model().controls()->stopButton(); button->isVisible())
        QTest::mouseClick(button, Qt::LeftButton);
}

/// Another question, or its button.
void Monkey::probe(const Numbers& numbers)
{
    m_window->setWorkspace(modelWorkspace);
    m_window->model().showProbes();
    ProbePage& page = *m_window->model().probes();
    if (numbers[0] % 2)
        m_window->document().editLook([&](Look& look) {
            look.model.probe.task = numbers[1] % 2 ? ProbeTask::Needle : ProbeTask::Repeat;
            look.model.probe.probability = numbers[2] % 2 == 0;
            look.model.probe.difference = numbers[1] % 3 == 0;
            look.model.probe.samples = 2 + static_cast<int>(numbers[2] % 3);
        });
    for (QWidget* button : {page.runButton(), page.stopButton()})
        if (button->isVisible() && button->isEnabled())
            return QTest::mouseClick(button, Qt::LeftButton);
}

/// What a wait at Model was for.
QString Monkey::stateOfModel() const
{
    const ModelRunner& runner = m_window->model().runner();
    const ModelLook& look = m_window->document().look().model;
    const QString study = runner.study()
                              ? QStringLiteral("%1 of %2 runs").arg(runner.study()->done).arg(runner.study()->runs)
                              : QStringLiteral("no study");
    return QStringLiteral("%1 in '%2', text %3, %4 tokens%5; %6%7; measure %8, n %9; A writes: %10 B: %11")
        .arg(m_window->workspace(), QString::fromStdString(look.folder))
        .arg(static_cast<int>(look.text))
        .arg(runner.tokens())
        .arg(runner.isOpening() ? QStringLiteral(", opening") : QString(), study,
             runner.isRunning() ? QStringLiteral(", running") : QString(), QString::fromStdString(look.measure))
        .arg(runner.shown().n)
        .arg(runner.nothingWritten(Side::A), runner.nothingWritten(Side::B));
}

/// Once nothing runs, what was asked for is there, or it is said why not. Mostly of a short question: a long one is all
/// that a sanitiser would then be looking on at.
void Monkey::restAtModel(const Numbers& numbers)
{
    m_window->presentation().setOn(false);
    m_window->setWorkspace(modelWorkspace);
    if (numbers[0] % 4)
        m_window->document().editLook([](Look& look) {
            look.model.lengths = {16};
            look.model.windows = 1;
        });
    ModelRunner& runner = m_window->model().runner();
    const auto comes = [&](const auto& what) {
        const auto hereAnd = [&] {  // a head that was asked for in Explore may come only now, and shows itself there
            if (!m_window->isVisible())
                return true;  // it was to close once all was written, and that is now: nothing comes any more
            if (m_window->workspace() != modelWorkspace)
                m_window->setWorkspace(modelWorkspace);
            return what();
        };
        double progress = -1;
        for (int silent = 0; silent < 6; ++silent) {  // a slow machine is no fault while something goes on
            if (QTest::qWaitFor(hereAnd, patience / 3))
                return true;
            const double before = std::exchange(progress, runner.progress());
            if (progress != before)
                silent = 0;
            std::printf("still waiting: %s\n", qPrintable(stateOfModel()));
            std::fflush(stdout);
        }
        return false;
    };
    /// Whether there is still a window that it came in.
    const auto must = [&](const auto& what, const char* otherwise) {
        if (!comes(what))
            check(false, QStringLiteral("%1: %2").arg(QLatin1String(otherwise), stateOfModel()));
        return m_window->isVisible();
    };
    const auto modelIsThere = [&] { return runner.model() || !runner.error().isEmpty(); };
    if (!must(modelIsThere, "a model neither opens nor says why") || !runner.model() || !runner.error().isEmpty() ||
        runner.tokens() == 0 || m_window->document().scenario().methods.empty() ||
        m_window->document().look().model.positions.empty())
        return;  // nothing is asked for
    if (!runner.isRunning() && (!runner.study() || !runner.study()->complete()))
        runner.again();
    const auto studied = [&] {
        return !runner.error().isEmpty() || (runner.study() && runner.study()->complete() && !runner.isRunning());
    };
    if (!must(studied, "a study never ends") || !runner.error().isEmpty())
        return;
    const auto shape = runner.measured();
    check(std::ssize(shape) == runner.model()->architecture.layers,
          QStringLiteral("numbers of another model: ") + stateOfModel());
    const HeadMeasure& measure = headMeasure(m_window->document().look().model.measure);
    const auto measured = [&] {
        if (!runner.nothingMeasured().isEmpty() || !runner.error().isEmpty() || !runner.picture().error.isEmpty())
            return true;
        for (const auto& layer : runner.measured())
            for (const double value : layer)
                if (std::isfinite(value))
                    return true;
        return false;
    };
    if (measure.solved || measure.ofLosses)
        must(measured, "multipliers that were asked for never come");
    for (const Side side : {Side::A, Side::B})
        if (runner.model()->tokenizer && (side == Side::A || runner.beside()))
            must(
                [&] {  // or it is said what to do, or a file that was opened has brought a text without tokens
                    return runner.written(side).tokens > 0 || !runner.written(side).error.isEmpty() ||
                           (runner.tokens() == 0 && !runner.error().isEmpty()) ||
                           runner.nothingWritten(side).contains(QStringLiteral("Measure again"));
                },
                "what the model writes never comes");
    const auto both = [&] {
        return !runner.beside() || runner.picture().b || !runner.picture().error.isEmpty() || !runner.error().isEmpty();
    };
    must(both, "the head beside it never comes");
}

/// The head that is looked at, in Explore.
void Monkey::explore(const Numbers&)
{
    m_window->setWorkspace(modelWorkspace);
    emit m_window->model().heads()->head()->exploreAsked();
}

void Monkey::lab(const Numbers& numbers)
{
    m_window->setWorkspace(labsWorkspace);
    LabPage& page = m_window->labs();
    switch (numbers[0] % 7) {
    case 0:
    case 1:
        if (const auto choice = parseChoice(std::string_view(pick(labTexts, numbers[1])), labs(), "lab"))
            page.showLab(*choice);
        else
            check(false, QString::fromStdString(choice.error().message));
        return page.start();
    case 2:
        return page.cancel();
    case 3:
        return page.runner().setPaused(!page.runner().isPaused());
    case 4:
        return page.resumeSelected();
    case 5:
        return page.removeSelected();
    default:
        return numbers[1] % 2 ? page.showTours() : page.showScoreboard();
    }
}

void Monkey::lesson(const Numbers& numbers)
{
    LearnView& learn = m_window->explore().learn();
    if (learn.lesson() < 0 || numbers[0] % 6 == 0) {
        m_window->showDock(QStringLiteral("learn"));
        return learn.openLesson(static_cast<int>(numbers[1] % lessons().size()));
    }
    if (numbers[2] % 3 == 0)
        m_window->presentation().setOn(true);
    switch (numbers[0] % 6) {
    case 1:
        return learn.goToStep(learn.stepCount() - 1);
    case 2:
        return learn.goToStep(learn.step() - 1);
    case 3:
        return numbers[1] % 2 ? learn.showList() : learn.goToStep(learn.stepCount());  // it is finished
    default:
        return learn.goToStep(learn.step() + 1);  // after the last it is finished
    }
}

void Monkey::stage(const Numbers& numbers)
{
    m_window->presentation().setOn(numbers[0] % 3 != 0);
    if (numbers[1] % 2)
        workspace({0, 0, 0});
}

/// A presenter's keys.
void Monkey::present(const Numbers& numbers)
{
    constexpr Qt::Key all[] = {Qt::Key_Space, Qt::Key_Space, Qt::Key_PageDown, Qt::Key_PageUp,
                               Qt::Key_M,     Qt::Key_E,     Qt::Key_A};
    if (numbers[1] % 2)
        m_window->setWorkspace(exploreWorkspace);
    QWidget* focused = m_window->focusWidget();
    QTest::keyClick(focused ? focused : m_window.get(), pick(all, numbers[0]));
}

void Monkey::pin(const Numbers& numbers)
{
    const int count = static_cast<int>(m_window->document().look().pins.size());
    Pins& pins = m_bench->pins;
    if (count == 0 || numbers[0] % 3 == 0)
        return pins.pin();
    const int place = static_cast<int>(numbers[1]) % count;
    switch (numbers[0] % 5) {
    case 0:
        return pins.remove(std::abs(place));
    case 1:
        return pins.removeAll();
    case 2:
        return pins.flipTo(std::abs(place));
    case 3:
        return pins.flipBack();
    default:
        return pins.goTo(std::abs(place));
    }
}

void Monkey::record(const Numbers& numbers)
{
    m_window->findChild<Player*>()->setSpeed(100);
    emit m_window->findChild<RecordSheet*>()->asked({.path = {},
                                                     .gif = numbers[0] % 2 == 0,
                                                     .framesPerSecond = 10,
                                                     .sweep = {0.2, 0.6, 2 + static_cast<int>(numbers[1] % 5)}});
}

void Monkey::session(const Numbers& numbers)
{
    const auto now = [this] { return m_window->session().current(); };
    const QString path = m_folder.filePath(QStringLiteral("session %1.attnscope").arg(numbers[1] % 3));
    switch (numbers[0] % 4) {
    case 0: {
        const auto again = readSession(writeSession(now()));
        return check(again && *again == now(), QStringLiteral("a session does not come back as it was"));
    }
    case 1:
        return check(saveSession(now(), path).has_value(), path);
    case 2:
        return m_window->openFile(path);
    default:
        return m_window->session().save();
    }
}

void Monkey::undo(const Numbers& numbers)
{
    for (unsigned times = 1 + numbers[0] % 5; times > 0; --times)
        QTest::keyClick(m_window.get(), Qt::Key_Z,
                        numbers[1] % 3 ? Qt::ControlModifier : Qt::ControlModifier | Qt::ShiftModifier);
}

void Monkey::resize(const Numbers& numbers)
{
    m_window->resize(640 + static_cast<int>(numbers[0] % 1300), 420 + static_cast<int>(numbers[1] % 800));
}

void Monkey::close(const Numbers&) { m_window->close(); }

/// As it is, while everything is on the screen.
void Monkey::destroy(const Numbers&)
{
    const Session kept = m_window->session().toKeep();
    m_window.reset();
    m_bench.reset();
    makeWindow(kept);
}

void Monkey::wait(const Numbers& numbers) { QTest::qWait(static_cast<int>(numbers[0] % 400)); }

}  // namespace attnscope::testing

// The Model workspace while what it looks at changes: another model of any shape, a stop, a folder or a text that was
// mended. Whatever it shows is of what is open now, and whatever was stopped comes when it is asked for again.
#include "core/rows/rows.h"
#include "core/model/text_tokens.h"
#include "tests/model/small_models.h"
#include "tests/ui/window_support.h"

#include "ui/widgets/length_scrubber.h"
#include "ui/widgets/message_bar.h"
#include "ui/model/head_view.h"
#include "ui/model/model_controls.h"
#include "ui/explore/learn_view.h"
#include "ui/window/file_opener.h"
#include "ui/explore/explore_page.h"
#include "ui/model/heads_page.h"
#include "ui/model/model_page.h"
#include "ui/model/model_results.h"
#include "ui/figure/figure.h"
#include "ui/views/head_overview.h"
#include "ui/window/window_session.h"
#include "ui/workbench/session_file.h"
#include "ui/widgets/value_table.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTextEdit>

#include <array>
#include <cmath>
#include <memory>
#include <semaphore>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

/// Whoever reads waits until it is let go; it is the reader's too, who may outlive the test.
struct SlowDisk {
    std::counting_semaphore<> read{0};
    Result<void> found;
    std::stop_token asked;  ///< whether the last reader was asked to stop
};

FileOpener::Check checkOn(const std::shared_ptr<SlowDisk>& disk)
{
    return [disk](const std::string&, const std::stop_token& stop) {
        disk->asked = stop;
        disk->read.acquire();
        return disk->found;
    };
}

}  // namespace

class ModelChangesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup() { m_window.reset(); }

    void anotherModel_data();
    void anotherModel();
    void stoppedWhatHeadsAreBy();
    void stoppedWhatIsWritten();
    void whatIsTypedIsContinuedAfterItsEnd();
    void whatIsSlowToReadLeavesWhatIsOpen();
    void whatHangsIsNotWaitedFor();
    void whatIsOpenedMeanwhileStays_data();
    void whatIsOpenedMeanwhileStays();
    void aMendedFolderOpens_data();
    void aMendedFolderOpens();
    void anEditedTextIsReadAgain();
    void whatElseTheBarSaysStays();
    void whatIsSelectedInTheTextStays();
    void resultsFollowTheTheme();
    void aHeadThatIsExploredStaysThatHead();
    void asleepItComesBackUpToDate();
    void theTitleSaysWhichIsOpen();

private:
    ModelPage& page() { return m_window->model(); }
    ModelRunner& runner() { return m_window->model().runner(); }
    QString folderOf(const QString& name) const { return m_folders.filePath(name); }
    void edit(const std::function<void(ModelLook&)>& change)
    {
        m_window->document().editLook([&](Look& look) { change(look.model); });
    }
    void begin(const QString& model)
    {
        if (shippedModelAt(model.toStdString()))
            m_window->openModel(model);
        else
            m_window->openFile(folderOf(model));
    }
    /// However long it takes to look at it.
    void open(const QString& model)
    {
        begin(model);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->opener().isLooking(), patience);
    }
    bool waitForAll()
    {
        return QTest::qWaitFor(
            [&] {
                return runner().study() && !runner().isRunning() && runner().study()->complete() &&
                       runner().picture().analysis && runner().picture().a.of == runner().shown();
            },
            patience);
    }
    /// A short run of the model that tells stories, with what it writes in front.
    bool seeWhatItWrites()
    {
        edit([](ModelLook& look) { look.text = ModelText::Generated; });
        open(QStringLiteral("stories"));
        edit([](ModelLook& look) {
            look.lengths = {32};
            look.windows = 1;
        });
        if (!waitForAll())
            return false;
        page().heads()->results()->tabs()->setCurrentIndex(2);
        return QTest::qWaitFor([&] { return runner().written().tokens > 0; }, patience);
    }
    QString wrongNow();
    QTemporaryDir m_folders;
    std::unique_ptr<MainWindow> m_window;
};

void ModelChangesTest::initTestCase()
{
    prepareApplication();
    for (const char* name : {"llama", "gpt2", "gpt_neox"})
        QCOMPARE(writeModel(smallModel(name), folderOf(QString::fromLatin1(name)).toStdString()), std::string());
}

void ModelChangesTest::init()
{
    m_window = smallWindow();
    QVERIFY(m_window);
    edit([](ModelLook& look) {
        look.text = ModelText::Repeated;  // small models have no tokeniser
        look.windows = 2;
        look.last = 4;
        look.lengths = {16, 32};
    });
}

/// What of the things on the screen is not of the model that is open; empty: nothing.
QString ModelChangesTest::wrongNow()
{
    const auto model = runner().model();
    const auto fits = [&](const HeadValues& values) {
        return model && std::ssize(values) == model->architecture.layers &&
               std::ranges::all_of(values,
                                   [&](const auto& layer) { return std::ssize(layer) == model->architecture.heads; });
    };
    if (const auto study = runner().study())
        for (const StudyCell& cell : study->cells)
            for (const auto& window : cell.windows)
                if (!fits(window->entropies))
                    return QStringLiteral("the study is another model's");
    if (const auto& heads = runner().picture().a.heads;
        heads && (!model || runner().picture().key.a.run.of.model != model))
        return QStringLiteral("the map is another model's");
    if (model && !fits(runner().measured()))
        return QStringLiteral("the numbers of heads are of another shape");
    return {};
}

void ModelChangesTest::anotherModel_data()
{
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::addColumn<bool>("running");
    const std::tuple<const char*, const char*, const char*> all[] = {{"more heads", "gpt_neox", "llama"},
                                                                     {"fewer heads", "llama", "gpt_neox"},
                                                                     {"more layers", "masked", "llama"},
                                                                     {"fewer layers", "llama", "masked"},
                                                                     {"the same shape", "llama", "gpt2"}};
    for (const auto& [what, first, second] : all)
        for (const bool running : {false, true})
            QTest::addRow("%s, %s", what, running ? "while it runs" : "after it ran")
                << QString::fromLatin1(first) << QString::fromLatin1(second) << running;
}

/// Under every measure of heads, at every signal; and in the end its numbers are those of a study of its own.
void ModelChangesTest::anotherModel()
{
    QFETCH(QString, first);
    QFETCH(QString, second);
    QFETCH(bool, running);
    for (const HeadMeasure& measure : modelHeadMeasures()) {
        edit([&](ModelLook& look) {
            look.measure = measure.id;
            look.windows = running ? 400 : 2;
        });
        open(first);
        edit([](ModelLook& look) { look.lengths = {16, 32}; });
        QVERIFY(running ? QTest::qWaitFor(
                              [&] {
                                  return runner().study() && runner().study()->done >= 2 && runner().picture().analysis;
                              },
                              patience)
                        : waitForAll());
        QStringList wrong;
        const auto look = [&] {
            if (const QString what = wrongNow(); !what.isEmpty())
                wrong << what;
        };
        QObject watch;
        for (const auto signal : {&ModelRunner::opened, &ModelRunner::studied, &ModelRunner::progressed,
                                  &ModelRunner::measuredHeads, &ModelRunner::pictured, &ModelRunner::wrote})
            connect(&runner(), signal, &watch, look);
        edit([](ModelLook& next) { next.windows = 2; });
        open(second);
        edit([](ModelLook& next) { next.lengths = {16, 32}; });
        QVERIFY(waitForAll());
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
        const auto alone = runStudy(*runner().model(), repeatedTokens(runner().model()->architecture, 256, 33 * 2, 1),
                                    runner().request());
        QVERIFY(alone);
        if (measure.id == std::string("entropy"))
            for (const StudyCell& cell : alone->cells)
                if (cell.n == runner().shown().n && cell.policy == runner().shown().policy) {
                    const HeadValues expected = meanEntropies(cell), got = page().heads()->overview()->values();
                    QCOMPARE(got.size(), expected.size());
                    for (size_t layer = 0; layer < got.size(); ++layer)
                        for (size_t head = 0; head < got[layer].size(); ++head)
                            QVERIFY(std::abs(got[layer][head] - expected[layer][head]) < 1e-4);
                }
    }
}

/// Every head has its multiplier, or the page says why there is none: after a stop, too.
void ModelChangesTest::stoppedWhatHeadsAreBy()
{
    m_window->document().edit("One", [](Scenario& scenario) { scenario.methods = {{"vanilla", {}, {}}}; });
    edit([](ModelLook& look) {
        look.measure = "keeps";
        look.windows = 400;
    });
    open("llama");
    edit([](ModelLook& look) { look.lengths = {64}; });  // twice its N
    QVERIFY(QTest::qWaitFor([&] { return runner().picture().a.heads && runner().isRunning(); }, patience));
    runner().stop();
    QVERIFY(!runner().nothingMeasured().isEmpty());
    edit([](ModelLook& look) { look.row = 3; });  // what was stopped does not begin by itself
    QVERIFY(!runner().isRunning());
    runner().again();
    edit([](ModelLook& look) { look.windows = 2; });
    QVERIFY(waitForAll());
    QVERIFY(QTest::qWaitFor(
        [&] {
            int known = 0;
            for (const auto& layer : page().heads()->overview()->values())
                known += static_cast<int>(std::ranges::count_if(layer, [](double m) { return std::isfinite(m); }));
            return known == 18;
        },
        patience));
    QVERIFY(runner().nothingMeasured().isEmpty());
}

void ModelChangesTest::stoppedWhatIsWritten()
{
    edit([](ModelLook& look) { look.text = ModelText::Generated; });
    open("stories");
    edit([](ModelLook& look) {
        look.lengths = {32};
        look.windows = 1;
    });
    QSignalSpy wrote(&runner(), &ModelRunner::wrote);
    QVERIFY(waitForAll());
    QTRY_VERIFY(!wrote.empty());
    runner().stop();
    edit([](ModelLook& look) { look.lengths = {48}; });  // its study ends, then it writes
    runner().stop();
    page().heads()->results()->tabs()->setCurrentIndex(2);
    QTRY_VERIFY(page().heads()->results()->written()->toPlainText().contains("stopped"));
    edit([](ModelLook& look) { look.row = 1; });
    QCOMPARE(runner().written().tokens, std::int64_t(0));
    runner().again();
    QTRY_COMPARE(runner().written().tokens, std::int64_t(48));
    const QString excerpt = page().heads()->results()->written()->toPlainText();
    const qsizetype begins = excerpt.indexOf(u'\u2026');
    QVERIFY2(excerpt[begins + 1].isLetterOrNumber(), qPrintable(excerpt.mid(begins, 20)));
    QVERIFY(page().heads()->results()->written()->toPlainText().contains(runner().written().text.simplified().left(8)));
}

/// To its last letter, which no model's own guess takes the place of; and the n that its scale has is said.
void ModelChangesTest::whatIsTypedIsContinuedAfterItsEnd()
{
    QVERIFY(seeWhatItWrites());
    const QString typed = QStringLiteral("Mia went home. The friend of Mia is Leo");
    edit([&](ModelLook& look) {
        look.text = ModelText::Typed;
        look.typed = typed.toStdString();
        look.lengths = {};
    });
    QVERIFY(waitForAll());
    QTRY_VERIFY2(runner().written().before.endsWith(QStringLiteral("Leo")), qPrintable(runner().written().before));
    const auto ids = runner().model()->tokenizer->encode(typed.toStdString());
    QCOMPARE(runner().written().after, std::ssize(*ids) + (runner().model()->architecture.beginToken ? 1 : 0));
    const QString words = page().heads()->results()->written()->toPlainText();
    QVERIFY2(words.contains(QStringLiteral("n = %1").arg(runner().written().after + runner().written().tokens)),
             qPrintable(words));
}

/// A header of gigabytes: the window answers meanwhile, and what is open stays until the other is known to be readable.
void ModelChangesTest::whatIsSlowToReadLeavesWhatIsOpen()
{
    open(QStringLiteral("llama"));
    QVERIFY(waitForAll());
    const auto isOpen = [&](const QString& name) {
        return m_window->document().look().model.folder == folderOf(name).toStdString();
    };
    auto slow = std::make_shared<SlowDisk>();
    const auto letGo = qScopeGuard([=] { slow->read.release(100); });
    m_window->opener().checkBy(checkOn(slow));
    QSignalSpy opened(m_window.get(), &MainWindow::fileOpened);
    begin(QStringLiteral("gpt2"));
    QVERIFY(m_window->opener().isLooking() && isOpen(QStringLiteral("llama")));
    QVERIFY2(m_window->messages().message().startsWith("Looking at gpt2"), qPrintable(m_window->messages().message()));
    edit([](ModelLook& look) { look.layer = 1; });  // it answers
    QVERIFY(runner().model() && runner().study() && opened.isEmpty());
    slow->read.release();
    QTRY_VERIFY(isOpen(QStringLiteral("gpt2")) && !m_window->opener().isLooking());
    QCOMPARE(opened.size(), 1);
    QVERIFY(m_window->messages().message().isEmpty() || !m_window->messages().isVisible());
    // what cannot be read leaves it too, and says why
    slow->found = failure(ErrorKind::InvalidHeader, "no model is in there");
    begin(QStringLiteral("llama"));
    slow->read.release();
    QTRY_VERIFY(m_window->messages().showsError());
    QCOMPARE(m_window->messages().message(), QStringLiteral("no model is in there"));
    QVERIFY(isOpen(QStringLiteral("gpt2")));
    // and what is opened after it comes instead of it
    slow->found = {};
    begin(QStringLiteral("llama"));
    QVERIFY(m_window->opener().isLooking());
    m_window->openFile(QStringLiteral("/no/such/file.npy"));
    QVERIFY(!m_window->opener().isLooking());
    slow->read.release();
    QTest::qWait(50);
    QVERIFY(isOpen(QStringLiteral("gpt2")) && opened.size() == 1);
}

/// A disk may hang for ever: what is opened after a Cancel does not wait for it, and neither does the window's end.
void ModelChangesTest::whatHangsIsNotWaitedFor()
{
    open(QStringLiteral("llama"));
    QVERIFY(waitForAll());
    auto slow = std::make_shared<SlowDisk>();
    const auto letGo = qScopeGuard([=] { slow->read.release(100); });
    m_window->opener().checkBy(checkOn(slow));
    begin(QStringLiteral("gpt2"));
    QVERIFY(m_window->opener().isLooking());
    const auto buttons = m_window->messages().findChildren<QAbstractButton*>();
    const auto cancel = std::ranges::find(buttons, QStringLiteral("Cancel"), &QAbstractButton::text);
    QVERIFY(cancel != buttons.end());
    (*cancel)->click();
    QVERIFY(!m_window->opener().isLooking());
    QTRY_VERIFY(slow->asked.stop_requested());
    m_window->opener().checkBy([](const std::string&, const std::stop_token&) { return Result<void>{}; });
    open(QStringLiteral("gpt_neox"));
    QCOMPARE(m_window->document().look().model.folder, folderOf(QStringLiteral("gpt_neox")).toStdString());
    m_window->opener().checkBy(checkOn(slow));
    begin(QStringLiteral("gpt2"));
    QVERIFY(m_window->opener().isLooking());
    m_window.reset();  // comes back
    QVERIFY(!slow->read.try_acquire());
}

void ModelChangesTest::whatIsOpenedMeanwhileStays_data()
{
    QTest::addColumn<int>("what");
    QTest::addRow("a new session") << 0;
    QTest::addRow("a lesson") << 1;
    QTest::addRow("a figure") << 2;
    QTest::addRow("a session that was kept") << 3;
    QTest::addRow("a session") << 4;
}

/// A model that is known to be readable by then does not come over it.
void ModelChangesTest::whatIsOpenedMeanwhileStays()
{
    QFETCH(int, what);
    QTemporaryDir folder;
    const QString kept = folder.filePath(QStringLiteral("kept.attnscope"));
    QVERIFY(saveSession(m_window->session().toKeep(), kept));
    auto slow = std::make_shared<SlowDisk>();
    const auto letGo = qScopeGuard([=] { slow->read.release(100); });
    m_window->opener().checkBy(checkOn(slow));
    begin(QStringLiteral("gpt2"));
    QVERIFY(m_window->opener().isLooking());
    std::optional<Recipe> live;
    for (const GalleryRow& row : gallery())
        if (const auto recipe = loadRecipe(row.name); recipe && liveFigure(*recipe) && !live)
            live = *recipe;
    QVERIFY(live);
    const auto opens = std::to_array<std::function<void()>>(
        {[&] { m_window->session().beginAnew(); }, [&] { m_window->explore().learn().openLesson(0); },
         [&] { m_window->openFigure(*live); }, [&] { m_window->session().openKept(kept); },
         [&] { m_window->session().restore(m_window->session().current()); }});
    opens[static_cast<std::size_t>(what)]();
    QVERIFY(!m_window->opener().isLooking());
    QVERIFY2(!m_window->messages().message().startsWith("Looking"), qPrintable(m_window->messages().message()));
    const QString workspace = m_window->workspace();
    slow->read.release();
    QTest::qWait(50);
    QCOMPARE(m_window->workspace(), workspace);
    QVERIFY(m_window->document().look().model.folder != folderOf(QStringLiteral("gpt2")).toStdString());
}

void ModelChangesTest::aMendedFolderOpens_data()
{
    QTest::addColumn<QString>("lacks");
    QTest::addRow("no weights") << QStringLiteral("model.safetensors");
    QTest::addRow("no config") << QStringLiteral("config.json");
}

void ModelChangesTest::aMendedFolderOpens()
{
    QFETCH(QString, lacks);
    QTemporaryDir folder;
    QCOMPARE(writeModel(smallModel("llama"), folder.path().toStdString()), std::string());
    QVERIFY(QFile::rename(folder.filePath(lacks), folder.filePath("aside")));
    for (int again = 0; again < 2; ++again) {  // as it is it says so again
        m_window->messages().hide();
        m_window->openFile(folder.path());
        QTRY_VERIFY(m_window->messages().showsError());
        QVERIFY2(m_window->messages().message().contains(lacks), qPrintable(m_window->messages().message()));
    }
    edit([&](ModelLook& look) { look.folder = folder.path().toStdString(); });  // as a session may name it
    m_window->setWorkspace(modelWorkspace);
    QTRY_VERIFY(!runner().error().isEmpty());
    QVERIFY(QFile::rename(folder.filePath("aside"), folder.filePath(lacks)));
    m_window->openModel(folder.path());
    edit([](ModelLook& look) { look.lengths = {16}; });
    QVERIFY(waitForAll());
    QVERIFY(runner().error().isEmpty());
}

/// Where its file is chosen again, and where the runs are run again.
void ModelChangesTest::anEditedTextIsReadAgain()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("text.txt");
    const auto write = [&](int times) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(QByteArray("Once upon a time. ").repeated(times)) > 0;
    };
    QVERIFY(write(60));
    open("stories");
    page().controls()->takeTextFile(path);
    edit([](ModelLook& look) { look.lengths = {16}; });
    QVERIFY(waitForAll());
    const auto before = runner().tokens();
    QVERIFY(write(120));
    page().controls()->takeTextFile(path);
    QTRY_VERIFY(runner().tokens() > before + before / 2);
    QVERIFY(write(60));
    QVERIFY(waitForAll());
    runner().again();
    QTRY_COMPARE(runner().tokens(), before);
}

/// That one is open is no work: what is asked of it is. Undo goes back to the window before, which had none either.
void ModelChangesTest::theTitleSaysWhichIsOpen()
{
    m_window = smallWindow();
    QVERIFY(m_window);
    const auto named = [&](const QString& name, bool hasWork) {
        return m_window->windowTitle() == name + QStringLiteral("[*]") && m_window->isWindowModified() == hasWork;
    };
    for (const QString model : {"llama", "recall1", "gpt2"}) {
        open(model);
        QVERIFY2(named(model, false), qPrintable(m_window->windowTitle()));
        m_window->explore().learn().openLesson(0);
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("Lesson: ")) && !m_window->isWindowModified());
        m_window->explore().learn().close();
        QVERIFY2(named(model, false), qPrintable(m_window->windowTitle()));
        QVERIFY(m_window->session().toKeep().unchanged);
    }
    m_window->setWorkspace(QStringLiteral("explore"));
    QCOMPARE(m_window->windowTitle(), QStringLiteral("Untitled[*]"));  // of whose pictures it is none
    m_window->setWorkspace(QStringLiteral("labs"));
    m_window->document().undo();
    QVERIFY(named(QStringLiteral("recall1"), false));
    edit([](ModelLook& look) { look.windows = 3; });
    QVERIFY(named(QStringLiteral("recall1"), true));
    QVERIFY(!m_window->session().toKeep().unchanged);
    open("llama");
    QVERIFY(named(QStringLiteral("llama"), true));  // what was asked is still in no file
}

/// A message of something else is not hidden by a model that opens.
void ModelChangesTest::whatElseTheBarSaysStays()
{
    open("llama");
    QVERIFY(waitForAll());
    m_window->messages().say(MessageBar::Kind::Error, QStringLiteral("The disk is full"));
    open("gpt2");
    edit([](ModelLook& look) { look.lengths = {16}; });
    QVERIFY(waitForAll());
    QCOMPARE(m_window->messages().message(), QStringLiteral("The disk is full"));
}

void ModelChangesTest::whatIsSelectedInTheTextStays()
{
    QVERIFY(seeWhatItWrites());
    page().heads()->results()->written()->selectAll();
    const QString selected = page().heads()->results()->written()->textCursor().selectedText();
    QVERIFY(!selected.isEmpty());
    edit([](ModelLook& look) {
        look.row = 2;
        look.perplexity = false;
    });
    QCOMPARE(page().heads()->results()->written()->textCursor().selectedText(), selected);
}

/// Swatches and muted words are of the ground they stand on.
void ModelChangesTest::resultsFollowTheTheme()
{
    QVERIFY(seeWhatItWrites());
    const auto swatch = [&] { return page().heads()->results()->table()->item(0, 0)->icon().pixmap(16, 16).toImage(); };
    const auto words = [&] { return page().heads()->results()->written()->toHtml(); };
    QTRY_VERIFY(words().contains(currentTheme().muted.name()));
    page().heads()->results()->tabs()->setCurrentIndex(1);
    const QImage light = swatch();
    applyTheme(*qApp, ThemeChoice::Dark);
    const QString muted = currentTheme().muted.name();
    const QImage dark = swatch();
    applyTheme(*qApp, ThemeChoice::Light);
    QVERIFY(muted != currentTheme().muted.name() && dark != light);
    QCOMPARE(swatch(), light);
    QVERIFY(words().contains(currentTheme().muted.name()) && !words().contains(muted));
}

/// In a pin, in undo and in a session, whatever is explored after it.
void ModelChangesTest::aHeadThatIsExploredStaysThatHead()
{
    const auto entropy = [&](MainWindow& window) {
        return entropyMean(window.analyser().current()->methods.front().rows).mean;
    };
    const auto explore = [&](const QString& model) {
        open(model);
        edit([](ModelLook& look) { look.lengths = {32}; });
        const std::string before = m_window->document().scenario().tensors.path;
        if (!waitForAll())
            return false;
        QTest::mouseClick(page().heads()->head()->explore(), Qt::LeftButton);
        return QTest::qWaitFor([&] { return m_window->document().scenario().tensors.path != before; }, patience) &&
               settle(*m_window);
    };
    QVERIFY(explore("llama"));
    const double first = entropy(*m_window);
    const std::string path = m_window->document().scenario().tensors.path;
    m_window->pins().pin();
    const Session session = m_window->session().current();
    QVERIFY(explore("gpt2"));
    QVERIFY(std::abs(entropy(*m_window) - first) > 1e-3);
    QCOMPARE(m_window->pins().current(), -1);
    m_window->pins().goTo(0);
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->document().scenario().tensors.path, path);
    QCOMPARE(entropy(*m_window), first);
    m_window->document().undo();
    QVERIFY(settle(*m_window));
    QVERIFY(std::abs(entropy(*m_window) - first) > 1e-3);
    m_window->document().undo();
    m_window->document().undo();
    QVERIFY(settle(*m_window));
    QCOMPARE(entropy(*m_window), first);
    const auto other = smallWindow();
    QVERIFY(other);
    other->session().restore(session);
    QVERIFY(settle(*other));
    QCOMPARE(entropy(*other), first);
}

/// Nothing runs while nobody looks, and what was changed meanwhile is there at once.
void ModelChangesTest::asleepItComesBackUpToDate()
{
    open("llama");
    QVERIFY(waitForAll());
    QCOMPARE(page().heads()->method()->count(), 3);
    m_window->setWorkspace(QStringLiteral("explore"));
    QSignalSpy studied(&runner(), &ModelRunner::studied);
    m_window->document().edit("Methods", [](Scenario& scenario) { scenario.methods = {{"vanilla", {}, {}}}; });
    edit([](ModelLook& look) {
        look.lengths = {8};
        look.windows = 1;
    });
    QVERIFY(!runner().isRunning() && studied.empty());
    m_window->setWorkspace(QStringLiteral("model"));
    QCOMPARE(page().heads()->method()->count(), 1);
    QVERIFY(!page().heads()->line()->isEnabled());  // one length is nothing to drag
    QCOMPARE(page().controls()->windows()->text(), QStringLiteral("1"));
    QVERIFY(waitForAll());
    QCOMPARE(runner().study()->cells.size(), size_t(1));
    QCOMPARE(page().heads()->results()->quality()->spec().series.size(), size_t(1));
    for (const MethodRow* row : page().controls()->methods()->rows())
        QCOMPARE(row->tick()->isChecked(), row->method().id == std::string("vanilla"));
}

QTEST_MAIN(ModelChangesTest)
#include "model_changes_test.moc"

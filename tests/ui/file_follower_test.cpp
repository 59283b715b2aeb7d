// Files that are written again while they are looked at: when that is told, and what the window makes of it.
#include "core/tensor/tensor_writer.h"
#include "tests/model/small_models.h"
#include "tests/ui/window_support.h"
#include "ui/views/player_bar.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/file_follower.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <chrono>
#include <cmath>
#include <filesystem>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

constexpr std::chrono::milliseconds often{20};

/// Heads of so many tokens whose logits are all 0: a row sees its keys evenly, and its entropy is ln of how many. Not
/// `even`: the logit of key j is 2 j, by queries of ones and keys of j in four dimensions.
void writeHeads(const QString& path, std::int64_t tokens, std::int64_t heads = 2, bool even = true,
                const std::map<std::string, std::string>& metadata = {})
{
    constexpr std::int64_t d = 4;
    std::vector<float> query(static_cast<std::size_t>(heads * tokens * d), even ? 0.F : 1.F), key(query.size());
    for (std::size_t at = 0; at < key.size(); ++at)
        key[at] = static_cast<float>((at / d) % static_cast<std::size_t>(tokens));
    const std::vector<std::int64_t> shape{heads, tokens, d};
    const TensorView tensors[] = {tensorView("layer0.q", shape, query), tensorView("layer0.k", shape, key)};
    QVERIFY(writeSafetensors(path.toStdString(), tensors, metadata).has_value());
}

/// The mean of ln(i + 1) over all rows.
double evenEntropy(int tokens)
{
    double sum = 0;
    for (int keys = 1; keys <= tokens; ++keys)
        sum += std::log(keys);
    return sum / tokens;
}

/// The same of rows that see keys 0 to i with weights e^(2 j).
double unevenEntropy(int tokens)
{
    double sum = 0;
    for (int keys = 1; keys <= tokens; ++keys) {
        double mass = 0, inside = 0;
        for (int back = 0; back < keys; ++back) {
            mass += std::exp(-2.0 * back);
            inside += 2.0 * back * std::exp(-2.0 * back);
        }
        sum += std::log(mass) + inside / mass;
    }
    return sum / tokens;
}

FileWatch::Look lookAt(const QString& path)
{
    return [path = path.toStdString()] { return stampsIn(path); };
}

void appendTo(const QString& path)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append));
    file.write("more");
}

}  // namespace

class FileFollowerTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }
    void init();
    void cleanup() { m_window.reset(); }
    void whatIsWrittenAgainIsToldOnce();
    void whatIsBeingWrittenIsNotTold();
    void aFileThatComesBackIsTold();
    void allThatLiesInAFolderCounts();
    void nothingIsToldOfFilesOfBefore();
    void whatWasWrittenSinceItWasReadIsTold();
    void theWindowShowsTheNewTensors();
    void allTokensStayAllTokens();
    void lessOfTheFileStaysThat();
    void whatIsNotThereAnyMoreIsLeft();
    void aBrokenFileHealsWithTheNextWriting();
    void whenAndAtWhichStepIsSaid();
    void pinsAreOfTheFileToo();
    void pinsSayWhatTheyShow();
    void fewerLayersLeadToTheNearest();
    void whatTheFileSaysOfItsTrainingIsFollowed();
    void itIsNoStepOfTheUser();
    void whatStandsInTheBarStays();
    void whoDoesNotWantItIsNotFollowed();
    void aModelIsOfferedAgain();
    void filesOfItsRunJoinIt();

private:
    QString path() const { return m_folder->filePath(u"heads.safetensors"_s); }
    const Scenario& scenario() const { return m_window->document().scenario(); }
    double entropy() const
    {
        const auto& methods = m_window->analyser().current()->methods;
        return methods.empty() ? -1 : methods.front().entropy.mean;  // empty: of what failed
    }
    bool shows(double expected)
    {
        return QTest::qWaitFor([&] { return settle(*m_window) && std::abs(entropy() - expected) < 1e-5; }, patience);
    }
    /// All rows of the first method of a file of so many tokens.
    void open(std::int64_t tokens);
    void writeLayers(int count) const;
    /// Once, and what followed the change of the document is there.
    void waitForFirstLook() { QTest::qWait(200); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;
};

void FileFollowerTest::init()
{
    QSettings().remove(u"followFiles"_s);
    m_folder = std::make_unique<QTemporaryDir>();
    m_window = smallWindow();
    QVERIFY(m_window);
}

void FileFollowerTest::open(std::int64_t tokens)
{
    writeHeads(path(), tokens);
    m_window->document().edit(u"Rows"_s, [](Scenario& now) {
        now.view.rows = RowSet::Kind::All;
        now.methods.resize(1);
    });
    m_window->openFile(path());
    QTRY_VERIFY_WITH_TIMEOUT(scenario().ofFile(), patience);
    QVERIFY(shows(evenEntropy(static_cast<int>(tokens))));
    m_window->messages().hide();  // how it was opened
    waitForFirstLook();
}

/// Alike, of two heads and 20 tokens.
void FileFollowerTest::writeLayers(int count) const
{
    const std::vector<float> values(2 * 20 * 4, 0.F);
    std::vector<TensorView> tensors;
    for (int layer = 0; layer < count; ++layer)
        for (const char* kind : {".q", ".k"})
            tensors.push_back(tensorView("layer" + std::to_string(layer) + kind, {2, 20, 4}, values));
    QVERIFY(writeSafetensors(path().toStdString(), tensors).has_value());
}

void FileFollowerTest::whatIsWrittenAgainIsToldOnce()
{
    writeHeads(path(), 8);
    FileWatch watch(nullptr, often);
    QSignalSpy written(&watch, &FileWatch::written);
    watch.watch("one", lookAt(path()));
    QTest::qWait(10 * often.count());
    QCOMPARE(written.count(), 0);
    appendTo(path());
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, patience);
    writeHeads(path(), 8);  // in its place: another file under the same name
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 2, patience);
    watch.watch("one", lookAt(path()));
    QTest::qWait(10 * often.count());
    QCOMPARE(written.count(), 2);
}

void FileFollowerTest::whatIsBeingWrittenIsNotTold()
{
    writeHeads(path(), 8);
    FileWatch watch(nullptr, 20 * often);
    QSignalSpy written(&watch, &FileWatch::written);
    watch.watch("one", lookAt(path()));
    QTest::qWait(10 * often.count());
    for (int i = 0; i < 100; ++i) {  // more than two looks, each of which finds another size
        appendTo(path());
        QTest::qWait(often.count());
        QCOMPARE(written.count(), 0);
    }
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, patience);
}

void FileFollowerTest::aFileThatComesBackIsTold()
{
    FileWatch watch(nullptr, often);
    QSignalSpy written(&watch, &FileWatch::written);
    watch.watch("one", lookAt(path()));
    QTest::qWait(10 * often.count());
    writeHeads(path(), 8);
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, patience);
    QVERIFY(QFile::rename(path(), path() + u".away"_s));
    QTest::qWait(10 * often.count());
    QCOMPARE(written.count(), 1);  // there is nothing to read
    writeHeads(path(), 8);
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 2, patience);
}

void FileFollowerTest::allThatLiesInAFolderCounts()
{
    writeHeads(path(), 8);
    FileWatch watch(nullptr, often);
    QSignalSpy written(&watch, &FileWatch::written);
    watch.watch("folder", lookAt(m_folder->path()));
    QTest::qWait(10 * often.count());
    writeHeads(m_folder->filePath(u"more.safetensors"_s), 8);
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, patience);
}

void FileFollowerTest::nothingIsToldOfFilesOfBefore()
{
    const QString other = m_folder->filePath(u"other.safetensors"_s);
    writeHeads(path(), 8);
    writeHeads(other, 8);
    FileWatch watch(nullptr, often);
    QSignalSpy written(&watch, &FileWatch::written);
    watch.watch("one", lookAt(path()));
    QTest::qWait(10 * often.count());
    appendTo(path());
    watch.watch("other", lookAt(other));
    QTest::qWait(10 * often.count());
    QCOMPARE(written.count(), 0);
    watch.rest();
    appendTo(other);
    QTest::qWait(10 * often.count());
    QCOMPARE(written.count(), 0);
}

/// Before the first look, or while nobody looked.
void FileFollowerTest::whatWasWrittenSinceItWasReadIsTold()
{
    writeHeads(path(), 8);
    const auto asRead = stampsIn(path().toStdString());
    writeHeads(path(), 9);
    FileWatch watch(nullptr, often);
    QSignalSpy written(&watch, &FileWatch::written);
    watch.watch("one", lookAt(path()), asRead);
    QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, patience);
    watch.watch("one", lookAt(path()), stampsIn(path().toStdString()));  // it was read again
    QTest::qWait(10 * often.count());
    QCOMPARE(written.count(), 1);
}

/// The newest is looked at and another comes: it is offered, and what was read is not read again.
void FileFollowerTest::filesOfItsRunJoinIt()
{
    const auto step = [this](int number) { return m_folder->filePath(u"step-%1.safetensors"_s.arg(number)); };
    writeHeads(step(100), 20);
    writeHeads(step(200), 20);
    m_window->document().edit(u"Rows"_s, [](Scenario& now) {
        now.view.rows = RowSet::Kind::All;
        now.methods.resize(1);
    });
    m_window->openFile(step(200));
    const auto filesOfRun = [this] {
        const OfferedFilePtr& file = m_window->offers().current();
        return file ? std::ssize(file->run) : 0;
    };
    QTRY_COMPARE_WITH_TIMEOUT(filesOfRun(), 2, patience);
    QVERIFY(m_window->findChild<PlayerBar*>()->numbers()->findData(u"file"_s) >= 0);  // and can be played
    m_window->messages().hide();
    writeHeads(step(50), 20);  // older: it joins, and nothing is said
    QTRY_COMPARE_WITH_TIMEOUT(filesOfRun(), 3, patience);
    QVERIFY(!m_window->messages().isVisible());
    writeHeads(step(300), 20, 2, false);
    QTRY_COMPARE_WITH_TIMEOUT(filesOfRun(), 4, patience);
    QCOMPARE(m_window->messages().message(), u"step-300.safetensors has come, file 4 of the run"_s);
    QCOMPARE(scenario().tensors.path, step(200).toStdString());
    m_window->messages().buttons().front()->click();
    QTRY_COMPARE_WITH_TIMEOUT(scenario().tensors.path, step(300).toStdString(), patience);
    QVERIFY(shows(unevenEntropy(20)));
    QVERIFY(QFile::remove(step(50)));
    QTRY_COMPARE_WITH_TIMEOUT(filesOfRun(), 3, patience);
}

void FileFollowerTest::theWindowShowsTheNewTensors()
{
    open(40);
    m_window->document().edit(u"Look"_s, [](Scenario& now) {
        now.tensors.head = 1;
        now.view.row = 17;
        now.view.region = {8, 24, 0, 16};
    });
    QVERIFY(shows(evenEntropy(40)));
    const Scenario before = scenario();
    writeHeads(path(), 40, 2, false);
    QVERIFY(shows(unevenEntropy(40)));
    QCOMPARE(scenario(), before);  // head, row and zoom are as they were
    QVERIFY(m_window->messages().message().contains(u"heads.safetensors was written again"_s));
    m_window->messages().hide();
    writeHeads(path(), 40);
    QVERIFY(shows(evenEntropy(40)));
    QVERIFY(!m_window->messages().isVisible());  // once a file
}

void FileFollowerTest::allTokensStayAllTokens()
{
    open(40);
    writeHeads(path(), 60);
    QVERIFY(shows(evenEntropy(60)));
    QCOMPARE(scenario().n, 60);
    QCOMPARE(scenario().view.curveLast, 60);
    writeHeads(path(), 30);
    QVERIFY(shows(evenEntropy(30)));
    QCOMPARE(scenario().n, 30);
}

void FileFollowerTest::lessOfTheFileStaysThat()
{
    open(40);
    m_window->document().edit(u"Length"_s, [](Scenario& now) { now.n = 25; });
    QVERIFY(shows(evenEntropy(25)));
    writeHeads(path(), 60, 2, false);
    QVERIFY(shows(unevenEntropy(25)));
    QCOMPARE(scenario().n, 25);
}

void FileFollowerTest::whatIsNotThereAnyMoreIsLeft()
{
    open(40);
    m_window->document().edit(u"Look"_s, [](Scenario& now) {
        now.tensors.head = 1;
        now.view.row = 37;
        now.view.region = {30, 40, 30, 40};
    });
    QVERIFY(shows(evenEntropy(40)));
    writeHeads(path(), 20, 1, false);
    QVERIFY(shows(unevenEntropy(20)));
    QCOMPARE(scenario().tensors.head, 0);
    QCOMPARE(scenario().view.row, -1);
    QCOMPARE(scenario().view.region, Region{});
}

void FileFollowerTest::aBrokenFileHealsWithTheNextWriting()
{
    open(40);
    QFile broken(path());
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("half of a file");
    broken.close();
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->offers().fault().isEmpty(), patience);
    QTest::qWait(500);
    QVERIFY(std::abs(entropy() - evenEntropy(40)) < 1e-5);  // the picture stays
    QVERIFY(!m_window->messages().showsError());
    writeHeads(path(), 50, 2, false);
    QVERIFY(shows(unevenEntropy(50)));  // who looked at all tokens before looks at all of them
    QVERIFY(m_window->offers().fault().isEmpty());
    QVERIFY(!m_window->messages().showsError());
}

void FileFollowerTest::whenAndAtWhichStepIsSaid()
{
    open(40);
    const auto* facts = [this]() -> const QLabel* {
        for (const QLabel* label : m_window->explore().scenario().findChildren<QLabel*>())
            if (label->accessibleDescription() == u"What the file holds"_s)
                return label;
        return nullptr;
    }();
    QVERIFY(facts && facts->text().contains(u"40 tokens"_s));
    QVERIFY(!facts->text().contains(u"step"_s) && facts->toolTip().isEmpty());
    writeHeads(path(), 40, 2, false, {{"step", "1200"}});
    QTRY_VERIFY_WITH_TIMEOUT(facts->text().contains(u", step 1200"_s), patience);
    QVERIFY(facts->toolTip().contains(u"Read again at "_s));
    m_window->openFile(path());
    QTRY_VERIFY_WITH_TIMEOUT(facts->text().contains(u", step 1200"_s) && facts->toolTip().isEmpty(), patience);
}

void FileFollowerTest::pinsAreOfTheFileToo()
{
    open(40);
    m_window->pins().pin();
    m_window->document().edit(u"Length"_s, [](Scenario& now) { now.n = 25; });
    const auto pinned = [&] {
        const auto& analyses = m_window->pins().analyses();
        return analyses.size() == 1 && analyses.front() && !analyses.front()->methods.empty()
                   ? analyses.front()->methods.front().entropy.mean
                   : -1;
    };
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(pinned() - evenEntropy(40)) < 1e-5, patience);
    writeHeads(path(), 40, 2, false);
    QVERIFY(shows(unevenEntropy(25)));
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(pinned() - unevenEntropy(40)) < 1e-5, patience);
}

void FileFollowerTest::pinsSayWhatTheyShow()
{
    open(40);
    m_window->document().edit(u"Head"_s, [](Scenario& now) { now.tensors.head = 1; });
    m_window->pins().pin();
    m_window->document().edit(u"Length"_s, [](Scenario& now) { now.n = 25; });
    writeHeads(path(), 30, 1, false);
    const auto pin = [this] { return m_window->document().look().pins.front(); };
    QTRY_COMPARE_WITH_TIMEOUT(pin().n, 30, patience);
    QCOMPARE(pin().tensors.head, 0);
    QVERIFY(shows(unevenEntropy(25)));
}

void FileFollowerTest::fewerLayersLeadToTheNearest()
{
    writeLayers(2);
    m_window->document().edit(u"Rows"_s, [](Scenario& now) { now.view.rows = RowSet::Kind::All; });
    m_window->openFile(path());
    QTRY_VERIFY_WITH_TIMEOUT(scenario().ofFile(), patience);
    m_window->document().replaceOnce(u"Layer"_s, scenarioFor(scenario(), *m_window->offers().current(), 1));
    QCOMPARE(scenario().tensors.query, std::string("layer1.q"));
    QVERIFY(settle(*m_window));
    writeLayers(1);
    QTRY_COMPARE_WITH_TIMEOUT(scenario().tensors.query, std::string("layer0.q"), patience);
    QVERIFY(settle(*m_window));
    QVERIFY(!m_window->analyser().current()->methods.empty());
}

/// Where it was followed before: what somebody has chosen stays.
void FileFollowerTest::whatTheFileSaysOfItsTrainingIsFollowed()
{
    writeHeads(path(), 40, 2, true, {{"n_train", "16"}});
    m_window->openFile(path());
    QTRY_VERIFY_WITH_TIMEOUT(scenario().ofFile() && scenario().nTrain == 16, patience);
    writeHeads(path(), 40, 2, true, {{"n_train", "20"}});
    QTRY_COMPARE_WITH_TIMEOUT(scenario().nTrain, 20.0, patience);
    m_window->document().edit(u"N"_s, [](Scenario& now) { now.nTrain = 10; });
    const auto before = m_window->offers().current();
    writeHeads(path(), 40, 2, true, {{"n_train", "24"}});
    QTRY_VERIFY_WITH_TIMEOUT(m_window->offers().current() != before, patience);
    QCOMPARE(scenario().nTrain, 10.0);
}

/// There is nothing to undo or to save, and what can be repeated can be repeated.
void FileFollowerTest::itIsNoStepOfTheUser()
{
    open(40);
    m_window->document().editOnce(u"Temperature"_s, [](Scenario& now) { now.temperature = 2; });
    m_window->document().undo();
    const bool modified = m_window->document().isModified();
    writeHeads(path(), 50);
    QVERIFY(shows(evenEntropy(50)));
    QCOMPARE(m_window->document().isModified(), modified);
    QVERIFY(m_window->document().canRedo());
    m_window->document().redo();
    QCOMPARE(scenario().temperature, 2.0);
}

void FileFollowerTest::whatStandsInTheBarStays()
{
    open(40);
    m_window->messages().say(MessageBar::Kind::Error, u"Something else"_s);
    writeHeads(path(), 40, 2, false);
    QVERIFY(shows(unevenEntropy(40)));
    QCOMPARE(m_window->messages().message(), u"Something else"_s);
}

void FileFollowerTest::whoDoesNotWantItIsNotFollowed()
{
    open(40);
    QAction* follows = nullptr;
    for (const QAction* menu : m_window->menuBar()->actions())
        for (QAction* action : menu->menu()->actions())
            if (action->text() == u"&Follow files"_s)
                follows = action;
    QVERIFY(follows && follows->isChecked());
    follows->trigger();
    QVERIFY(!FileFollower::isOn());
    writeHeads(path(), 40, 2, false);
    QTest::qWait(1500);  // three looks
    QVERIFY(std::abs(entropy() - evenEntropy(40)) < 1e-5);
    follows->trigger();
    QVERIFY(FileFollower::isOn());
    QVERIFY(shows(unevenEntropy(40)));  // what was written meanwhile
}

void FileFollowerTest::aModelIsOfferedAgain()
{
    const QString folder = m_folder->filePath(u"small"_s);
    QVERIFY(QDir().mkpath(folder));
    QCOMPARE(writeModel(smallModel("llama"), folder.toStdString()), std::string());
    m_window->openFile(folder);
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->bench().model.files().empty() && m_window->bench().model.model(), patience);
    waitForFirstLook();
    m_window->messages().hide();
    const auto before = m_window->bench().model.model();
    QCOMPARE(writeModel(smallModel("llama"), folder.toStdString()), std::string());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->messages().message().contains(u"small were written again"_s), patience);
    QCOMPARE(m_window->bench().model.model(), before);  // what runs on it goes on
    m_window->messages().buttons().front()->click();
    QTRY_VERIFY_WITH_TIMEOUT(m_window->bench().model.model() && m_window->bench().model.model() != before, patience);
}

QTEST_MAIN(FileFollowerTest)
#include "file_follower_test.moc"

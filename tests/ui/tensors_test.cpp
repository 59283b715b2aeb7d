// Opening tensors in the window: pairs by name and by hand, axes, batches, finished weights, what the file does not
// say; heads and their mean; what can be copied.
#include "core/tensor/tensor_writer.h"
#include "ui/plot/heatmap_plottable.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/explore/tensor_list.h"
#include "ui/explore/tensors_panel.h"
#include "ui/explore/difference_tile.h"
#include "ui/views/chart_view.h"
#include "ui/views/head_overview.h"
#include "ui/widgets/value_table.h"
#include "ui/widgets/copy_data.h"
#include "ui/explore/entropy_view.h"
#include "ui/explore/file_heads.h"
#include "ui/explore/file_heads_view.h"
#include "ui/explore/heads_view.h"
#include "ui/explore/heatmap_panel.h"
#include "ui/views/heatmap_plot.h"
#include "ui/views/heatmap_tile.h"
#include "ui/window/window_app.h"
#include "tests/support/patience.h"
#include "tests/ui/whole_window.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attnscope;

namespace {

/// Queries and keys of `count` numbers that no two tensors share.
std::vector<float> wave(std::size_t count, float pitch)
{
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = 1.5F * std::sin(pitch * static_cast<float>(i * i % 4099));
    return values;
}

struct Named {
    const char* name;
    std::vector<std::int64_t> shape;
};

QString write(const QTemporaryDir& folder, const std::vector<Named>& tensors,
              const std::map<std::string, std::string>& metadata = {})
{
    std::vector<std::vector<float>> values;
    std::vector<TensorView> views;
    values.reserve(tensors.size());
    for (const Named& tensor : tensors) {
        std::size_t count = 1;
        for (const std::int64_t extent : tensor.shape)
            count *= static_cast<std::size_t>(extent);
        values.push_back(wave(count, 0.1F + 0.37F * static_cast<float>(values.size())));
        if (QByteArray(tensor.name).startsWith("attn"))  // weights are not negative
            for (float& value : values.back())
                value = std::abs(value);
        views.push_back(tensorView(tensor.name, tensor.shape, values.back()));
    }
    const QString path = folder.filePath("model.safetensors");
    return writeSafetensors(path.toStdString(), views, metadata) ? path : QString();
}

void pick(QComboBox* list, int index)
{
    list->setCurrentIndex(index);
    emit list->activated(index);
}

}  // namespace

class TensorsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup() { m_window.reset(); }
    void theFirstPairIsShownAndTheRestIsListed();
    void whatTheFileSaysIsNotAsked();
    void aFileThatSaysNoNHasAlwaysTheSame();
    void softmaxPlusKeepsToTheTrainedLength();
    void theNoticeGoesWithItsFile();
    void aPairIsMadeByHand();
    void axesCanBeChanged();
    void aSequenceOfABatchIsChosen();
    void weightsAreOpenedAsTheyAre();
    void queriesBeforeRopeAreTurned();
    void whatMakesNoHeadsIsExplained();
    void theWeightsOfALayerAreSaidToBeSuch();
    void aFileWithoutHeadsIsAnError();
    void whatIsChosenFromStays();
    void allHeadsFindsItsTensors();
    void keysThatAreTypedAreTheWindows();
    void theSessionRemembersAllOfIt();
    void severalHeadsShowTheirMean();
    void keysGoFromHeadToHeadAndLayerToLayer();
    void whatIsDrawnCanBeCopied();
    void menusHaveOneOrder();
    void choicesOfTheSheetAreWhole();

private:
    bool settle()
    {
        return QTest::qWaitFor([this] { return m_window->analyser().current() && m_window->analyser().isSettled(); },
                               patience);
    }
    bool open(const QString& path, std::int64_t tokens = 0)
    {
        m_window->openFile(path);
        const std::string name = path.toStdString();
        return QTest::qWaitFor(
                   [&] {
                       return m_window->document().scenario().tensors.path == name && m_window->offers().current() &&
                              (tokens == 0 || m_window->document().scenario().n == tokens);
                   },
                   patience) &&
               settle();
    }
    const Scenario& scenario() const { return m_window->document().scenario(); }
    TensorsPanel& sheet() { return m_window->explore().tensors(); }
    void use(const QString& tensor, QPushButton* as)
    {
        const QAbstractItemModel* model = sheet().list().table()->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, 0).data().toString() == tensor)
                sheet().list().table()->setCurrentIndex(model->index(row, 0));
        QVERIFY(as->isEnabled());
        as->click();
    }
    std::unique_ptr<MainWindow> m_window;
    QTemporaryDir m_folder;
};

void TensorsTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("attnscope-test");
    applyTheme(*qApp, ThemeChoice::Light);
}

void TensorsTest::init()
{
    Scenario scenario = firstScenario();
    scenario.n = 32;
    scenario.nTrain = 8;
    scenario.view.curvePoints = 3;
    m_window = std::make_unique<attnscope::testing::WholeWindow>(scenario);
    m_window->resize(1280, 800);
    m_window->show();
    QVERIFY(settle());
}

void TensorsTest::theFirstPairIsShownAndTheRestIsListed()
{
    QVERIFY(open(write(m_folder, {{"layer0.q", {4, 20, 8}},
                                  {"layer0.k", {2, 20, 8}},
                                  {"layer1.q", {4, 20, 8}},
                                  {"layer1.k", {2, 20, 8}},
                                  {"norm", {8}}})));
    QCOMPARE(scenario().tensors.query, std::string("layer0.q"));
    QCOMPARE(sheet().list().table()->model()->rowCount(), 5);
    QCOMPARE(sheet().list().table()->model()->index(1, 2).data().toString(), QString("[2, 20, 8]"));
    QCOMPARE(sheet().list().table()->model()->index(1, 3).data().toString(), QString("keys"));
    QCOMPARE(sheet().pairs()->count(), 2);
    QCOMPARE(sheet().verdict(), QString::fromUtf8("4 query heads on 2 key heads of size 8, 20 queries \u00D7 20 keys"));
    QCOMPARE(m_window->explore().heads().rowCount(), 4);
    pick(sheet().pairs(), 1);
    QCOMPARE(scenario().tensors.query, std::string("layer1.q"));
    m_window->document().undo();
    QCOMPARE(scenario().tensors.query, std::string("layer0.q"));
    QCOMPARE(sheet().pairs()->currentIndex(), 0);
}

void TensorsTest::whatTheFileSaysIsNotAsked()
{
    const auto asked = [this] {
        QStringList words;
        for (const QLabel* label : sheet().findChildren<QLabel*>())
            if (label->property("role") == "ask")
                words << label->text();
        return words;
    };
    QVERIFY(open(write(m_folder, {{"q", {2, 12, 4}}, {"k", {2, 12, 4}}})));
    QCOMPARE(asked().filter("the file does not say").size(), 2);
    QCOMPARE(asked().filter("by length alone").size(), 1);
    QCOMPARE(asked().size(), 3);
    QVERIFY(m_window->messages().message().contains("as the file does not say"));
    QVERIFY(
        open(write(m_folder, {{"q", {2, 14, 4}}, {"k", {2, 14, 4}}},
                   {{"causal", "false"}, {"rope", "post-RoPE, base 500000"}, {"layout", "heads, tokens, head_dim"}}),
             14));
    QCOMPARE(asked(), QStringList());
    QCOMPARE(scenario().attention.mask.id, std::string("full"));
    QCOMPARE(scenario().attention.position.id, std::string("none"));
    pick(sheet().causal(), 0);
    QCOMPARE(scenario().attention.mask.id, std::string("causal"));
    QCOMPARE(asked(), QStringList{"the file says otherwise"});
}

/// Whatever was open before: the usual one, or all of its keys where they are fewer.
void TensorsTest::aFileThatSaysNoNHasAlwaysTheSame()
{
    QTemporaryDir folder;
    const QString first = write(folder, {{"q", {2, 14, 4}}, {"k", {2, 14, 4}}}),
                  between = write(m_folder, {{"q", {2, 14, 4}}, {"k", {2, 14, 4}}}, {{"trained_length", "6"}});
    for (const QString& path : {first, between, first}) {
        QVERIFY(open(path, 14));
        QCOMPARE(scenario().nTrain, path == between ? 6.0 : 14.0);
    }
}

/// The one without a number follows N, which is the file's now; a number was meant, even one that was the old N.
void TensorsTest::softmaxPlusKeepsToTheTrainedLength()
{
    m_window->document().edit(QStringLiteral("Methods"), [](Scenario& edited) {
        edited.methods = {{"softmax_plus", {}, {}}, {"softmax_plus", {{"B", 8}}, {}}};
    });
    QVERIFY(open(write(m_folder, {{"q", {2, 14, 4}}, {"k", {2, 14, 4}}}, {{"trained_length", "6"}}), 14));
    QCOMPARE(scenario().nTrain, 6.0);
    const auto worked = [this](std::size_t method) {
        return QString::fromStdString(m_window->analyser().current()->methods[method].worked);
    };
    QTRY_VERIFY2(worked(0).contains(QStringLiteral("ln 14 / ln 6 ")), qPrintable(worked(0)));
    QVERIFY2(worked(1).contains(QStringLiteral("ln 14 / ln 8 ")), qPrintable(worked(1)));
}

void TensorsTest::theNoticeGoesWithItsFile()
{
    QVERIFY(open(write(m_folder, {{"q", {2, 14, 4}}, {"k", {2, 14, 4}}}, {{"trained_length", "6"}}), 14));
    QVERIFY(m_window->messages().isVisible() && m_window->messages().message().contains(QStringLiteral("N = 6")));
    m_window->document().edit(QStringLiteral("Temperature"), [](Scenario& edited) { edited.temperature = 2; });
    QVERIFY(m_window->messages().isVisible());
    m_window->document().edit(QStringLiteral("Source"), [](Scenario& edited) { edited.source = {"local", {}, {}}; });
    QVERIFY(!m_window->messages().isVisible());
}

void TensorsTest::aPairIsMadeByHand()
{
    const QString path = write(m_folder, {{"alpha", {2, 10, 4}}, {"beta", {2, 10, 4}}, {"gamma", {2, 11, 4}}});
    m_window->openFile(path);
    QTRY_VERIFY(m_window->messages().message().contains("choose them"));
    QCOMPARE(scenario().source.id, firstScenario().source.id);
    use("alpha", sheet().list().useAsQueries());
    QVERIFY(sheet().verdict().contains("choose the keys"));
    use("gamma", sheet().list().useAsKeys());
    QVERIFY(settle());
    QCOMPARE(scenario().source.id, std::string("tensors"));
    QCOMPARE(scenario().tensors.query, std::string("alpha"));
    QCOMPARE(scenario().tensors.key, std::string("gamma"));
    QCOMPARE(scenario().attention.mask.id, std::string("full"));  // other tokens than the queries'
    QCOMPARE(m_window->analyser().current()->keyCount, 11);
    QTRY_COMPARE(sheet().pairs()->currentIndex(), -1);
    use("beta", sheet().list().useAsKeys());
    QVERIFY(settle());
    QCOMPARE(m_window->analyser().current()->keyCount, 10);
}

void TensorsTest::axesCanBeChanged()
{
    QVERIFY(open(write(m_folder, {{"q", {6, 5, 4}}, {"k", {6, 5, 4}}})));
    QCOMPARE(m_window->analyser().current()->keyCount, 6);  // the longer axis is taken for the tokens
    QCOMPARE(m_window->explore().heads().rowCount(), 5);
    QComboBox* axes = sheet().layoutList();
    QCOMPARE(axes->count(), 3);  // of three axes
    QVERIFY(sheet().layoutSaid()->isVisibleTo(&sheet()));
    QVERIFY(sheet().layoutSaid()->text().contains("by length alone"));
    pick(axes, axes->findData("heads_tokens_dim"));
    QVERIFY(settle());
    QCOMPARE(m_window->analyser().current()->keyCount, 5);
    QCOMPARE(m_window->explore().heads().rowCount(), 6);
    emit sheet().layoutSaid()->linkActivated("tokens_heads_dim");  // one click swaps them
    QVERIFY(settle());
    QCOMPARE(m_window->explore().heads().rowCount(), 5);
    QVERIFY2(sheet().verdict().contains("5 heads"), qPrintable(sheet().verdict()));
    QCOMPARE(scenario().tensors.layout, std::string("tokens_heads_dim"));
    QVERIFY(open(write(m_folder, {{"q", {6, 5, 4}}, {"k", {3, 5, 4}}})));  // grouped keys: certain
    QTRY_VERIFY(!sheet().layoutSaid()->isVisibleTo(&sheet()));
    QTRY_COMPARE(m_window->explore().heads().rowCount(), 6);
}

void TensorsTest::aSequenceOfABatchIsChosen()
{
    QVERIFY(open(write(m_folder, {{"q", {3, 2, 9, 4}}, {"k", {3, 2, 9, 4}}})));
    QVERIFY(sheet().batch()->isVisibleTo(&sheet()));
    const auto first = m_window->analyser().current()->methods.front().map.values;
    sheet().batch()->setValue(2);
    QVERIFY(settle());
    QCOMPARE(scenario().tensors.batch, 2);
    QVERIFY(m_window->analyser().current()->methods.front().map.values != first);
}

void TensorsTest::weightsAreOpenedAsTheyAre()
{
    QVERIFY(open(write(m_folder, {{"q", {2, 8, 4}}, {"k", {2, 8, 4}}, {"attn_mystery", {2, 8, 8}}})));
    const Scenario before = scenario();
    pick(sheet().kind(), 2);
    QVERIFY(sheet().verdict().contains("choose the tensor"));
    QVERIFY(scenario() == before);
    QVERIFY(!sheet().list().useAsKeys()->isEnabled());
    use("attn_mystery", sheet().list().useAsQueries());
    QVERIFY(settle());
    QCOMPARE(scenario().tensors.holds, std::string("weights"));
    QCOMPARE(scenario().tensors.query, std::string("attn_mystery"));
    QCOMPARE(sheet().verdict(), QString::fromUtf8("2 heads, 8 queries \u00D7 8 keys"));
    QCOMPARE(m_window->analyser().current()->keyCount, 8);
}

void TensorsTest::queriesBeforeRopeAreTurned()
{
    QVERIFY(open(write(m_folder, {{"q_pre_rope", {2, 12, 4}}, {"k_pre_rope", {2, 12, 4}}},
                       {{"causal", "true"}, {"rope", "base 500, half-split pairs"}})));
    QCOMPARE(formatChoice(scenario().attention.position), std::string("rope:base=500,interleaved=0"));
    QCOMPARE(sheet().positions()->currentIndex(), 1);
    pick(sheet().positions(), 2);
    QCOMPARE(formatChoice(scenario().attention.position), std::string("rope:base=500"));
    pick(sheet().positions(), 0);
    QCOMPARE(scenario().attention.position.id, std::string("none"));
}

void TensorsTest::whatMakesNoHeadsIsExplained()
{
    QVERIFY(open(write(m_folder, {{"q", {4, 10, 8}}, {"k", {4, 10, 8}}, {"other", {3, 7, 8}}})));
    const Scenario before = scenario();
    use("other", sheet().list().useAsKeys());
    QVERIFY2(sheet().verdict().contains("3 key heads do not divide 4"), qPrintable(sheet().verdict()));
    QVERIFY(scenario() == before);
}

void TensorsTest::theWeightsOfALayerAreSaidToBeSuch()
{
    QVERIFY(open(write(m_folder, {{"a.W_query", {2, 16, 4}}, {"a.W_key", {2, 16, 4}}})));
    QTRY_VERIFY(m_window->messages().message().contains("weights of a layer"));
    QVERIFY(open(write(m_folder, {{"a.query", {2, 16, 4}}, {"a.key", {2, 16, 4}}})));
    QTRY_VERIFY(!m_window->messages().message().contains("weights of a layer"));
}

void TensorsTest::aFileWithoutHeadsIsAnError()
{
    m_window->openFile(write(m_folder, {{"bias", {8}}, {"empty", {0, 4}}}));
    QTRY_VERIFY(m_window->messages().message().contains("none of its 2 tensors"));
}

/// A file without names that are known, while another is looked at: its list stays until something else is looked at.
void TensorsTest::whatIsChosenFromStays()
{
    const QString known = write(m_folder, {{"q", {2, 16, 4}}, {"k", {2, 16, 4}}});
    QVERIFY(open(known));
    QTemporaryDir other;
    m_window->openFile(write(other, {{"one", {2, 12, 4}}, {"two", {2, 12, 4}}}));
    const auto lists = [this](const QString& tensor) {
        const QAbstractItemModel* model = sheet().list().table()->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, 0).data().toString() == tensor)
                return true;
        return false;
    };
    QTRY_VERIFY(lists("one"));
    m_window->document().edit("n", [](Scenario& now) { now.n = 12; });  // the document's file is read anew meanwhile
    QVERIFY(settle());
    QTRY_VERIFY(m_window->offers().current());
    QTest::qWait(100);
    QVERIFY(lists("one"));
    use("one", sheet().list().useAsQueries());
    use("two", sheet().list().useAsKeys());
    QTRY_COMPARE(scenario().tensors.query, std::string("one"));
    QCOMPARE(scenario().tensors.key, std::string("two"));
}

/// A file that has logits and weights of each layer: a row of the one leads to the one.
void TensorsTest::allHeadsFindsItsTensors()
{
    QVERIFY(open(write(m_folder, {{"attn0.logits", {2, 16, 16}},
                                  {"attn0.weights", {2, 16, 16}},
                                  {"attn1.logits", {2, 16, 16}},
                                  {"attn1.weights", {2, 16, 16}}})));
    m_window->showDock("all heads");
    FileHeadsView& all = m_window->explore().fileHeads();
    QTRY_VERIFY(all.heads().isComplete());
    const std::string kind = scenario().tensors.holds;
    QVERIFY(!kind.empty());
    QCOMPARE(all.heads().names().size(), 2);
    for (const int layer : {1, 0, 1}) {
        emit all.overview()->chosen(layer, 1);
        QCOMPARE(scenario().tensors.query, "attn" + std::to_string(layer) + "." + kind);
        QCOMPARE(scenario().tensors.head, 1);
        QVERIFY(all.overview()->accessibleDescription().contains(all.heads().names()[layer]));
    }
}

/// Tables that cannot be edited are no place to type: digits show pins, letters choose views.
void TensorsTest::keysThatAreTypedAreTheWindows()
{
    QVERIFY(open(write(m_folder, {{"q", {2, 16, 4}}, {"k", {2, 16, 4}}})));
    m_window->pins().pin();
    m_window->document().edit("n", [](Scenario& now) { now.n = 8; });
    QVERIFY(settle());
    int tables = 0;
    for (const char* dock : {"heads", "all heads", "statistics"})
        if (m_window->explore().dock(dock)) {
            m_window->showDock(dock);
            for (ValueTable* table : m_window->explore().dock(dock)->findChildren<ValueTable*>()) {
                if (!table->isVisible() || table->rowCount() == 0)
                    continue;
                table->setCurrentCell(0, 0);
                table->setFocus();
                QTRY_VERIFY(table->hasFocus());
                QTest::keyPress(table, Qt::Key_1);
                QCOMPARE(m_window->pins().flipped(), 0);
                QTest::keyRelease(table, Qt::Key_1);
                QTRY_COMPARE(m_window->pins().flipped(), -1);
                ++tables;
            }
        }
    QVERIFY(tables >= 2);
}

void TensorsTest::theSessionRemembersAllOfIt()
{
    QVERIFY(open(write(m_folder, {{"q", {2, 3, 9, 4}}, {"k", {2, 3, 9, 4}}})));
    sheet().batch()->setValue(1);
    pick(sheet().causal(), 1);
    pick(sheet().positions(), 1);
    m_window->explore().heads().selectAll();
    const Session saved = m_window->session().current();
    QCOMPARE(saved.scenario.tensors.mean, (std::vector<int>{0, 1, 2}));
    QCOMPARE(saved.scenario.tensors.batch, 1);
    const auto read = readSession(writeSession(saved));
    QVERIFY(read && *read == saved);
    m_window->document().reset(Scenario{});
    m_window->session().restore(*read);
    QTRY_COMPARE(sheet().batch()->value(), 1);
    QTRY_COMPARE(sheet().positions()->currentIndex(), 1);
    QCOMPARE(sheet().causal()->currentIndex(), 1);
}

void TensorsTest::severalHeadsShowTheirMean()
{
    QVERIFY(open(write(m_folder, {{"q", {4, 16, 4}}, {"k", {4, 16, 4}}})));
    const auto mapOf = [this](int head) {
        m_window->document().edit("Head", [head](Scenario& s) { s.tensors.head = head, s.tensors.mean.clear(); });
        m_window->document().endGesture();
        return settle() ? m_window->analyser().current()->methods.front().map.values : std::vector<float>{};
    };
    const std::vector<float> one = mapOf(1), three = mapOf(3);
    HeadsView& heads = m_window->explore().heads();
    heads.clearSelection();
    for (int row = 0; row < heads.rowCount(); ++row)
        if (heads.headAt(row) == 1 || heads.headAt(row) == 3)
            heads.selectionModel()->select(heads.model()->index(row, 0),
                                           QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QVERIFY(settle());
    QCOMPARE(scenario().tensors.mean, (std::vector<int>{1, 3}));
    const PooledMap& shown = m_window->explore().heatmaps().tiles().front()->plot()->map();
    for (std::size_t i = 0; i < one.size(); ++i)
        QVERIFY(std::abs(shown.values[i] - (one[i] + three[i]) / 2) < 1e-6F);
    QStringList words;
    for (const QLabel* label : m_window->findChildren<QLabel*>()) {
        const auto* elided = qobject_cast<const ElidedLabel*>(label);
        words << (elided ? elided->text() : label->text());
    }
    QVERIFY(!words.filter("mean of heads 1, 3; ").isEmpty());
    QVERIFY(!words.filter("mean of heads 1, 3, ").isEmpty());  // above the curves
    QCOMPARE(heads.selectionModel()->selectedRows().size(), 2);
    m_window->document().undo();
    QCOMPARE(heads.selectionModel()->selectedRows().size(), 1);
}

void TensorsTest::keysGoFromHeadToHeadAndLayerToLayer()
{
    QVERIFY(
        open(write(m_folder, {{"a.q", {3, 16, 4}}, {"a.k", {3, 16, 4}}, {"b.q", {3, 16, 4}}, {"b.k", {3, 16, 4}}})));
    const auto press = [this](const char* words) {
        for (QAction* action : m_window->findChildren<QAction*>())
            if (action->text() == QLatin1String(words))
                action->trigger();
    };
    press("&Next head");
    QCOMPARE(scenario().tensors.head, 1);
    press("&Previous head");
    press("&Previous head");
    QCOMPARE(scenario().tensors.head, 2);
    press("Next la&yer");
    QCOMPARE(scenario().tensors.query, std::string("b.q"));
    QCOMPARE(scenario().tensors.head, 2);
    QVERIFY(settle());
    QTest::keyClick(&m_window->explore().heads(), Qt::Key_Up);  // the rows are in the order of the heads
    QCOMPARE(scenario().tensors.head, 1);
}

void TensorsTest::whatIsDrawnCanBeCopied()
{
    QVERIFY(open(write(m_folder, {{"q", {2, 16, 4}}, {"k", {2, 16, 4}}})));
    const PooledMap& map = m_window->explore().heatmaps().tiles().front()->plot()->map();
    const QStringList cells = mapData(map).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(cells.size(), 17);
    QCOMPARE(cells[0].split('\t').size(), 17);
    QCOMPARE(cells[6].split('\t')[3].toFloat(), map.at(5, 2));
    m_window->document().editLook([](Look& look) { look.maps.difference = true; });
    QVERIFY(settle());
    const HeatmapPanel& maps = m_window->explore().heatmaps();
    QVERIFY(maps.difference());
    for (HeatmapPlot* plot : {maps.tiles().back()->plot(), maps.difference()->plot(), maps.tiles().front()->plot()}) {
        emit plot->pointed({.row = 3, .key = 1}, QPointF());
        QCOMPARE(maps.cells(), mapData(plot->map()));  // Edit, Copy data: the map pointed at last
    }
    const QStringList rows = rowData(*m_window->analyser().current(), 0).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(rows.size(), 17);
    QCOMPARE(rows[0].split('\t')[3], QString("Shannon entropy"));
    QCOMPARE(rows[9].split('\t')[3].toDouble(), m_window->analyser().current()->methods[0].rows[8].entropy);
    const ChartSpec& chart = m_window->explore().entropy().chart()->spec();
    qsizetype points = 0;
    for (const ChartSeries& series : chart.series)
        points += std::count_if(series.points.begin(), series.points.end(),
                                [](const ChartPoint& point) { return std::isfinite(point.y); });
    QCOMPARE(chartData(chart).count('\n'), points + 1);
    for (QWidget* view : {static_cast<QWidget*>(m_window->explore().entropy().chart()),
                          static_cast<QWidget*>(&m_window->explore().heads()),
                          static_cast<QWidget*>(m_window->explore().heatmaps().tiles().front()->plot())})
        QCOMPARE(view->contextMenuPolicy(), Qt::CustomContextMenu);
    int copied = 0;
    for (QAction* action : m_window->findChildren<QAction*>())
        if (action->text().contains("Heads") && !action->isCheckable()) {
            action->trigger();
            copied += QApplication::clipboard()->text() == m_window->explore().heads().asText();
        }
    QVERIFY(copied > 0);
}

/// Notes, then the view, then what copies, then what saves; with the keys that the view takes.
void TensorsTest::menusHaveOneOrder()
{
    QVERIFY(open(write(m_folder, {{"q", {2, 16, 4}}, {"k", {2, 16, 4}}})));
    const HeatmapPanel& maps = m_window->explore().heatmaps();
    m_window->document().editLook([](Look& look) { look.maps.difference = true; });
    QVERIFY(settle());
    const auto linesOf = [](QWidget* view) {
        emit view->customContextMenuRequested(QPoint(5, 5));
        QStringList lines;
        for (QMenu* menu : view->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly)) {
            for (const QAction* action : menu->actions())
                lines << (action->isSeparator() ? QStringLiteral("-")
                                                : action->text() + QStringLiteral(" ") + action->shortcut().toString());
            menu->close();
        }
        return lines;
    };
    const QStringList map{"Write a note here T",
                          "Remove the note Del",
                          "-",
                          "Whole matrix 0",
                          "-",
                          "Copy the cells ",
                          "Copy the rows' statistics ",
                          "Copy the picture ",
                          "-",
                          "Save the cells as .npy\u2026 "};
    QStringList said = linesOf(maps.tiles().front()->plot());
    QVERIFY2(said.takeLast().startsWith("Save as"), qPrintable(said.join(u'|')));
    QCOMPARE(said, map);
    said = linesOf(maps.difference()->plot());
    QVERIFY(said.takeLast().startsWith("Save as"));
    QStringList difference = map;
    difference.removeAt(6);
    QCOMPARE(said, difference);
    said = linesOf(m_window->explore().entropy().chart());
    QVERIFY(said.takeLast().startsWith("Save as"));
    QCOMPARE(said, QStringList({"Write a note here T", "Remove the note Del", "-", "Show the whole chart 0",
                                "Differences from here D", "-", "Copy the data ",
                                "Copy the values at the pointer Ctrl+C", "Copy the picture ", "-"}));
}

void TensorsTest::choicesOfTheSheetAreWhole()
{
    m_window->resize(1280, 720);
    QVERIFY(open(write(m_folder, {{"q", {2, 16, 4}}, {"k", {2, 16, 4}}})));
    m_window->showDock("tensors");
    QTest::qWait(100);
    for (int item = 0; item < sheet().positions()->count(); ++item)
        for (QComboBox* list : {sheet().causal(), sheet().positions()}) {
            list->setCurrentIndex(item % list->count());
            QVERIFY2(!static_cast<const ElidedList*>(list)->isElided(), qPrintable(list->currentText()));
        }
    const auto* find = sheet().list().findChild<QLineEdit*>();
    QVERIFY(find->fontMetrics().horizontalAdvance(find->placeholderText()) + 20 <= find->width());
}

QTEST_MAIN(TensorsTest)
#include "tensors_test.moc"

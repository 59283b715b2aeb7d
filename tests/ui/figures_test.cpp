// The gallery and the export panel: thumbnails, opening a figure live, the preview and its zoom, recipes with mistakes,
// what is saved and copied.

#include "ui/figure/figure.h"
#include "ui/figure/figure_kind.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/figures/export_panel.h"
#include "ui/figures/gallery_browser.h"
#include "ui/widgets/page_view.h"
#include "ui/widgets/thumbnails.h"
#include "ui/figures/recipe_editor.h"
#include "ui/window/window_app.h"
#include "tests/support/patience.h"
#include "tests/ui/whole_window.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QListWidget>
#include <QMimeData>
#include <QPainter>
#include <QPlainTextEdit>
#include <QScreen>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocumentFragment>
#include <QWheelEvent>

#include <functional>
#include <set>

using namespace attnscope;

namespace {

Scenario smallScenario()
{
    Scenario scenario = firstScenario();
    scenario.n = 64;
    scenario.nTrain = 16;
    scenario.view.curveLast = 256;
    scenario.view.curvePoints = 5;
    return scenario;
}

QComboBox* listCalled(QWidget& panel, const QString& name)
{
    for (auto* list : panel.findChildren<QComboBox*>())
        if (list->accessibleName() == name)
            return list;
    return nullptr;
}

}  // namespace

Q_DECLARE_METATYPE(std::function<void(Look&)>)

class FiguresTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("HOME", QFile::encodeName(m_home.path()));  // nothing that an earlier run has kept
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("attnscope-test");
        applyTheme(*qApp, ThemeChoice::Light);
    }
    void init()
    {
        m_window = std::make_unique<attnscope::testing::WholeWindow>(smallScenario());
        m_window->resize(1280, 800);
        m_window->show();
    }
    void cleanup() { m_window.reset(); }

    void cardsStandInAsManyColumnsAsFit_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("columns");
        QTest::addRow("narrow") << 260 << 1;
        QTest::addRow("beside a figure") << 480 << 2;
        QTest::addRow("wide") << 700 << 3;
    }
    /// And leave less than half a card free beside them.
    void cardsStandInAsManyColumnsAsFit()
    {
        QFETCH(int, width);
        QFETCH(int, columns);
        GalleryBrowser browser;
        browser.resize(width, 600);
        (void)browser.grab();
        QListWidget& list = *browser.list();
        const auto place = [&](int row) { return list.visualItemRect(list.item(row)); };
        int beside = 1;
        while (place(beside).top() == place(0).top())
            ++beside;
        QCOMPARE(beside, columns);
        QVERIFY(list.viewport()->width() - place(columns - 1).right() < place(0).width() / 2);
        QVERIFY(place(columns - 1).right() <= list.viewport()->width());
    }

    void everyFigureHasACardWithAThumbnail()
    {
        GalleryBrowser& browser = m_window->gallery();
        const std::set<std::string> rendered{"adaptive_fit", "su_table",
                                             "method_grid"};  // the others are kept already: rendering all takes long
        const double ratio = browser.devicePixelRatioF();
        QImage kept(7, 5, QImage::Format_RGB32);
        kept.fill(Qt::darkCyan);
        const auto pictured = [](Recipe recipe) {
            recipe.style = "slide";
            return recipe;
        };
        for (const Recipe& recipe : browser.recipes()) {
            const QString file = thumbnailFile(pictured(recipe), ratio);
            QVERIFY2(file.startsWith(m_home.path()) && !QFile::exists(file), qPrintable(file));
            if (!rendered.contains(recipe.name))
                QVERIFY(QDir().mkpath(QFileInfo(file).path()) && kept.save(file));
        }
        QCOMPARE(browser.list()->count(), static_cast<int>(gallery().size()));
        QVERIFY(!browser.isComplete());
        m_window->showDock("gallery");
        QVERIFY(QTest::qWaitFor([&] { return browser.isComplete(); }, patience));
        for (int row = 0; row < browser.list()->count(); ++row) {
            const QListWidgetItem& item = *browser.list()->item(row);
            const Recipe& recipe = browser.recipes()[static_cast<size_t>(row)];
            const auto image = qvariant_cast<QImage>(item.data(Qt::DecorationRole));
            if (rendered.contains(recipe.name))
                QVERIFY2(image.width() > 100 && QFile::exists(thumbnailFile(pictured(recipe), ratio)),
                         qPrintable(item.text()));
            else
                QCOMPARE(image.size(), kept.size());
            QVERIFY(!item.text().isEmpty() && !item.data(Qt::UserRole + 1).toString().isEmpty());
            QVERIFY(!item.text().contains('$'));
        }
    }

    /// Pictures of an older version are not shown by a newer one.
    void aThumbnailIsOfItsVersion()
    {
        const Recipe recipe = *loadRecipe("adaptive_fit");
        const QString version = QCoreApplication::applicationVersion(), file = thumbnailFile(recipe, 1);
        QCoreApplication::setApplicationVersion(version + ".1");
        QVERIFY(thumbnailFile(recipe, 1) != file);
        QCoreApplication::setApplicationVersion(version);
        QCOMPARE(thumbnailFile(recipe, 1), file);
        QVERIFY(thumbnailFile(recipe, 2) != file);
    }

    /// Not until each has its turn: none in the colours of another theme is seen meanwhile.
    void anotherThemeHasOtherThumbnailsAtOnce()
    {
        QImage shown(1, 1, QImage::Format_RGB32);
        Thumbnails thumbnails({*loadRecipe("adaptive_fit")}, [&shown](int, const QImage& image) { shown = image; });
        thumbnails.refresh(1);
        QVERIFY(QTest::qWaitFor([&] { return thumbnails.areComplete(); }, patience));
        QVERIFY(shown.pixelColor(2, 2).lightnessF() > 0.5F);
        applyTheme(*qApp, ThemeChoice::Dark);
        thumbnails.refresh(1);
        QVERIFY2(shown.isNull(), "a light one on dark ground");
        QVERIFY(QTest::qWaitFor([&] { return thumbnails.areComplete(); }, patience));
        applyTheme(*qApp, ThemeChoice::Light);
        QVERIFY(shown.pixelColor(2, 2).lightnessF() < 0.5F);
    }

    /// However wide they are.
    void thumbnailsStandAtTheLeftWhereTheyAreToldTo()
    {
        for (const int width : {40, 90}) {
            QImage wall(120, 80, QImage::Format_RGB32), picture(width, 50, QImage::Format_RGB32);
            wall.fill(Qt::white);
            picture.fill(Qt::black);
            QPainter painter(&wall);
            paintThumbnail(painter, {10, 10, 100, 60}, picture, lightTheme(), Qt::AlignLeft | Qt::AlignTop);
            QCOMPARE(wall.pixelColor(10, 35), QColor(Qt::black));
            QCOMPARE(wall.pixelColor(9, 35), QColor(Qt::white));
            QCOMPARE(wall.pixelColor(10, 10), QColor(Qt::white));  // its corners are a card's
        }
    }

    /// A tall page does not become a sliver: its top part is as wide as the card has room, and fades where it goes on.
    void aTallFigureShowsItsTop()
    {
        Recipe recipe = *loadRecipe("adaptive_fit");
        recipe.name = "tall";
        recipe.heightMm = 3 * recipe.widthMm;
        QImage shown;
        Thumbnails thumbnails({recipe}, [&shown](int, const QImage& image) { shown = image; });
        thumbnails.refresh(1);
        QVERIFY(QTest::qWaitFor([&] { return thumbnails.areComplete(); }, patience));
        QCOMPARE(shown.size(), Thumbnails::size);
        QCOMPARE(qAlpha(shown.pixel(118, 20)), 255);
        QVERIFY(qAlpha(shown.pixel(118, 149)) < 40);
    }

    /// Of what no view of the window shows.
    void aBadgeSaysWhatTheNumbersAre()
    {
        GalleryBrowser& browser = m_window->gallery();
        const auto badge = [&](const char* name) {
            for (int row = 0; row < browser.list()->count(); ++row)
                if (browser.recipes()[static_cast<size_t>(row)].name == name)
                    return browser.list()->item(row)->data(Qt::UserRole + 2).toString();
            return QStringLiteral("not there");
        };
        for (const auto& [name, said] :
             {std::pair("power_series", "formula"), std::pair("jl_dimension", "formula"),
              std::pair("su_table", "as published"), std::pair("scoreboard", "measured"),
              std::pair("needle_map", "measured"), std::pair("model_quality", "measured"),
              std::pair("tour_steps", "measured"), std::pair("su_table_here", "published, measured"),
              std::pair("method_grid", "")})
            QCOMPARE(badge(name), QString::fromLatin1(said));
    }

    void aFigureOpensLive()
    {
        GalleryBrowser& browser = m_window->gallery();
        m_window->showDock("gallery");
        for (int row = 0; row < browser.list()->count(); ++row)
            if (browser.recipes()[static_cast<size_t>(row)].name == "dispersion_theorem") {
                browser.list()->setCurrentRow(row);
                emit browser.list()->itemActivated(browser.list()->item(row));
            }
        const Scenario& shown = m_window->document().scenario();
        QCOMPARE(shown.source.id, std::string("vocabulary"));
        QCOMPARE(shown, liveFigure(*loadRecipe("dispersion_theorem"))->scenario);
        QVERIFY(m_window->document().canUndo());
        QVERIFY(m_window->messages().message().contains("Bounded logits"));
        m_window->document().undo();
        QCOMPARE(m_window->document().scenario().n, std::int64_t(64));
    }

    void aListOfCardsHasABarWhereThereIsSomethingToScroll()
    {
        GalleryBrowser browser;
        browser.resize(900, 700);
        browser.show();
        QScrollBar* bar = browser.list()->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0 && bar->isVisible());
        browser.resize(900, 30000);
        QTRY_VERIFY(bar->maximum() == 0 && !bar->isVisible());
    }

    /// Whatever is said of the chosen figure, the cards stay where they are.
    void cardsStayWhereTheyAre()
    {
        GalleryBrowser& browser = m_window->gallery();
        QSignalSpy previewed(&m_window->exportPanel(), &ExportPanel::previewed);
        m_window->showDock("gallery");
        QVERIFY(previewed.wait(patience));
        const QRect cards = browser.list()->geometry();
        for (int row = 0; row < browser.list()->count(); ++row) {
            browser.list()->setCurrentRow(row);
            QCoreApplication::processEvents();
            QCOMPARE(browser.list()->geometry(), cards);
        }
    }

    /// What is shown large and the chosen card are one thing: the window's own figure has none, an edited one neither.
    void theChosenCardIsWhatIsShown()
    {
        GalleryBrowser& browser = m_window->gallery();
        ExportPanel& panel = m_window->exportPanel();
        QSignalSpy previewed(&panel, &ExportPanel::previewed);
        const auto chosen = [&] {
            const auto items = browser.list()->selectedItems();
            return items.isEmpty() ? -1 : browser.list()->row(items.front());
        };
        m_window->showDock("gallery");
        QVERIFY(previewed.wait(patience));
        QCOMPARE(chosen(), -1);
        browser.list()->setFocus();
        QCoreApplication::processEvents();
        QCOMPARE(chosen(), -1);                          // the keyboard alone chooses nothing
        QTest::keyClick(browser.list(), Qt::Key_Space);  // the keyboard chooses as the pointer does
        QTRY_COMPARE(panel.recipe().name, browser.recipes()[0].name);
        QTest::mouseClick(browser.list()->viewport(), Qt::LeftButton, {},
                          browser.list()->visualItemRect(browser.list()->item(1)).center());
        QVERIFY(previewed.wait(patience));
        QCOMPARE(panel.recipe().name, browser.recipes()[1].name);
        QCOMPARE(chosen(), 1);
        Recipe narrow = browser.recipes()[1];
        narrow.widthMm = 89;
        panel.setRecipe(narrow);
        QVERIFY(previewed.wait(patience));
        QCOMPARE(chosen(), 1);
        narrow.title = "edited";
        panel.setRecipe(narrow);
        QVERIFY(previewed.wait(patience));
        QCOMPARE(chosen(), -1);
        QTest::mouseClick(browser.list()->viewport(), Qt::LeftButton, {},
                          browser.list()->visualItemRect(browser.list()->item(1)).center());
        QVERIFY(previewed.wait(patience));
        QCOMPARE(panel.recipe().title, browser.recipes()[1].title);
        auto* what = panel.findChild<QComboBox*>();
        what->setCurrentIndex(0);
        emit what->activated(0);  // the whole window
        QVERIFY(previewed.wait(patience));
        QCOMPARE(chosen(), -1);
    }

    void aPublishedTableOpensForExport()
    {
        GalleryBrowser& browser = m_window->gallery();
        QSignalSpy live(&browser, &GalleryBrowser::openRequested), exported(&browser, &GalleryBrowser::chosen);
        for (int row = 0; row < browser.list()->count(); ++row)
            if (browser.recipes()[static_cast<size_t>(row)].name == "su_table") {
                QCOMPARE(browser.list()->item(row)->data(Qt::UserRole + 2).toString(), QString("as published"));
                browser.list()->setCurrentRow(row);
                emit browser.list()->itemActivated(browser.list()->item(row));
            }
        QCOMPARE(exported.count(), 1);
        QCOMPARE(live.count(), 0);
        QCOMPARE(m_window->exportPanel().recipe().name, std::string("su_table"));
    }

    /// It is marked and said, and both go once it is right.
    void aWidthThatIsNoneIsMarkedUntilItIs()
    {
        m_window->setWorkspace(QStringLiteral("figures"));
        ExportPanel& panel = m_window->exportPanel();
        QComboBox* width = listCalled(panel, QStringLiteral("Width"));
        QVERIFY(width);
        const auto type = [&](const char* words) {
            width->lineEdit()->setText(QString::fromLatin1(words));
            emit width->lineEdit()->editingFinished();
        };
        const double before = panel.recipe().widthMm;
        type("wide");
        QVERIFY(width->property("wrong").toBool() && m_window->messages().isVisible());
        QVERIFY(QTextDocumentFragment::fromHtml(width->toolTip()).toPlainText() == m_window->messages().message());
        QCOMPARE(panel.recipe().widthMm, before);
        type("120 mm");
        QVERIFY(!width->property("wrong").toBool() && !m_window->messages().isVisible());
        QCOMPARE(panel.recipe().widthMm, 120.0);
    }

    /// Of a page that is more than one of A4 more is said, in the room that there is.
    void whatIsSaidOfThePageMovesNoControl()
    {
        m_window->resize(1280, 720);
        ExportPanel& panel = m_window->exportPanel();
        QSignalSpy previewed(&panel, &ExportPanel::previewed);
        m_window->showDock("export");
        QVERIFY(previewed.wait(patience));
        const auto places = [&] {
            QList<QRect> all;
            for (const char* name : {"What", "Width", "Zoom"})
                all << listCalled(panel, QString::fromLatin1(name))->geometry();
            return all;
        };
        const QList<QRect> before = places();
        Recipe recipe = panel.recipe();
        recipe.heightMm = 310;
        panel.setRecipe(recipe);
        QVERIFY(previewed.wait(patience));
        QCoreApplication::sendPostedEvents();
        QCOMPARE(places(), before);
        QCOMPARE(panel.minimumSizeHint().width() <= panel.width(), true);
    }

    /// Whole, in its true size, and by the wheel.
    void thePageCanBeZoomed()
    {
        ExportPanel& panel = m_window->exportPanel();
        QSignalSpy previewed(&panel, &ExportPanel::previewed);
        m_window->showDock("export");
        QVERIFY(previewed.wait(patience));
        auto* page = panel.findChild<PageView*>();
        QComboBox* zoom = listCalled(panel, QStringLiteral("Zoom"));
        QComboBox* style = listCalled(panel, QStringLiteral("Style"));
        QCOMPARE(style->itemText(style->findData("slide")), QStringLiteral("Slide"));
        QVERIFY(page && zoom);
        const double ratio = panel.devicePixelRatioF();
        const auto pixels = [&] { return QSizeF(panel.shownPreview().size()) / ratio; };
        const auto fills = [&] {
            const QSizeF room = page->room();
            return pixels().width() <= room.width() + 1 && pixels().height() <= room.height() + 1 &&
                   (pixels().width() > room.width() - 2 || pixels().height() > room.height() - 2);
        };
        QVERIFY(fills());
        m_window->resize(1100, 700);
        QTRY_VERIFY(fills());

        const auto choose = [&](const QString& item) {
            zoom->setCurrentText(item);
            return previewed.wait(patience);
        };
        QVERIFY(choose(QStringLiteral("True size")));
        const QSizeF own = pixels();
        const double dpi = panel.screen()->physicalDotsPerInch(),
                     used = dpi > 60 && dpi < 400 ? dpi : panel.screen()->logicalDotsPerInch();
        QVERIFY(std::abs(own.width() - 183 / 25.4 * used) <= 1);
        QVERIFY(choose(QStringLiteral("300 %")));
        QVERIFY(std::abs(pixels().width() - 3 * own.width()) <= 3 &&
                std::abs(pixels().height() - 3 * own.height()) <= 3);
        QTRY_VERIFY(page->horizontalScrollBar()->maximum() > 200);
        const int before = page->horizontalScrollBar()->value();
        QTest::mousePress(page->viewport(), Qt::LeftButton, {}, {200, 100});  // what is larger is moved by hand
        QTest::mouseMove(page->viewport(), {120, 100});
        QTest::mouseRelease(page->viewport(), Qt::LeftButton, {}, {120, 100});
        QCOMPARE(page->horizontalScrollBar()->value(), before + 80);

        const auto wheel = [&](int up) {
            QWheelEvent event({50, 50}, page->viewport()->mapToGlobal(QPointF(50, 50)), {}, {0, 120 * up}, Qt::NoButton,
                              Qt::ControlModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(page->viewport(), &event);
        };
        wheel(1);
        QCOMPARE(zoom->currentText(), QStringLiteral("400 %"));
        wheel(1);
        QCOMPARE(zoom->currentText(), QStringLiteral("400 %"));
        QVERIFY(previewed.wait(patience));
        wheel(-1);
        QCOMPARE(zoom->currentText(), QStringLiteral("300 %"));
        QVERIFY(previewed.wait(patience));
    }

    void thePreviewFollowsTheWindow()
    {
        ExportPanel& panel = m_window->exportPanel();
        QSignalSpy previewed(&panel, &ExportPanel::previewed);
        m_window->showDock("export");
        QVERIFY(previewed.wait(patience));
        QCOMPARE(panel.recipe().kind, std::string("views"));
        QCOMPARE(panel.recipe().scenario.n, std::int64_t(64));
        m_window->document().edit("Length n", [](Scenario& scenario) { scenario.n = 48; });
        QVERIFY(previewed.wait(patience));
        QCOMPARE(panel.recipe().scenario.n, std::int64_t(48));
    }

    void whatIsExportedIsWhatIsShown_data()
    {
        using Change = std::function<void(Look&)>;
        [[maybe_unused]] const auto& [maps, annotations, zooms, colours, pins, dispersion, approximations, allHeads,
                                      theory, headsBy, workspace, model, labs] =
            Look();  // a field more is a row more, unless it is of other workspaces or follows the pointer
        [[maybe_unused]] const auto& [colourMap, log, pinned, pinnedDifference, difference, sides, large, loupe] = maps;
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("wanted");
        QTest::addRow("colour map") << Change([](Look& look) { look.maps.colourMap = "magma"; }) << "colours"
                                    << "\"magma\"";
        QTest::addRow("linear colours") << Change([](Look& look) { look.maps.log = false; }) << "parameters/log"
                                        << "false";
        QTest::addRow("pinned colours") << Change([](Look& look) {
            look.maps.pinned = {0.25, 0.5};
        }) << "parameters/pinned"
                                        << "[0.25,0.5]";
        QTest::addRow("pinned colours of the difference") << Change([](Look& look) {
            look.maps.pinnedDifference = {-2.5, 2.5};
        }) << "parameters/pinned_difference"
                                                          << "[-2.5,2.5]";
        QTest::addRow("no difference map")
            << Change([](Look& look) { look.maps.difference = false; }) << "parameters/difference"
            << "";
        QTest::addRow("another difference")
            << Change([](Look& look) { look.maps.sides = MethodPair("infoscale", "vanilla"); })
            << "parameters/difference"
            << "[\"infoscale\",\"vanilla\"]";
        QTest::addRow("dispersion") << Change([](Look& look) { look.dispersion = "top4"; }) << "parameters/dispersion"
                                    << "\"top4\"";
        QTest::addRow("approximations") << Change([](Look& look) { look.approximations = true; })
                                        << "parameters/approximations"
                                        << "true";
        QTest::addRow("an annotation") << Change([](Look& look) {
            look.annotations = {{"entropy:shannon", 64, 3.5, 1, 1, "here"}};
        }) << "parameters/annotations/0/text"
                                       << "\"here\"";
        QTest::addRow("a note on a map") << Change([](Look& look) {
            look.annotations = {{"map:vanilla", 3, 20, 2, 2, "these"}};
        }) << "parameters/annotations/0/chart"
                                         << "\"map:vanilla\"";
        QTest::addRow("a zoom") << Change([](Look& look) {
            look.zooms = {{"entropy:shannon", {{16, 64}, {1, 3}}}};
        }) << "parameters/zooms/entropy:shannon"
                                << "[16.0,64.0,1.0,3.0]";
        QTest::addRow("a method's colour") << Change([](Look& look) {
            look.colours = {{"vanilla", "#8a3ffc"}};
        }) << "method_colours/vanilla"
                                           << "\"#8a3ffc\"";
        QTest::addRow("pins") << Change([](Look& look) { look.pins = {Scenario()}; }) << "parameters/pins/0/n"
                              << "1024";
        QTest::addRow("all heads") << Change([](Look& look) { look.allHeads = true; }) << "parameters/all_heads"
                                   << "true";
        QTest::addRow("theory") << Change([](Look& look) { look.theory = true; }) << "parameters/theory"
                                << "true";
    }
    /// With the panel open, whatever changes how the window shows its scenario.
    void whatIsExportedIsWhatIsShown()
    {
        QFETCH(std::function<void(Look&)>, change);
        QFETCH(QString, field);
        QFETCH(QString, wanted);
        m_window->document().edit("Source", [](Scenario& scenario) {
            scenario.source = {"gaussian", {}, {}};
        });  // which has approximations
        ExportPanel& panel = m_window->exportPanel();
        QSignalSpy previewed(&panel, &ExportPanel::previewed);
        m_window->showDock("export");
        QVERIFY(previewed.wait(patience));
        const auto place = nlohmann::json::json_pointer("/" + field.toStdString());
        const auto shownField = [&] {
            const nlohmann::json recipe = toJson(panel.recipe());
            return recipe.contains(place) ? QString::fromStdString(recipe.at(place).dump()) : QString();
        };
        QVERIFY(shownField() != wanted);
        const QImage before = panel.shownPreview();
        m_window->document().editLook(change);
        QCOMPARE(shownField(), wanted);
        QVERIFY(previewed.wait(patience));
        QVERIFY2(panel.editor().problem().isEmpty(), qPrintable(panel.editor().problem()));
        const bool ofFiles = field == "parameters/all_heads" || field == "parameters/theory";  // and there is none here
        QCOMPARE(panel.shownPreview() == before, ofFiles);
        QVERIFY(panel.editor().text()->toPlainText() == QString::fromStdString(toJson(panel.recipe()).dump(2)));
    }

    /// A figure is of what is looked at, whatever workspace that is; what was run already is not run again, and what is
    /// saved is what the recipe computes.
    void everyWorkspaceHasItsFigures_data()
    {
        QTest::addColumn<std::function<void(Look&)>>("look");
        QTest::addColumn<QString>("workspace");
        QTest::addColumn<QString>("kind");
        const auto row = [](const char* name, const char* workspace, const char* kind,
                            std::function<void(Look&)> look) {
            QTest::addRow("%s", name) << std::function<void(Look&)>(look) << workspace << kind;
        };
        row("explore", "explore", "views", [](Look&) {});
        row("quality", "model", "model_quality", [](Look&) {});
        row("quality at the usual lengths", "model", "model_quality", [](Look& look) { look.model.lengths.clear(); });
        row("probes", "model", "repeat_recall", [](Look& look) { look.model.probing = true; });
        row("needles", "model", "needle_map", [](Look& look) {
            look.model.probing = true;
            look.model.probe.task = ProbeTask::Needle;
        });
        row("how probabilities of needles differ", "model", "needle_map", [](Look& look) {
            look.model.probing = true;
            look.model.probe.task = ProbeTask::Needle;
            look.model.probe.probability = look.model.probe.difference = true;
        });
        row("the scale", "model", "scale_search", [](Look& look) { look.model.finding = true; });
        row("the board", "labs", "scoreboard", [](Look& look) { look.labs.page = "scoreboard"; });
    }
    void everyWorkspaceHasItsFigures()
    {
        QFETCH(std::function<void(Look&)>, look);
        QFETCH(QString, workspace);
        QFETCH(QString, kind);
        m_window->document().editLook([&](Look& now) {
            now.model.folder = kind == "needle_map" ? "recall1" : "stories";
            now.model.lengths = {32, 64};
            now.model.windows = 2;
            now.model.tunedAt = 64;
            now.model.probe.samples = 2;
            look(now);
        });
        m_window->document().edit("Methods", [](Scenario& scenario) {
            scenario.methods = {{"vanilla", {}, {}}, {"log_n", {}, {}}};
        });
        m_window->setWorkspace(workspace);
        Workbench& bench = m_window->bench();
        if (workspace == "model") {
            QTRY_VERIFY_WITH_TIMEOUT(bench.model.study() && bench.model.study()->complete(), patience);
            if (kind == "scale_search") {
                bench.scale.find();
                QTRY_VERIFY_WITH_TIMEOUT(bench.scale.news() && bench.scale.news()->report, patience);
            } else if (kind != "model_quality") {
                bench.probes.run();
                QTRY_VERIFY_WITH_TIMEOUT(bench.probes.news() && bench.probes.news()->complete, patience);
            }
        }
        ExportPanel& panel = m_window->exportPanel();
        QSignalSpy previewed(&panel, &ExportPanel::previewed), done(&panel, &ExportPanel::done);
        m_window->exportFigure();
        QVERIFY(previewed.wait(patience));
        QVERIFY2(panel.editor().problem().isEmpty(), qPrintable(panel.editor().problem()));
        QCOMPARE(QString::fromStdString(panel.recipe().kind), kind);
        QTemporaryDir folder;
        const QString path = folder.filePath("numbers.csv");
        panel.saveAs(path);
        QVERIFY(done.wait(patience));
        QFile written(path);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const auto again = buildFigure(panel.recipe(), {});
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QCOMPARE(written.readAll(), QByteArray::fromStdString(dataTable(*again)));
    }

    /// What was not run cannot be chosen, and Ctrl+E has something to show all the same.
    void whatWasNotRunIsNotOffered()
    {
        m_window->document().editLook([](Look& look) {
            look.model.folder = "stories";
            look.model.lengths = {32};
            look.model.windows = 1;
            look.model.finding = true;
        });
        m_window->setWorkspace("model");
        QTRY_VERIFY_WITH_TIMEOUT(m_window->bench().model.study() && m_window->bench().model.study()->complete(),
                                 patience);
        ExportPanel& panel = m_window->exportPanel();
        QSignalSpy previewed(&panel, &ExportPanel::previewed);
        m_window->exportFigure();
        QVERIFY(previewed.wait(patience));
        QCOMPARE(panel.recipe().kind, std::string("model_quality"));
        QComboBox* what = listCalled(panel, "What");
        QVERIFY(what);
        int disabled = 0;
        for (int item = 0; item < what->count(); ++item)
            if (what->itemText(item).contains("scale that was found") || what->itemText(item).contains("Probes") ||
                what->itemText(item) == "All heads")  // of a file, and there is none
                disabled += !what->model()->index(item, 0).flags().testFlag(Qt::ItemIsEnabled);
        QCOMPARE(disabled, 3);
        QVERIFY2(m_window->messages().message().contains("once it has run to its end"),
                 qPrintable(m_window->messages().message()));
        // nor of probes that have not come to their end, and that is said
        m_window->messages().hide();
        m_window->setWorkspace("model");
        m_window->document().editLook([](Look& look) {
            look.model.finding = false;
            look.model.probing = true;
        });
        m_window->bench().probes.run();
        m_window->exportFigure();
        QVERIFY2(m_window->messages().message().contains("Probes"), qPrintable(m_window->messages().message()));
        m_window->bench().probes.stop();
    }

    /// What is written stays as it is written while it says what is shown.
    void whatIsWrittenInTheRecipeStays()
    {
        ExportPanel& panel = m_window->exportPanel();
        QSignalSpy previewed(&panel, &ExportPanel::previewed);
        m_window->showDock("export");
        QVERIFY(previewed.wait(patience));
        nlohmann::json recipe = toJson(panel.recipe());
        recipe["title"] = "written";
        const QString inOneLine = QString::fromStdString(recipe.dump());
        panel.editor().text()->setPlainText(inOneLine);
        QTRY_COMPARE(panel.recipe().title, std::string("written"));
        QTRY_VERIFY(previewed.size() >= 2);
        QCOMPARE(panel.editor().text()->toPlainText(), inOneLine);
        Recipe other = panel.recipe();
        other.title = "another";
        panel.setRecipe(other);
        QVERIFY(panel.editor().text()->toPlainText().contains("another"));
    }

    void aViewThatIsHiddenIsNoPartOfTheFigure()
    {
        ExportPanel& panel = m_window->exportPanel();
        QSignalSpy previewed(&panel, &ExportPanel::previewed);
        m_window->showDock("export");
        QVERIFY(previewed.wait(patience));
        QVERIFY((panel.recipe().parameters["views"] == nlohmann::json{"heatmaps", "entropy", "dispersion"}));
        m_window->setWorkspace("explore");
        for (QDockWidget* dock : m_window->explore().docks())
            if (dock->objectName() == "entropy")
                dock->close();
        m_window->setWorkspace("figures");
        QVERIFY((panel.recipe().parameters["views"] == nlohmann::json{"heatmaps", "dispersion"}));
    }

    void everyViewCanBeExported_data()
    {
        QTest::addColumn<int>("what");
        QTest::addRow("the whole window") << 0;
        QTest::addRow("heatmaps") << 1;
        QTest::addRow("entropy") << 2;
        QTest::addRow("dispersion") << 3;
    }
    void everyViewCanBeExported()
    {
        QFETCH(int, what);
        ExportPanel& panel = m_window->exportPanel();
        listCalled(panel, "What")->setCurrentIndex(what);
        QSignalSpy previewed(&panel, &ExportPanel::previewed), done(&panel, &ExportPanel::done);
        panel.preview();
        QVERIFY(previewed.wait(patience));
        QVERIFY(!panel.shownPreview().isNull());
        QTemporaryDir folder;
        for (const char* ending : {"pdf", "svg", "png", "csv"}) {
            const QString path = folder.filePath(QString("figure.%1").arg(ending));
            panel.saveAs(path);
            QVERIFY(done.wait(patience));
            QVERIFY(QFile::exists(path));
            if (QString(ending) != "csv")
                QCOMPARE(*loadRecipe(path.toStdString()), panel.recipe());
        }
    }

    void everySaveIsWritten_data()
    {
        QTest::addColumn<bool>("closes");
        QTest::addRow("and said") << false;
        QTest::addRow("before the window closes") << true;
    }
    /// While the preview still renders, one after the other without waiting.
    void everySaveIsWritten()
    {
        QFETCH(bool, closes);
        ExportPanel& panel = m_window->exportPanel();
        QSignalSpy done(&panel, &ExportPanel::done);
        m_window->showDock("export");
        QTemporaryDir folder;
        const QStringList paths{folder.filePath("a.pdf"), folder.filePath("b.svg"), folder.filePath("c.png"),
                                folder.filePath("d.csv")};
        for (const QString& path : paths)
            panel.saveAs(path);
        if (closes) {
            QVERIFY2(!m_window->close(), "it is still saving");
            QVERIFY(m_window->bench().saves.isBusy());
            QVERIFY(QTest::qWaitFor([&] { return m_window->isHidden(); }, patience));
        } else {
            QVERIFY(QTest::qWaitFor([&] { return done.count() == paths.size(); }, patience));
        }
        for (const QString& path : paths)
            QVERIFY2(QFile::exists(path), qPrintable(path));
        for (const QString& path : paths.first(3))
            QCOMPARE(*loadRecipe(path.toStdString()), panel.recipe());
    }

    void aSaveThatFailsKeepsTheWindow()
    {
        ExportPanel& panel = m_window->exportPanel();
        m_window->showDock("export");
        panel.saveAs("/no/such/folder/a.pdf");
        QVERIFY(!m_window->close());
        QVERIFY(QTest::qWaitFor([&] { return m_window->messages().showsError(); }, patience));
        QTest::qWait(50);
        QVERIFY(m_window->isVisible());
        QVERIFY2(m_window->messages().message().contains("/no/such/folder"),
                 qPrintable(m_window->messages().message()));
    }

    void anyWidthCanBeTyped()
    {
        ExportPanel& panel = m_window->exportPanel();
        QComboBox* width = listCalled(panel, "Width");
        width->setCurrentText("4in");
        emit width->activated(-1);
        QCOMPARE(panel.recipe().widthMm, 101.6);
        width->setCurrentText("wide");
        emit width->activated(-1);
        QCOMPARE(panel.recipe().widthMm, 101.6);
        QVERIFY(m_window->messages().message().contains("a width is a number"));
    }

    void anEditedRecipeIsShownAndMistakesNameTheirLine()
    {
        ExportPanel& panel = m_window->exportPanel();
        panel.setRecipe(*loadRecipe("adaptive_fit"));
        QSignalSpy previewed(&panel, &ExportPanel::previewed), edited(&panel.editor(), &RecipeEditor::edited);
        QVERIFY(previewed.wait(patience));
        QPlainTextEdit* text = panel.editor().text();
        const QString good = text->toPlainText();
        text->setPlainText(QString(good).replace("\"width_mm\": 89.0", "\"width_mm\": 100.0"));
        QVERIFY(previewed.wait(patience));
        QCOMPARE(panel.recipe().widthMm, 100.0);
        QCOMPARE(listCalled(panel, "Width")->currentText(), QString("100 mm"));

        text->setPlainText(QString(good).replace("\"largest_entropy\": 8", "\"largest_entropy\": \"much\""));
        QVERIFY(previewed.wait(patience));
        QVERIFY2(panel.editor().problem().contains("parameters.largest_entropy must be"),
                 qPrintable(panel.editor().problem()));
        QVERIFY(panel.editor().problem().startsWith("line "));

        text->setPlainText(QString(good).replace("\"style\": \"paper\"", "\"style\": \"nosuch\""));
        QVERIFY(edited.wait(patience));
        QVERIFY(panel.editor().problem().contains("recipe.style"));
        const int line = static_cast<int>(good.left(good.indexOf("\"style\"")).count('\n')) + 1;
        QVERIFY2(panel.editor().problem().contains(QString("line %1:").arg(line)),
                 qPrintable(panel.editor().problem()));
        text->setPlainText("{");
        QVERIFY(edited.wait(patience));
        QVERIFY(panel.editor().problem().contains("line 1"));
    }

    void imageAndSvgAreCopied()
    {
        ExportPanel& panel = m_window->exportPanel();
        panel.setRecipe(*loadRecipe("adaptive_fit"));
        QSignalSpy done(&panel, &ExportPanel::done);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        const auto said = [this] {  // in the status line, as of whatever is copied, and nowhere else
            QString words = m_window->statusBar()->currentMessage();
            m_window->statusBar()->clearMessage();
            return m_window->messages().message().contains(u"opied"_s) ? u"twice"_s : words;
        };
        panel.copyImage();
        QVERIFY(done.wait(patience));
        QCOMPARE(said(), u"Copied: a picture"_s);
        QCOMPARE(QApplication::clipboard()->image().width(), qRound(89 / 25.4 * 300));
        panel.copySvg();
        QVERIFY(done.wait(patience));
        QCOMPARE(said(), u"Copied: a picture"_s);
        const QMimeData* data = QApplication::clipboard()->mimeData();
        QVERIFY(data->data("image/svg+xml").contains("width=\"89.0000mm\""));
        QVERIFY(data->text().contains("<svg"));
    }

private:
    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(FiguresTest)
#include "figures_test.moc"

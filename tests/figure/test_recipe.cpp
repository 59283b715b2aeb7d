// Recipes: reading, writing, overrides, errors; where they are found; the gallery's list.

#include "core/base/replace_file.h"
#include "core/scaling/scale_method.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/figure_kind.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <set>

using namespace attnscope;
using nlohmann::json;

class TestRecipe : public QObject {
    Q_OBJECT

private slots:
    void everyBuiltInRecipeReadsBackFromItsOwnText_data()
    {
        QTest::addColumn<QString>("name");
        for (const GalleryRow& row : gallery())
            QTest::addRow("%s", row.name.c_str()) << QString::fromStdString(row.name);
    }
    void everyBuiltInRecipeReadsBackFromItsOwnText()
    {
        QFETCH(QString, name);
        const auto recipe = loadRecipe(name.toStdString());
        QVERIFY2(recipe.has_value(), recipe ? "" : recipe.error().message.c_str());
        QCOMPARE(recipe->name, name.toStdString());
        QVERIFY(!recipe->title.empty() && !recipe->caption.empty() && !recipe->source.empty());
        const auto again = recipeFromText(toJson(*recipe).dump(), name.toStdString());
        QVERIFY(again.has_value());
        QVERIFY(*again == *recipe);
    }

    void theGalleryNamesEveryRecipeThatIsShipped()
    {
        std::set<std::string> listed;
        for (const GalleryRow& row : gallery())
            listed.insert(row.name);
        QVERIFY(listed.size() >= 3);
        for (const QString& file : QDir(":/figures").entryList({"*.json"}))
            QVERIFY2(listed.contains(file.chopped(5).toStdString()), qPrintable(file));
        QCOMPARE(listed.size(), static_cast<size_t>(QDir(":/figures").entryList({"*.json"}).size()));
    }

    void allMultipliersShowsEveryMethodThatNeedsNothingElse()
    {
        const auto recipe = loadRecipe("all_multipliers");
        QVERIFY(recipe.has_value());
        for (const ScaleMethod& row : scaleMethods()) {
            if (row.id == "custom" || row.id == "entropy_measured" ||
                row.id == "eie")  // need a text, tensors, a network
                continue;
            const auto& methods = recipe->scenario.methods;
            QVERIFY2(
                std::any_of(methods.begin(), methods.end(), [&](const Choice& method) { return method.id == row.id; }),
                row.id.c_str());
        }
    }

    void fieldsCanBeSet()
    {
        json object = toJson(*loadRecipe("method_grid"));
        for (const char* assignment : {"scenario.n=48", "style=dark", "scenario.methods=[\"vanilla\"]",
                                       "title=A title with = in it", "parameters.columns=1", "scenario.view.pixels=48"})
            QVERIFY2(setField(object, assignment).has_value(), assignment);
        const auto recipe = recipeFromJson(object);
        QVERIFY2(recipe.has_value(), recipe ? "" : recipe.error().message.c_str());
        QCOMPARE(recipe->scenario.n, std::int64_t(48));
        QCOMPARE(recipe->style, std::string("dark"));
        QCOMPARE(recipe->scenario.methods.size(), size_t(1));
        QCOMPARE(recipe->title, std::string("A title with = in it"));
        QVERIFY(setField(object, "scenario.methods.0=ssmax").has_value());
        QCOMPARE(recipeFromJson(object)->scenario.methods.front().id, std::string("ssmax"));
    }

    void whatCannotBeSetSaysSo_data()
    {
        QTest::addColumn<QString>("assignment");
        for (const char* text : {"", "=", "scenario", "=3", "scenario.n.deeper=3", "scenario.methods.9=vanilla",
                                 "scenario.methods.x=vanilla", "nosuch=3", "scenario.nosuch=3", "style=nosuch",
                                 "colours=jet", "kind=nosuch", "width_mm=1", "width_mm=wide", "dpi=0", "scenario.n=0"})
            QTest::addRow("%s", text) << text;
    }
    void whatCannotBeSetSaysSo()
    {
        QFETCH(QString, assignment);
        const auto recipe =
            withOptions(*loadRecipe("method_grid"),
                        {.settings = {assignment.toStdString()}, .widthMm = {}, .style = {}, .dataPath = {}});
        QVERIFY(!recipe.has_value());
        QVERIFY(!recipe.error().message.empty());
    }

    void unknownParametersOfAKindAreErrors_data()
    {
        QTest::addColumn<QString>("name");
        for (const GalleryRow& row : gallery())
            QTest::addRow("%s", row.name.c_str()) << QString::fromStdString(row.name);
    }
    void unknownParametersOfAKindAreErrors()
    {
        QFETCH(QString, name);
        auto recipe = loadRecipe(name.toStdString());
        QVERIFY(recipe.has_value());
        recipe->parameters["nosuch"] = 1;
        const auto content = buildFigure(*recipe, {});
        QVERIFY(!content.has_value());
        QVERIFY2(QString::fromStdString(content.error().message).contains("parameters.nosuch"),
                 content.error().message.c_str());
    }

    void panelsCanBeRelabelled()
    {
        auto recipe = loadRecipe("adaptive_fit");
        recipe->panels = {
            {.title = "Mine", .xTitle = {}, .yTitle = "$y$", .xRange = std::pair(0.0, 4.0), .yRange = {}}};
        const auto content = buildFigure(*recipe, {});
        QVERIFY(content.has_value());
        QCOMPARE(content->panels[0].chart.title, QString("Mine"));
        QCOMPARE(content->panels[0].chart.y.title, QString("$y$"));
        QCOMPARE(content->panels[0].chart.x.range->second, 4.0);
        recipe->panels.resize(5);
        QVERIFY(!buildFigure(*recipe, {}).has_value());
    }

    void widthsHaveUnits_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("millimetres");
        QTest::addRow("mm") << "89mm" << 89.0;
        QTest::addRow("plain") << "120" << 120.0;
        QTest::addRow("cm") << "12.5cm" << 125.0;
        QTest::addRow("in") << "3.5in" << 88.9;
        QTest::addRow("nothing") << "" << -1.0;
        QTest::addRow("words") << "wide" << -1.0;
        QTest::addRow("unit") << "89km" << -1.0;
        QTest::addRow("negative") << "-89mm" << -1.0;
        QTest::addRow("nan") << "nan" << -1.0;
        QTest::addRow("too small") << "1mm" << -1.0;
    }
    void widthsHaveUnits()
    {
        QFETCH(QString, text);
        QFETCH(double, millimetres);
        const auto width = parseWidth(text.toStdString());
        QCOMPARE(width.value_or(-1), millimetres);
    }

    void errorsNameTheLineAndTheField_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("begins");
        const QByteArray start = "{\n \"schema\": \"attnscope_figure/1\",\n \"kind\": \"method_grid\",\n";
        QTest::addRow("a field") << start + " \"width_mm\": 3\n}"
                                 << "x: line 4: recipe.width_mm must be";
        QTest::addRow("deep")
            << start + " \"scenario\": {\n  \"d\": 64,\n  \"view\": {\"table\": true,\n   \"pixels\": \"many\"}}\n}"
            << "x: line 7: recipe.scenario.view.pixels must be";
        QTest::addRow("in a list") << start + " \"panels\": [\n  {\"title\": \"a, b\"},\n  {\"x_range\": [2, 1]}]\n}"
                                   << "x: line 6: recipe.panels[1].x_range must be";
        QTest::addRow("a range of no width") << start + " \"panels\": [\n  {\"y_range\": [1, 1.0000000000000002]}]\n}"
                                             << "x: line 5: recipe.panels[0].y_range must be wide enough";
        QTest::addRow("a range of the largest numbers")
            << start + " \"panels\": [\n  {\"x_range\": [-1e308, 1e308]}]\n}"
            << "x: line 5: recipe.panels[0].x_range must be a list of numbers from -1e+300 to 1e+300";
        QTest::addRow("a range to infinity") << start + " \"panels\": [\n  {\"x_range\": [0, 1e999]}]\n}"
                                             << "x: no valid JSON";
        QTest::addRow("too many panels")
            << start + " \"panels\": [{}" + QByteArray(",{}").repeated(99'999) + "]\n}"
            << "x: line 4: recipe.panels must be a list of at most 1000 panels, not of 100000";
        QTest::addRow("unknown") << start + " \"scenario\": {\n  \"nosuch\": 1}\n}"
                                 << "x: line 5: unknown field recipe.scenario.nosuch";
        QTest::addRow("a list's choice") << start + " \"scenario\": {\"methods\": [\"vanilla\",\n  \"nosuch\"]}\n}"
                                         << "x: line 5: recipe.scenario.methods[1]";
        QTest::addRow("a style") << start + " \"style\": \"pretty\"\n}"
                                 << "x: line 4: recipe.style: unknown style 'pretty'";
        QTest::addRow("no JSON") << start + " \"style\" \"dark\"\n}"
                                 << "x: no valid JSON at line 4, column ";
    }
    void errorsNameTheLineAndTheField()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, begins);
        const auto recipe = recipeFromText(text.toStdString(), "x");
        QVERIFY(!recipe.has_value());
        QVERIFY2(QString::fromStdString(recipe.error().message).startsWith(begins), recipe.error().message.c_str());
    }

    void everyFieldOfARecipeCanBeOverridden()
    {
        // Each field that a recipe writes, set to what it says already, gives the same recipe: there is none that --set
        // misses.
        const Recipe recipe = *loadRecipe("method_grid");
        int fields = 0;
        const auto visit = [&](const auto& self, const json& object, const std::string& path) -> void {
            for (const auto& [key, value] : object.items()) {
                const std::string at = path.empty() ? key : path + "." + key;
                const auto same = withOptions(
                    recipe, {.settings = {at + "=" + value.dump()}, .widthMm = {}, .style = {}, .dataPath = {}});
                QVERIFY2(same.has_value(), (at + ": " + (same ? "" : same.error().message)).c_str());
                QVERIFY2(*same == recipe, at.c_str());
                ++fields;
                if (value.is_object())
                    self(self, value, at);
            }
        };
        visit(visit, toJson(recipe), "");
        QVERIFY(fields > 40);
    }

    /// A title and a caption speak of the figure as it came: what was changed is said before them.
    void whatIsChangedIsSaid()
    {
        const Recipe recipe = *loadRecipe("method_grid");
        const auto with = [&](std::vector<std::string> settings) {
            return *withOptions(recipe, {.settings = std::move(settings), .widthMm = {}, .style = {}, .dataPath = {}});
        };
        const Recipe changed = with({"scenario.n=96", "style=slide"});
        QCOMPARE(changed.title, recipe.title + " (changed)");
        QCOMPARE(changed.caption, "Changed: scenario.n=96. Before that: " + recipe.caption);
        const Recipe again =
            *withOptions(changed, {.settings = {"scenario.d=32"}, .widthMm = {}, .style = {}, .dataPath = {}});
        QCOMPARE(again.title, changed.title);
        QCOMPARE(again.caption, "Changed: scenario.n=96, scenario.d=32. Before that: " + recipe.caption);
        QCOMPARE(with({"style=slide"}).title, recipe.title);
        QCOMPARE(with({"style=slide"}).caption, recipe.caption);
        const Recipe own = with({"scenario.n=96", "title=Mine", "caption=Of mine"});
        QCOMPARE(own.title, std::string("Mine"));
        QCOMPARE(own.caption, std::string("Of mine"));
    }

    void whatIsNoRecipeSaysWhatToDo()
    {
        QTemporaryDir folder;
        const std::string base = folder.path().toStdString();
        const auto message = [](const std::string& name) {
            return QString::fromStdString(loadRecipe(name).error().message);
        };
        const auto write = [&](const QString& name, const QByteArray& bytes) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
        };
        QVERIFY(message("nosuch").contains("unknown figure 'nosuch'; known: method_grid"));
        QVERIFY(message(base + "/absent.json").contains("no such file"));
        QVERIFY(message(base).contains("no regular file"));
        write("words.txt", "These are words.");
        QVERIFY(message(base + "/words.txt").contains("carries no recipe"));
        write("broken.json", "{\"schema\": ");
        QVERIFY(message(base + "/broken.json").contains("line 1"));
        write("other.json", "{\"schema\": \"other/1\"}");
        QVERIFY(message(base + "/other.json").contains("schema"));
        write("fake.pdf", "%PDF-1.4 /EF <</F 7 0 R>>\n7 0 obj /Length 8 0 R stream\n");
        QVERIFY(message(base + "/fake.pdf").contains("carries no recipe"));
        write("fake.svg", "<svg><metadata><b/></metadata></svg>");
        QVERIFY(!message(base + "/fake.svg").isEmpty());
        write("fake.png", QByteArray("\x89PNG\r\n\x1a\n", 8));
        QVERIFY(message(base + "/fake.png").contains("carries no recipe"));
    }

    void aFailedFigureLeavesTheOldFile()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("old.pdf").toStdString();
        QFile file(folder.filePath("old.pdf"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("old");
        file.close();
        QVERIFY(!renderFigure("method_grid", path,
                              {.settings = {"scenario.methods=[]"}, .widthMm = {}, .style = {}, .dataPath = {}}, {})
                     .has_value());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("old"));
        const auto ending = renderFigure("adaptive_fit", folder.filePath("x.jpeg").toStdString(), {}, {});
        QVERIFY(!ending.has_value());
        QVERIFY(QString::fromStdString(ending.error().message).contains(".pdf, .svg or .png"));
        const auto folderless = renderFigure("adaptive_fit", folder.filePath("no/such/x.pdf").toStdString(), {}, {});
        QVERIFY(!folderless.has_value());
    }

    void aFigureAndItsDataAreTwoFiles()
    {
        QTemporaryDir folder;
        const std::string there = folder.filePath("a.svg").toStdString(),
                          link = folder.filePath("link.csv").toStdString();
        QVERIFY(replaceFile(there, "old"));
        QVERIFY(QFile::link("a.svg", QString::fromStdString(link)));
        for (const std::string& data : {there, link, folder.filePath("./a.svg").toStdString()}) {
            const auto made =
                renderFigure("adaptive_fit", there, {.settings = {}, .widthMm = {}, .style = {}, .dataPath = data}, {});
            QVERIFY(!made.has_value());
            QVERIFY2(made.error().message.find("the figure and its data are one file") != std::string::npos,
                     made.error().message.c_str());
        }
        QFile file(QString::fromStdString(there));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("old"));
    }

    void picturesThatAreTooLargeAreRefused_data()
    {
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height");
        QTest::addColumn<int>("dpi");
        QTest::addColumn<QString>("says");
        QTest::addRow("too wide") << 2000.0 << 0.0 << 2400 << "a width of 188976 pixels, more than 32767 a side";
        QTest::addRow("too high") << 100.0 << 2000.0 << 2400 << "9449 x 188976 pixels";
        QTest::addRow("too many") << 690.0 << 690.0 << 1200 << "32598 x 32598 pixels";
        QTest::addRow("too many by its natural height") << 690.0 << 0.0 << 1200 << "or 200 million in all";
    }
    void picturesThatAreTooLargeAreRefused()
    {
        QFETCH(double, width);
        QFETCH(double, height);
        QFETCH(int, dpi);
        QFETCH(QString, says);
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.png").toStdString();
        QVERIFY(replaceFile(path, "old"));
        Recipe recipe = *loadRecipe("adaptive_fit");
        recipe.widthMm = width;
        recipe.heightMm = height;
        recipe.dpi = dpi;
        const auto made = renderFigure(recipe, path, {}, {});
        QVERIFY(!made.has_value());
        QCOMPARE(made.error().kind, ErrorKind::NotWritable);
        const QString message = QString::fromStdString(made.error().message);
        QVERIFY2(message.startsWith(QString::fromStdString(path)) && message.contains(says) && message.contains("dpi"),
                 qPrintable(message));
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("old"));
    }

    void cancellingIsNoError()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto content = buildFigure(*loadRecipe("method_grid"), stop.get_token());
        QVERIFY(!content.has_value());
        QCOMPARE(content.error().kind, ErrorKind::Cancelled);
    }
};

QTEST_MAIN(TestRecipe)
#include "test_recipe.moc"

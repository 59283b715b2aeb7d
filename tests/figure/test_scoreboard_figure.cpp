// The scoreboard for print: the cells of a board made here, and what runs that do not fit bring about.

#include "core/labs/lab_record.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/scoreboard_table.h"
#include "ui/figure/table_panel.h"
#include "ui/plot/typeset.h"

#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace attnscope;

namespace {

/// A run of hidden tokens: vanilla finds 80 % at N and 40 % at 2 N; log_n 70 and 52.5, infoscale at 2 N alone 39.96.
void writeRun(const QTemporaryDir& folder)
{
    LabRecord record{.choice = {"masked-lm", {}, {}}, .finished = true};
    const auto add = [&](double ratio, const char* method, double accuracy, double entropy, LabValue p) {
        record.rows.push_back({"quality",
                               {{"seed", std::int64_t{1}},
                                {"trained", std::string("vanilla")},
                                {"n", static_cast<std::int64_t>(64 * ratio)},
                                {"n_over_train", ratio},
                                {"method", std::string(method)},
                                {"positions", std::string("rope")},
                                {"accuracy", accuracy},
                                {"entropy_mean", entropy},
                                {"accuracy_p", p},
                                {"windows", std::int64_t{8}}}});
    };
    add(1, "vanilla", 0.8, 2, {});
    add(1, "log_n", 0.7, 1.5, 0.2);
    add(2, "vanilla", 0.4, 3, {});
    add(2, "log_n", 0.525, 1, 0.004);
    add(2, "infoscale", 0.3996, 2.5, 0.6);
    QVERIFY(saveRecord(folder.path().toStdString(), record));
}

Recipe recipeOf(const char* kind, const nlohmann::json& parameters)
{
    Recipe recipe;
    recipe.name = recipe.kind = kind;
    recipe.parameters = parameters;
    return recipe;
}

}  // namespace

class TestScoreboardFigure : public QObject {
    Q_OBJECT
private slots:
    /// Groups of 1, 8 and 8 columns where 9 fit beside the names: two parts, the single column beside the first eight.
    void groupsStandBesideWhileTheyFit()
    {
        TableContent table;
        table.columns.push_back(QStringLiteral("n"));
        for (const int columns : {1, 8, 8}) {
            table.groups.push_back({QStringLiteral("T"), columns, {}});
            table.columns.insert(table.columns.end(), static_cast<std::size_t>(columns), QStringLiteral("12345"));
        }
        table.rows.assign(2, std::vector<QString>(table.columns.size(), QStringLiteral("1.25")));
        const PlotStyle style;
        double needed = 1e4;  // of all in one part
        while (tableHeight(table, style, needed - 1) <= tableHeight(table, style, 1e4))
            --needed;
        const QRectF frame(7, 11, 0.62 * needed, 300);
        const auto cells = tableCells(table, style, frame);
        QCOMPARE(cells[0][1].top(), cells[0][2].top());
        QCOMPARE(cells[0][2].top(), cells[0][9].top());
        QVERIFY(cells[0][10].top() > cells[1][9].bottom());
        QCOMPARE(cells[0][10].top(), cells[0][17].top());
        for (const auto& row : cells)
            for (const QRectF& cell : row)
                QVERIFY(frame.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(cell));
    }

    /// A row with nothing but dashes in a part does not stand there, and what follows moves up; in one part all rows
    /// stand.
    void emptyRowsOfAPartAreLeftOut()
    {
        TableContent table;
        table.columns = {QStringLiteral("n"), QStringLiteral("12345"), QStringLiteral("12345")};
        table.groups = {{QStringLiteral("T"), 1, {}}, {QStringLiteral("U"), 1, {}}};
        const QString none = QStringLiteral("\u2013"), one = QStringLiteral("1.25");
        table.rows = {{one, one, one}, {one, none, one}, {one, one, none}, {one, one, one}};
        const PlotStyle style;
        const auto narrow = tableCells(table, style, {0, 0, 1, 300}), wide = tableCells(table, style, {0, 0, 1e4, 300});
        QVERIFY(narrow[0][2].top() > narrow[3][1].bottom());  // two parts
        QVERIFY(narrow[1][1].isNull() && narrow[2][2].isNull());
        QCOMPARE(narrow[2][1].top(), narrow[0][1].bottom());
        QCOMPARE(narrow[3][2].top(), narrow[1][2].bottom());
        for (const auto& row : wide)
            for (const QRectF& cell : row)
                QVERIFY(!cell.isNull());
    }

    /// What stands above a group's columns is no wider than they are, with room between it and its neighbours.
    void subtitlesFitAboveTheirColumns()
    {
        TableContent table;
        table.columns = {QStringLiteral("n"), QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("1")};
        table.rows.assign(2, std::vector<QString>(4, QStringLiteral("0")));
        for (const auto& [columns, subtitle] : {std::pair(2, "vehicles, $N$ = 50, 1 network"), std::pair(1, "cities")})
            table.groups.push_back({QStringLiteral("T"), columns, QString::fromLatin1(subtitle)});
        const PlotStyle style = *printStyle("paper");
        double least = 1e4;  // at which type keeps its size
        while (tableHeight(table, style, least - 1) >= tableHeight(table, style, 1e4))
            --least;
        const auto cells = tableCells(table, style, {0, 0, least, 100});
        QVERIFY(cells[0][1].width() + cells[0][2].width() >=
                Typeset(table.groups[0].subtitle, style.font(style.small)).width() + style.gap);
    }

    /// Where a window has more room than columns need the narrow ones have it: those of the part with the most end
    /// where the frame does, and the same column of another part stands below itself.
    void fieldsShareTheWidth()
    {
        const QStringList names{QStringLiteral("NTK-aware RoPE"), QStringLiteral("Position interpolation"),
                                QStringLiteral("RoPE"), QStringLiteral("YaRN")};
        TableContent table;
        table.columns = {QStringLiteral("n")};
        table.groups = {{QStringLiteral("T"), 4, {}}, {QStringLiteral("U"), 3, {}}};
        for (const int columns : {4, 3})
            for (int column = 0; column < columns; ++column)
                table.columns.push_back(names[column]);
        table.rows.assign(3, std::vector<QString>(table.columns.size(), QStringLiteral("+12")));
        table.marks.assign(3, std::vector<TableContent::Mark>(table.columns.size(), {.shade = 12}));
        const PlotStyle style;
        double whole = 0;  // the least width at which both groups stand side by side
        while (tableCells(table, style, {0, 0, whole, 300})[0][5].top() !=
               tableCells(table, style, {0, 0, whole, 300})[0][1].top())
            whole += 5;
        const QRectF frame(0, 0, whole - 20, 300);
        const auto cells = tableCells(table, style, frame);
        QVERIFY(cells[0][5].top() > cells[2][4].bottom());
        QVERIFY(std::abs(cells[0][4].right() - frame.right()) < 1e-6);
        for (std::size_t column = 1; column <= 4; ++column)
            QVERIFY2(cells[0][column].width() > 0.6 * cells[0][2].width(), qPrintable(names[int(column) - 1]));
        for (std::size_t column = 1; column <= 3; ++column) {
            QCOMPARE(cells[0][column + 4].left(), cells[0][column].left());
            QCOMPARE(cells[0][column + 4].width(), cells[0][column].width());
        }
    }

    /// A window is narrower than a group of twelve columns: the group is cut, no letter gets smaller, and at the least
    /// width every column still has its place.
    void typeKeepsItsSizeInAWindow()
    {
        TableContent table;
        table.columns.push_back(QStringLiteral("n"));
        table.groups.push_back({QStringLiteral("T"), 12, QStringLiteral("accuracy (%)")});
        table.columns.insert(table.columns.end(), 12, QStringLiteral("Position interpolation"));
        table.rows.assign(3, std::vector<QString>(table.columns.size(), QStringLiteral("1.25")));
        const PlotStyle style;
        const double least = leastTableWidth(table, style);
        double row = 0;
        for (const double width : {least, 2 * least, 4 * least}) {
            const QRectF frame(0, 0, width, tableHeight(table, style, width));
            const auto cells = tableCells(table, style, frame);
            if (row == 0)
                row = cells[0][1].height();
            for (std::size_t column = 1; column <= 12; ++column) {
                QVERIFY(frame.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(cells[2][column]));
                QVERIFY(std::abs(cells[2][column].height() - row) < 1e-6);
                QVERIFY(cells[2][column].width() >=
                        Typeset(table.columns[column], style.font(style.small, true)).width() + 10);
            }
        }
        QVERIFY(row > 1.4 * style.small);
        QVERIFY(tableHeight(table, style, least) > 3 * tableHeight(table, style, 12 * least));
    }

    /// exp(1.0986) = 3 times vanilla's perplexity is 100 (1 - 3) = -200 per cent: a loss of any size has a loss's sign.
    void aLossHasASignWhateverItsSize()
    {
        const QString minus(QChar(0x2212));
        for (const auto& [gain, said] : {std::pair(-200.0, "200"), std::pair(-100.0, "100"), std::pair(-1234.0, "1.2k"),
                                         std::pair(-45678.0, "46k"), std::pair(-2.2e6, "2.2M")}) {
            QCOMPARE(gainText(gain), minus + said);
            QCOMPARE(gainText(-gain), QString("+") + said);
        }
        for (const double nothing : {0.0, 0.004, -0.004})  // rounded: one zero, without a sign
            QCOMPARE(gainText(nothing), QString("0"));
        QCOMPARE(gainText(-0.04), QString(QChar(0x2212)) + "0.04");  // a colour is never beside a zero
        QCOMPARE(gainText(-0.06), QString(QChar(0x2212)) + "0.1");
    }

    /// What ink a number has says nothing: on dark ground it is white whatever the gain.
    void numbersOnDarkGroundHaveOneInk()
    {
        TableContent table;
        table.scale = {.low = 1, .high = -1, .map = *findColourMap("diverging"), .zeroIsBlank = false};
        table.half = 10;
        for (double gain = -2000; gain <= 2000; gain += 0.5) {
            const QColor field = shadeColour(table, *printStyle("dark"), gain);
            QVERIFY2(inkOn(field) == QColor(Qt::white), qPrintable(QString::number(gain)));
            QVERIFY(contrast(inkOn(field), field) >= 4.5);
        }
    }

    /// A gain three times another is far from it on dark ground as on paper, and the legend's colours all differ.
    void gainsOnDarkGroundAreAsFarApartAsOnPaper()
    {
        TableContent table;
        table.scale = {.low = 1, .high = -1, .map = *findColourMap("diverging"), .zeroIsBlank = false};
        table.half = 10;
        for (const char* name : {"paper", "dark"}) {
            const PlotStyle style = *printStyle(name);
            const auto apart = [&](double a, double b) {
                return contrast(shadeColour(table, style, a), shadeColour(table, style, b));
            };
            for (const double side : {1.0, -1.0}) {
                const auto say = [&](double a, double b) {
                    return QByteArray(name) + ' ' + QByteArray::number(side * a) + ' ' +
                           QByteArray::number(apart(side * a, side * b));
                };
                QVERIFY2(apart(side * 10, side * 30) >= 1.7, say(10, 30));
                QVERIFY2(apart(side * 13, side * 56) >= 1.7, say(13, 56));
                QVERIFY2(apart(side * 1, side * 10) >= 1.2, say(1, 10));
                QVERIFY2(apart(side * 5.6, side * 11) >= 1.25, say(5.6, 11));  // twice as bad is plainly worse
                QVERIFY2(apart(side * 30, side * 200) >= 1.3, say(30, 200));
            }
            QVERIFY(contrast(shadeColour(table, style, 0), style.background) < 1.25);
        }
        const PlotStyle dark = *printStyle("dark");
        for (const double side : {1.0, -1.0})  // it rises: what is farther is never darker
            for (double gain = 1; gain < 500; gain *= 1.1)
                QVERIFY(contrast(shadeColour(table, dark, side * gain * 1.1), Qt::black) >=
                        contrast(shadeColour(table, dark, side * gain), Qt::black) - 0.01);
    }

    /// A tenth of what has half of the colour and more is a colour on dark ground too, not a grey: blue for a gain, red
    /// for a loss, well apart from the ground. And what is far beyond it tells from what is farther.
    void everyGainHasItsOwnColour()
    {
        TableContent table;
        table.columns = {QStringLiteral("n"), QStringLiteral("1")};
        table.scale = {.low = 1, .high = -1, .map = *findColourMap("diverging"), .zeroIsBlank = false};
        table.half = 10;
        for (const double gain : {1.0, -1.0, 17.0, 56.0, -17.0, -56.0}) {
            table.rows.push_back({QStringLiteral("m"), QString()});
            table.marks.push_back({{}, {.shade = gain}});
        }
        for (const char* name : {"paper", "dark"}) {
            const PlotStyle style = *printStyle(name);
            QImage image(200, 300, QImage::Format_RGB32);
            image.fill(style.background);
            QPainter painter(&image);
            const QRectF frame(0, 0, 200, 300);
            paintTable(painter, table, style, frame);
            painter.end();
            const auto cells = tableCells(table, style, frame);
            const auto field = [&](std::size_t row) {
                return image.pixelColor(cells[row][1].center().toPoint() + QPoint(9, 0));
            };
            QVERIFY2(field(0).blue() > field(0).red() + 16, qPrintable(field(0).name()));
            QVERIFY2(field(1).red() > field(1).blue() + 16, qPrintable(field(1).name()));
            for (const std::size_t less : {std::size_t(2), std::size_t(4)}) {
                const QColor a = field(less), b = field(less + 1);
                QVERIFY2(std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) >
                             24,
                         qPrintable(a.name() + QLatin1Char(' ') + b.name()));
            }
        }
    }

    void aTableOfNamesAloneIsOnePart()
    {
        TableContent table;
        table.columns.push_back(QStringLiteral("n"));
        table.rows.assign(3, {QStringLiteral("name")});
        const QRectF frame(0, 0, 200, 100);
        for (const auto& row : tableCells(table, PlotStyle(), frame))
            QVERIFY(frame.contains(row.front()));
    }

    void cellsOfATable()
    {
        QTemporaryDir folder;
        writeRun(folder);
        const auto content =
            buildFigure(recipeOf("scoreboard", {{"shipped", false}, {"runs", {folder.path().toStdString()}}}), {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        const TableContent& table = *content->panels.front().table;
        QCOMPARE(table.groups.size(), std::size_t{1});
        QCOMPARE(table.groups[0].title, QString("Hidden tokens found"));
        QCOMPARE(table.groups[0].subtitle, QString("RoPE, 1 network"));
        QCOMPARE(table.rows.size(), std::size_t{3});  // vanilla, then as in the registry
        QCOMPARE(table.rows[0], (std::vector<QString>{"Vanilla, as it is", "80", "40"}));
        QCOMPARE(table.rows[1], (std::vector<QString>{"Log $n$ \u2020", QString(QChar(0x2212)) + "10", "+13"}));
        QCOMPARE(table.rows[2], (std::vector<QString>{"InfoScale", "–", "−0.04"}));
        QVERIFY(std::abs(table.marks[1][2].shade - 12.5) < 1e-9 && std::isnan(table.marks[2][1].shade) &&
                std::isnan(table.marks[0][2].shade));
        QCOMPARE(table.marks[1][2].dots, 1);  // p = 0.004 of three tests: q = 0.012
        QCOMPARE(table.marks[2][2].dots, 0);
        QVERIFY(!table.marks[1][2].bare && table.marks[2][2].bare &&
                table.marks[1][1].bare);  // what no test finds has no colour
        const auto blueness = [&](double gain) {
            return qBlue(table.scale.colour(gain)) - qRed(table.scale.colour(gain));
        };
        QVERIFY(blueness(10) > 50 && blueness(-10) < -50 && std::abs(blueness(0)) < 10);
        const QString data = QString::fromStdString(dataTable(*content)),
                      cell = QStringLiteral("InfoScale,\"Hidden tokens found, RoPE, 1 network: 2\",,,,,,");
        QVERIFY2(data.contains(cell), qPrintable(data));
        const QString number = data.mid(data.indexOf(cell) + cell.size()).section(QLatin1Char('\n'), 0, 0);
        QVERIFY2(std::abs(number.toDouble() + 0.04) < 1e-9, qPrintable(number));
        // every number of the data is its cell's, vanilla's quality too, with all of its digits
        const std::string folders[] = {folder.path().toStdString()};
        const auto runs = runsIn(folders);
        QVERIFY(runs);
        const Scoreboard board = makeScoreboard(*runs);
        int numbers = 0;
        for (const BoardCell& one : board.cells) {
            const bool vanilla = one.method == "vanilla";
            const QString start = vanilla ? QStringLiteral("\"Vanilla, as it is\",")
                                          : methodLabel(board, one.method).remove(QLatin1Char('$')) + QLatin1Char(',');
            const double value = vanilla ? one.value : one.gain;
            const QString heading = QStringLiteral("1 network: %1\"").arg(one.ratio);
            for (const QString& line : data.split(QLatin1Char('\n')))
                if (line.contains(start) && line.contains(heading) && !line.contains("starred")) {
                    QCOMPARE(line.section(QLatin1Char(','), -1).toDouble(), value);
                    ++numbers;
                }
        }
        QCOMPARE(numbers, int(board.cells.size()));
    }

    /// Beyond N alone: changes of entropy by a half down, a quarter up, and vanilla's own half up.
    void gainsOverEntropy()
    {
        QTemporaryDir folder;
        writeRun(folder);
        const auto content = buildFigure(
            recipeOf("scoreboard_entropy", {{"shipped", false}, {"runs", {folder.path().toStdString()}}}), {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        const auto& points = content->panels.front().chart.series.front().points;
        QCOMPARE(points.size(), std::size_t{3});
        QVERIFY(points[0] == (ChartPoint{50, 0}));
        QVERIFY(points[1].x == 50 && std::abs(points[1].y - 12.5) < 1e-9);
        QVERIFY(points[2].x == 25);
    }

    void aRelationSaysOfHowManyItIs()
    {
        const EntropyRelation one{.scope = "a task", .rho = -0.508, .p = 0.0384, .units = 3, .over = "networks"};
        QCOMPARE(relationText(one), QStringLiteral("\u03C1 = \u22120.51 over 3 networks, p = 0.038"));
        const EntropyRelation all{
            .scope = "all methods", .rho = 0.25, .p = {}, .units = 14, .over = "kinds of network"};
        QCOMPARE(relationText(all), QStringLiteral("\u03C1 = 0.25 over 14 kinds of network"));
    }

    void runsThatAreNotThere()
    {
        QTemporaryDir folder;
        for (const nlohmann::json& parameters :
             {nlohmann::json{{"shipped", false}}, nlohmann::json{{"runs", {folder.path().toStdString()}}},
              nlohmann::json{{"runs", 3}}, nlohmann::json{{"runs", {1}}}, nlohmann::json{{"longest", -1}}}) {
            const auto content = buildFigure(recipeOf("scoreboard", parameters), {});
            QVERIFY(!content && !content.error().message.empty());
        }
    }
};

QTEST_MAIN(TestScoreboardFigure)
#include "test_scoreboard_figure.moc"

// What the manual's pages what_holds.md and scoreboard.md say of the runs that come with the program is computed from
// them again, and so is the exact theory: each number, to the digits it is written with, and each bold word, by what it
// means. When runs are made again and a sentence is no longer so, the test names it. No word of what_holds.md is bold
// that no sentence here holds.

#include "tests/labs/sentences.h"

#include "core/statistics/samples.h"

#include <QRegularExpression>
#include <QtTest>

using namespace attnscope;

namespace {

const std::vector<Sentence>& allSentences()
{
    static const std::vector<Sentence> all = [] {
        std::vector<Sentence> both = sentencesOfRuns();
        for (auto* more : {sentencesOfTheBoard, sentencesOfTheory, sentencesOfTables, sentencesOfLongerTexts})
            std::ranges::move(more(), std::back_inserter(both));
        return both;
    }();
    return all;
}

}  // namespace

class TestWhatHolds : public QObject {
    Q_OBJECT
private slots:
    void sayWhatTheRunsSay_data()
    {
        QTest::addColumn<int>("index");
        const std::vector<Sentence>& all = allSentences();
        for (int i = 0; i < std::ssize(all); ++i)
            QTest::addRow("%.60s", all[static_cast<std::size_t>(i)].says) << i;
    }

    void sayWhatTheRunsSay()
    {
        QFETCH(int, index);
        const Sentence& sentence = allSentences()[static_cast<std::size_t>(index)];
        const QString says = QString::fromUtf8(sentence.says);
        QVERIFY2(textOf(sentence.page).contains(says), "the page no longer says it: change the test with the sentence");
        for (const auto& [written, computed] : sentence.numbers) {
            const QString number = QString::fromUtf8(written);
            QVERIFY2(says.contains(QRegularExpression(
                         QStringLiteral("(?<![\\d.])%1(?!\\d|\\.\\d)").arg(QRegularExpression::escape(number)))),
                     written);
            const auto point = number.indexOf(QLatin1Char('.'));
            const double half = 0.5 * std::pow(10.0, point < 0 ? 0 : -double(number.size() - point - 1));
            QVERIFY2(std::abs(std::abs(computed) - number.toDouble()) <= 1.02 * half,
                     qPrintable(QStringLiteral("%1 is written, the runs say %2").arg(number).arg(computed)));
        }
        QVERIFY2(!sentence.holds || sentence.holds(), sentence.says);
    }

    /// Tables of the pages, cell by cell.
    void tablesSayWhatTheRunsSay()
    {
        const auto page = [](const char* name) {
            QFile file(QStringLiteral(TEST_DATA "/../../resources/manual/") + QLatin1String(name));
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        QVERIFY2(page("papers.md").contains(tableOfLongerTexts()), qPrintable(tableOfLongerTexts()));
        QVERIFY2(page("labs.md").contains(tableOfLearning()), qPrintable(tableOfLearning()));
    }

    void noBoldWordWithoutASentence();
    void everyPositionUnderEveryScale();
    void fiveNetworksInPlaceOfOne();
    void schemesWithCosineAndInfoScale();
};

void TestWhatHolds::noBoldWordWithoutASentence()
{
    const QString page = textOf("what_holds.md");
    std::vector<bool> said(static_cast<std::size_t>(page.size()));
    for (const Sentence& sentence : allSentences())
        if (std::string_view(sentence.page) == "what_holds.md") {
            const QString says = QString::fromUtf8(sentence.says);
            for (auto at = page.indexOf(says); at >= 0; at = page.indexOf(says, at + 1))
                std::fill_n(said.begin() + at, says.size(), true);
        }
    int words = 0;
    for (auto bold = QRegularExpression(QStringLiteral("\\*\\*[^*]+\\*\\*")).globalMatch(page); bold.hasNext();
         ++words) {
        const auto word = bold.next();
        QVERIFY2(said[static_cast<std::size_t>(word.capturedStart())], qPrintable(page.mid(word.capturedStart(), 80)));
    }
    QVERIFY(words > 20);
}

/// The table of labs.md of tours and boxes over five networks: mean, p, least and most of a network.
void TestWhatHolds::fiveNetworksInPlaceOfOne()
{
    QFile file(QStringLiteral(TEST_DATA "/../../resources/manual/labs.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(file.readAll());
    const QStringList lines = page.mid(page.indexOf("| task | n | `softmax_plus`")).section("\n\n", 0, 0).split('\n');
    QCOMPARE(lines.size(), 2 + 15);
    const std::array methods{logN, "infoscale", exact, measured};
    for (const QString& line : lines.mid(2)) {
        const QStringList cells = line.split('|', Qt::SkipEmptyParts);
        QCOMPARE(cells.size(), 2 + std::ssize(methods));
        const QString name = cells[0].trimmed();
        const bool tours = !name.startsWith("boxes");
        const std::string task = !tours             ? "boxes packed, " + name.section(", ", 1).toStdString()
                                 : name == "cities" ? cities
                                                    : vehicles;
        for (std::size_t m = 0; m < methods.size(); ++m) {
            const Cell found{task, methods[m], cells[1].trimmed().toDouble() / 20};
            QCOMPARE(found->networks.size(), std::size_t{5});
            const auto written =
                QRegularExpression(QStringLiteral("^ ([-+.\\d]+) \\((.+); ([-+.\\d]+) to ([-+.\\d]+)\\) $"))
                    .match(cells[qsizetype(m) + 2]);
            QVERIFY2(written.hasMatch(), qPrintable(cells[qsizetype(m) + 2]));
            std::vector<double> gains;
            for (const BoardPair& pair : found->networks)
                gains.push_back(tours ? -pair.gain : pair.gain);
            const auto [least, most] = std::ranges::minmax(gains);
            const double computed[] = {tours ? -found->gain : found->gain, least, most};
            const int parts[] = {1, 3, 4};
            for (int part = 0; part < 3; ++part)
                QVERIFY2(std::abs(written.captured(parts[part]).toDouble() - computed[part]) <= 0.051,
                         qPrintable(QStringLiteral("%1: %2").arg(line).arg(computed[part])));
            if (const double p = written.captured(2).toDouble(); p >= 0.01)
                QVERIFY2(std::abs(p - found.p()) <= 0.06 * std::max(1.0, p) && (p < 0.1) == (found.p() < 0.0995),
                         qPrintable(QStringLiteral("%1: p = %2").arg(line).arg(found.p())));
        }
    }
}

/// The table of labs.md of the per cent found at 16 N, of networks whose pairs come first and of those that find them
/// anywhere, and what is said in bold below it.
void TestWhatHolds::everyPositionUnderEveryScale()
{
    const std::array positions{"rope", "pi", "ntk", "yarn_rope", "rerope:w=64"};
    const auto tasks = [](const std::string& position) {
        return std::array{"values recalled, " + position, "values recalled, " + position + " (scattered=1)"};
    };
    QFile file(QStringLiteral(TEST_DATA "/../../resources/manual/labs.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(file.readAll());
    const QStringList lines = page.mid(page.indexOf("| at 16 N |")).section("\n\n", 0, 0).split('\n');
    QCOMPARE(lines.size(), 2 + 14);
    std::array<double, 2> schemeAlone{}, scaleAlone{}, both{};
    for (const QString& line : lines.mid(2)) {
        const QStringList cells = line.split('|', Qt::SkipEmptyParts);
        QCOMPARE(cells.size(), 1 + std::ssize(positions));
        std::string method = cells[0].trimmed().remove('`').toStdString();
        if (method.starts_with("window"))
            method = "vanilla|" + method;
        for (std::size_t p = 0; p < positions.size(); ++p)
            for (std::size_t t = 0; t < 2; ++t) {
                const Cell found{tasks(positions[p])[t], method == "vanilla" ? logN : method};
                const double percent = method == "vanilla" ? found->vanilla : found->value;
                const double written = cells[qsizetype(p) + 1].split(u'\u00b7')[qsizetype(t)].trimmed().toDouble();
                QVERIFY2(std::abs(written - percent) <= 0.51,
                         qPrintable(QStringLiteral("%1, %2: %3 is written, the runs say %4")
                                        .arg(QString::fromStdString(method), positions[p])
                                        .arg(written)
                                        .arg(percent)));
                if (method == "vanilla")
                    schemeAlone[t] = std::max(schemeAlone[t], percent);
                if (p == 0)
                    scaleAlone[t] = std::max(scaleAlone[t], percent);
                both[t] = std::max(both[t], percent);
            }
    }
    for (const char* position : positions)
        for (const std::string& task : tasks(position))
            for (const char* method : {logN, "infoscale", exact}) {
                const Cell cell{task, method};
                QVERIFY2(cell.holdsInAll(5) && cell->q.value_or(1) < 0.05, task.c_str());
            }
    QVERIFY(page.simplified().contains(
        QStringLiteral(
            "the best scheme alone leaves %1 and %2 %, the best scale with RoPE as it was trained %3 and %4 %, "
            "both together find %5 % with ReRoPE where pairs come first, and %6 % with YaRN's frequencies")
            .arg(std::round(schemeAlone[0]))
            .arg(std::round(schemeAlone[1]))
            .arg(std::round(scaleAlone[0]))
            .arg(std::round(scaleAlone[1]))
            .arg(std::round(both[0]))
            .arg(std::round(both[1]))));
}

/// The table of labs.md of InfoScale's table 1: at 4 N and 16 N without either, with the cosine, with InfoScale, with
/// both.
void TestWhatHolds::schemesWithCosineAndInfoScale()
{
    QFile file(QStringLiteral(TEST_DATA "/../../resources/manual/labs.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(file.readAll());
    const QStringList lines =
        page.mid(page.indexOf("| scheme | neither | cosine | InfoScale | both |")).section("\n\n", 0, 0).split('\n');
    QCOMPARE(lines.size(), 2 + 11);
    for (const QString& line : lines.mid(2)) {
        const QStringList cells = line.split('|', Qt::SkipEmptyParts);
        QCOMPARE(cells.size(), 5);
        const QStringList names = cells[0].split('`');
        const bool whole = names.value(3) == "yarn";
        for (int c = 0; c < 4; ++c) {
            const bool cosine = c % 2 == 1, scaled = c > 1;
            const bool jumps = names.value(3) == "skips=2";
            if (whole && scaled) {
                QCOMPARE(cells[c + 1].trimmed(), QStringLiteral("–"));
                continue;
            }
            const QStringList written = cells[c + 1].split(u'\u00b7');
            QCOMPARE(written.size(), 2);
            for (int t = 0; t < 2; ++t) {
                const Recalled found{names[1].toStdString(),
                                     whole    ? "yarn"
                                     : scaled ? "infoscale"
                                              : "vanilla",
                                     cosine ? 16.0 : 0.0, jumps ? 2.0 : 0.0, t == 0 ? 4.0 : 16.0};
                QCOMPARE(found.networks().size(), cosine ? std::size_t(jumps ? 1 : 3) : std::size_t{5});
                QVERIFY2(std::abs(written[t].trimmed().toDouble() - found.mean()) <= 0.51,
                         qPrintable(QStringLiteral("%1: the runs say %2").arg(line).arg(found.mean())));
            }
        }
    }
}

QTEST_APPLESS_MAIN(TestWhatHolds)
#include "test_what_holds.moc"

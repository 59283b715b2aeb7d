// Choices and their text form, lists of lengths, random numbers, tables of CSV, texts taken apart, exceptions, locks.

#include "core/base/measured_text.h"
#include "core/base/choice.h"
#include "core/base/csv.h"
#include "core/base/each.h"
#include "core/base/folder_lock.h"
#include "core/base/length_list.h"
#include "core/base/random.h"
#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "core/base/thrown.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace attnscope;

namespace {

const std::vector<Entry>& rows()
{
    static const std::vector<Entry> table{{.id = "plain",
                                           .label = "Plain",
                                           .formula = "1",
                                           .source = "",
                                           .about = "",
                                           .parameters = {},
                                           .presets = {},
                                           .textLabel = {},
                                           .textByDefault = {}},
                                          {.id = "plus",
                                           .label = "Plus",
                                           .formula = "ln {n} / ln {B}",
                                           .source = "",
                                           .about = "",
                                           .parameters = {{"B", "B", 512, 2, 1e9, Parameter::Kind::Real, ""},
                                                          {"clamp", "clamped", 0, 0, 1, Parameter::Kind::Switch, ""}},
                                           .presets = {},
                                           .textLabel = {},
                                           .textByDefault = {}},
                                          {.id = "custom",
                                           .label = "Custom",
                                           .formula = "{n}",
                                           .source = "",
                                           .about = "",
                                           .parameters = {{"alpha", "α", 1, 0, 10, Parameter::Kind::Real, ""}},
                                           .presets = {},
                                           .textLabel = "expression",
                                           .textByDefault = "log(n)"}};
    return table;
}

Result<Choice> parse(const char* text)
{
    return parseChoice(std::string_view(text), std::span<const Entry>(rows()), "method");
}

}  // namespace

class TestBase : public QObject {
    Q_OBJECT
private slots:
    void choiceReadsBack_data();
    void choiceReadsBack();
    void choiceIsRefused_data();
    void choiceIsRefused();
    void formulaWithNumbersPutIn();
    void measuredNumbersHaveTheirErrorsDigits_data();
    void measuredNumbersHaveTheirErrorsDigits();
    void probabilitiesHaveOneStyle();
    void numbersOfATableHaveItsDecimals();
    void lengths_data();
    void lengths();
    void lengthsAreRefused_data();
    void lengthsAreRefused();
    void philoxKnownAnswer();
    void normalsHaveTheirMoments();
    void randomNumbersAreNested();
    void everyCellHasANumberOfItsOwn();
    void cellsOfCsvAreNoFormulas_data();
    void cellsOfCsvAreNoFormulas();
    void tablesOfCsvAreRead();
    void textsApartAndTogether();
    void exceptionsBecomeErrors();
    void aFolderIsLockedOnce();
    void aFolderIsMade();
};

void TestBase::choiceReadsBack_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("canonical");
    QTest::addRow("id alone") << "plain"
                              << "plain";
    QTest::addRow("named parameter") << "plus:B=64"
                                     << "plus:B=64";
    QTest::addRow("first parameter without its name") << "plus:64"
                                                      << "plus:B=64";
    QTest::addRow("a default is dropped") << "plus:B=512,clamp=1"
                                          << "plus:clamp=1";
    QTest::addRow("quoted text") << "custom:\"log(n)/log(N)\""
                                 << "custom:\"log(n)/log(N)\"";
    QTest::addRow("bare text with commas and equals") << "custom:max(n,2)==2"
                                                      << "custom:\"max(n,2)==2\"";
    QTest::addRow("bare text with a quote") << "custom:n\",2"
                                            << "custom:\"n\"\",2\"";
    QTest::addRow("text that begins with a quote") << "custom:\"\"\"log(n\""
                                                   << "custom:\"\"\"log(n\"";
    QTest::addRow("text that is a quote, and a parameter") << "custom:\"\"\"\",alpha=2"
                                                           << "custom:alpha=2,\"\"\"\"";
    QTest::addRow("text like a parameter, with a quote") << "custom:\"alpha=2\"\"\""
                                                         << "custom:\"alpha=2\"\"\"";
    QTest::addRow("text and parameter") << "custom:alpha=2,\"n+1\""
                                        << "custom:alpha=2,\"n+1\"";
}

void TestBase::choiceReadsBack()
{
    QFETCH(QString, text);
    QFETCH(QString, canonical);
    const Result<Choice> choice = parse(text.toUtf8().constData());
    QVERIFY2(choice.has_value(), choice ? "" : choice.error().message.c_str());
    QCOMPARE(QString::fromStdString(formatChoice(*choice)), canonical);
    QVERIFY(parse(formatChoice(*choice).c_str()) == choice);
}

void TestBase::choiceIsRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::addRow("unknown id") << "nosuch"
                                << "known: plain, plus, custom";
    QTest::addRow("empty") << ""
                           << "unknown method ''";
    QTest::addRow("unknown parameter") << "plus:C=1"
                                       << "its parameters are B, clamp";
    QTest::addRow("no parameters") << "plain:1"
                                   << "it takes no parameters";
    QTest::addRow("not a number") << "plus:B=x"
                                  << "column 8: expected a number, got 'x'";
    QTest::addRow("out of range") << "plus:B=1"
                                  << "B must be from 2 to 1e+09, not 1";
    QTest::addRow("not a number at all") << "plus:B=nan"
                                         << "expected a number, got 'nan'";
    QTest::addRow("not whole") << "plus:clamp=0.5"
                               << "a whole number from 0 to 1";
    QTest::addRow("twice") << "plus:B=4,B=8"
                           << "given twice";
    QTest::addRow("nothing after the colon") << "plus:"
                                             << "column 6";
    QTest::addRow("empty text") << "custom:\"\""
                                << "column 8: the text is empty; leave it out for the default, log(n)";
    QTest::addRow("open quote after a doubled one") << "custom:\"n\"\""
                                                    << "the quote is not closed";
    QTest::addRow("open quote") << "custom:\"n"
                                << "the quote is not closed";
}

void TestBase::choiceIsRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    const Result<Choice> choice = parse(text.toUtf8().constData());
    QVERIFY(!choice);
    QVERIFY2(QString::fromStdString(choice.error().message).contains(says), choice.error().message.c_str());
}

void TestBase::formulaWithNumbersPutIn()
{
    const Entry& plus = rows()[1];
    QCOMPARE(QString::fromStdString(symbolicFormula(plus)), QString("ln n / ln B"));
    QCOMPARE(QString::fromStdString(workedFormula(plus, {"plus", {{"B", 64}}, {}}, {{"n", 1024}})),
             QString("ln 1024 / ln 64"));
    QCOMPARE(QString::fromStdString(describeChoice(plus, {"plus", {{"B", 64}, {"clamp", 1}}, {}})),
             QString("Plus (B = 64, clamped)"));
}

void TestBase::lengths_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<qint64>>("expected");
    QTest::addRow("listed") << "100,200,400" << QList<qint64>{100, 200, 400};
    QTest::addRow("geometric") << "16:128:x2" << QList<qint64>{16, 32, 64, 128};
    QTest::addRow("geometric that misses the end") << "16:100:x2" << QList<qint64>{16, 32, 64};
    QTest::addRow("a factor that leaves the numbers") << "1:1e12:x2e91" << QList<qint64>{1};
    QTest::addRow("arithmetic") << "100:400:+100" << QList<qint64>{100, 200, 300, 400};
    QTest::addRow("points in log") << "1:1000:4" << QList<qint64>{1, 10, 100, 1000};
    QTest::addRow("points without repeats") << "1:3:50" << QList<qint64>{1, 2, 3};
    QTest::addRow("exponent") << "1e12" << QList<qint64>{1000000000000};
    QTest::addRow("thousands apart") << "1\u2009024, 12\u202F345\u202F678,4\u00A0096"
                                     << QList<qint64>{1024, 12345678, 4096};
    QTest::addRow("a letter for thousands") << "4k,1M:4M:x2" << QList<qint64>{4000, 1000000, 2000000, 4000000};
    QTest::addRow("a power") << "2^4:2^6:x2, 2^10" << QList<qint64>{16, 32, 64, 1024};
    QTest::addRow("as axes write it") << "2\u2074:2\u00B9\u2070:x8" << QList<qint64>{16, 128, 1024};
    QTest::addRow("mixed") << "5,8:32:x2" << QList<qint64>{5, 8, 16, 32};
}

void TestBase::lengths()
{
    QFETCH(QString, text);
    QFETCH(QList<qint64>, expected);
    const auto read = parseLengths(text.toStdString());
    QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
    QCOMPARE(QList<qint64>(read->begin(), read->end()), expected);
}

void TestBase::lengthsAreRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::addRow("nothing") << ""
                             << "column 1";
    QTest::addRow("zero") << "0"
                          << "a whole number from 1 to 1e12";
    QTest::addRow("negative") << "-4"
                              << "from 1";
    QTest::addRow("fraction") << "2.5"
                              << "a whole number";
    QTest::addRow("too long") << "1e13"
                              << "1e12";
    QTest::addRow("a factor that hardly moves") << "1:1e12:x1.0000001"
                                                << "at most 100000 lengths";
    QTest::addRow("infinite") << "inf"
                              << "a whole number";
    QTest::addRow("word in the second place") << "16,x"
                                              << "column 4";
    QTest::addRow("falling") << "64:16:x2"
                             << "not below the first";
    QTest::addRow("factor of one") << "16:64:x1"
                                   << "a factor above 1";
    QTest::addRow("a power that is no whole number") << "2^6.5"
                                                     << "a whole number";
    QTest::addRow("a power of nothing") << "2^"
                                        << "a whole number";
    QTest::addRow("a power above all numbers") << "9^999"
                                               << "a whole number";
    QTest::addRow("two powers") << "2^2^2"
                                << "a whole number";
    QTest::addRow("a letter alone") << "k"
                                    << "a whole number";
    QTest::addRow("what may be two lengths") << "128 256"
                                             << "got '128 256'";
    QTest::addRow("thousands set off by a comma") << "4,096"
                                                  << "for 4 096 write 4096";
    QTest::addRow("two parts") << "16:64"
                               << "FIRST:LAST:STEP";
    QTest::addRow("too many") << "1:1e12:+1"
                              << "at most 100000";
}

void TestBase::lengthsAreRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto read = parseLengths(text.toStdString());
    QVERIFY(!read);
    QVERIFY2(QString::fromStdString(read.error().message).contains(says), read.error().message.c_str());
}

// Random123's known-answer vector: philox4x32-10 of a zero counter and a zero key is 6627e8d5 e169c58d bc57ac4c
// 9b00dbd8.
void TestBase::philoxKnownAnswer()
{
    const Random random(0, Stream::Queries);
    const std::uint32_t expected[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    for (std::uint64_t c = 0; c < 4; ++c)
        QCOMPARE(random.uniform(0, c), (expected[c] + 0.5) / 4294967296.0);
}

void TestBase::normalsHaveTheirMoments()
{
    std::vector<double> x(200'000);
    Random(7, Stream::Keys).normals(3, std::span<double>(x));
    const double count = static_cast<double>(x.size());
    double mean = 0, square = 0, fourth = 0, lag = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        mean += x[i] / count;
        square += x[i] * x[i] / count;
        fourth += std::pow(x[i], 4) / count;
        lag += i ? x[i] * x[i - 1] / count : 0;
    }
    const double five =
        5 / std::sqrt(count);  // standard errors of mean, variance, 4th moment and lag: 1, sqrt 2, sqrt 96, 1
    QVERIFY(std::abs(mean) < five);
    QVERIFY(std::abs(square - 1) < five * std::sqrt(2.0));
    QVERIFY(std::abs(fourth - 3) < five * std::sqrt(96.0));
    QVERIFY(std::abs(lag) < five);
}

void TestBase::randomNumbersAreNested()
{
    const Random random(42, Stream::Keys);
    std::vector<float> shorter(5), longer(4001);
    random.normals(9, std::span<float>(shorter));
    random.normals(9, std::span<float>(longer));
    for (size_t c = 0; c < longer.size(); ++c) {
        QVERIFY(c >= shorter.size() || shorter[c] == longer[c]);
        QVERIFY(std::abs(static_cast<double>(longer[c]) - random.normal(9, c)) < 3e-5);
    }
    QVERIFY(random.normal(9, 0) != random.normal(10, 0));
    QVERIFY(random.normal(9, 0) != Random(42, Stream::Queries).normal(9, 0));
    QVERIFY(random.normal(9, 0) != Random(43, Stream::Keys).normal(9, 0));
}

/// Rows and columns that differ in any bit that is documented as counting have numbers of their own: of 2^64 rows, 2^50
/// columns, all streams; and of draws step by step 2^48 numbers, 2^32 steps, 2^32 columns. Two of 32 bits agree by
/// chance once in 4e9, of 20 000 pairs.
void TestBase::everyCellHasANumberOfItsOwn()
{
    const Random random(1, Stream::Logits);
    std::vector<double> seen;
    for (int bit = 0; bit < 64; ++bit)
        seen.push_back(random.uniform(std::uint64_t{1} << bit, 0));
    for (int bit = 0; bit < 50; ++bit)
        seen.push_back(random.uniform(0, std::uint64_t{1} << bit));
    for (std::uint32_t stream = 0; stream <= static_cast<std::uint32_t>(Stream::Target); ++stream)
        seen.push_back(Random(1, static_cast<Stream>(stream)).uniform(0, 0));
    std::ranges::sort(seen);
    QVERIFY(std::ranges::adjacent_find(seen) == seen.end());

    std::vector<double> drawn{random.uniform(0, 0, 0)};
    for (int bit = 0; bit < 48; ++bit)
        drawn.push_back(random.uniform(std::uint64_t{1} << bit, 0, 0));
    for (int bit = 0; bit < 32; ++bit) {
        drawn.push_back(random.uniform(0, std::uint64_t{1} << bit, 0));
        drawn.push_back(random.uniform(0, 0, std::uint64_t{1} << bit));
    }
    std::ranges::sort(drawn);
    QVERIFY(std::ranges::adjacent_find(drawn) == drawn.end());
    QVERIFY(random.uniform(0, 65536, 3) != random.uniform(1, 0, 3));  // a tour of more than 65 536 choices
}

void TestBase::cellsOfCsvAreNoFormulas_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("cell");
    QTest::addRow("a name") << "layer0.q"
                            << "layer0.q";
    QTest::addRow("nothing") << ""
                             << "";
    QTest::addRow("a comma") << "a,b"
                             << "\"a,b\"";
    QTest::addRow("quotes and a line end") << "a \"b\"\n"
                                           << "\"a \"\"b\"\"\n\"";
    QTest::addRow("a formula") << "=1+1"
                               << "'=1+1";
    QTest::addRow("a formula with a comma") << "=SUM(A1,A2)"
                                            << "\"'=SUM(A1,A2)\"";
    QTest::addRow("a call") << "@SUM(A1)"
                            << "'@SUM(A1)";
    QTest::addRow("a sum") << "+A1"
                           << "'+A1";
    QTest::addRow("a difference") << "-A1"
                                  << "'-A1";
    QTest::addRow("a formula behind a tab") << "\t=A1"
                                            << "'\t=A1";
    QTest::addRow("a negative number") << "-1.5e-3"
                                       << "-1.5e-3";
    QTest::addRow("a positive number") << "+2"
                                       << "+2";
}

void TestBase::cellsOfCsvAreNoFormulas()
{
    QFETCH(QString, text);
    QFETCH(QString, cell);
    QCOMPARE(QString::fromStdString(csvText(text.toStdString())), cell);
}

void TestBase::tablesOfCsvAreRead()
{
    const std::vector<std::vector<std::string>> expected{{"a", "b"}, {"1,5", "say \"no\"\n"}, {"", "x"}};
    QCOMPARE(csvRecords("a,b\n\"1,5\",\"say \"\"no\"\"\n\"\n,x"), expected);
    QVERIFY(csvRecords("").empty());
    const CsvTable table = csvTable("name,n\r\n\"p, q\",3e2\r\nshort\r\n");
    QCOMPARE(table.rows.size(), 2u);
    QCOMPARE(table.text(0, "name"), std::string("p, q"));
    QCOMPARE(table.number(0, "n"), 300.0);
    QVERIFY(std::isnan(table.number(0, "name")) && std::isnan(table.number(1, "n")) && table.text(1, "other").empty());
}

void TestBase::measuredNumbersHaveTheirErrorsDigits_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("error");
    QTest::addColumn<QString>("text");
    QTest::addRow("hundredths") << 98.672 << 0.14204 << "98.67";
    QTest::addRow("thousandths") << -0.0483 << 0.0541 << "-0.048";
    QTest::addRow("of itself") << 0.0541 << 0.0541 << "0.054";
    QTest::addRow("0.0996 is 0.10") << 1.23456 << 0.0996 << "1.23";
    QTest::addRow("tenths") << 7.0 << 3.2 << "7.0";
    QTest::addRow("whole") << 1234.5 << 21.0 << "1234";
    QTest::addRow("small") << 0.00012345 << 0.0000021 << "0.0001234";
    QTest::addRow("nothing is not below 0") << -0.0001 << 0.12 << "0.00";
    QTest::addRow("no error") << 1.23456 << 0.0 << "1.235";
    QTest::addRow("an error that has no second digit") << 1.23456 << 5e-324 << "1.235";
    QTest::addRow("none given") << 1.23456 << std::nan("") << "1.235";
}

void TestBase::measuredNumbersHaveTheirErrorsDigits()
{
    QFETCH(double, value);
    QFETCH(double, error);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(formatMeasured(value, error)), text);
}

void TestBase::probabilitiesHaveOneStyle()
{
    const std::pair<double, const char*> expected[] = {{0.2, "0.200"},     {0.0123, "0.012"}, {0.00095, "0.001"},
                                                       {5.2e-7, "<0.001"}, {1, "1.000"},      {0, "<0.001"}};
    for (const auto& [p, text] : expected)
        QCOMPARE(QString::fromStdString(formatProbability(p)), QString(text));
    QCOMPARE(QString::fromStdString(formatWithError(-0.002, 0.1)), QStringLiteral("0.00 \u00B1 0.10"));
    QCOMPARE(QString::fromStdString(formatWithError(1.5, 0)), QStringLiteral("1.5"));
}

void TestBase::numbersOfATableHaveItsDecimals()
{
    const auto cell = [](double value, int decimals, bool isChange = false, double error = 0) {
        return QString::fromStdString(formatInTable({value, error}, decimals, isChange));
    };
    QCOMPARE(cell(0.0847, 4, true), QStringLiteral("+0.0847"));
    QCOMPARE(cell(0, 4, true), QStringLiteral("0.0000"));
    QCOMPARE(cell(2.7e-6, 4, true), QStringLiteral("+0.0000"));  // and no 0
    QCOMPARE(cell(-2.7e-6, 4, true), QStringLiteral("-0.0000"));
    QCOMPARE(cell(0.00033, 3), QStringLiteral("<0.001"));
    QCOMPARE(cell(-0.00033, 3), QStringLiteral("-0.000"));
    QCOMPARE(cell(0.0006, 3), QStringLiteral("0.001"));
    QCOMPARE(cell(0.2, 0), QStringLiteral("<1"));
    QCOMPARE(cell(0.002, 2, true, 0.1), QStringLiteral("0.00"));  // nothing, as far as one knows
    QCOMPARE(QString::fromStdString(inThousands(formatInTable({12345.6}, 1, true))), QStringLiteral("+12\u202F345.6"));
}

void TestBase::textsApartAndTogether()
{
    using Texts = std::vector<std::string>;
    QCOMPARE(partsOf(" a b ;;c\n", ';'), (Texts{"a b", "", "c"}));
    QCOMPARE(partsOf("", ';'), Texts{""});
    // RFC 4648, section 10, and what is none
    for (const auto& [bytes, base64] : {std::pair{"", ""}, std::pair{"f", "Zg=="}, std::pair{"fo", "Zm8="},
                                        std::pair{"foo", "Zm9v"}, std::pair{"foobar", "Zm9vYmFy"}})
        QCOMPARE(fromBase64(base64), std::optional<std::string>(bytes));
    QCOMPARE(fromBase64("+/8="), std::optional<std::string>("\xfb\xff"));
    for (const char* none : {"Z", "Zg", "Zg=", "Zh==", "Zm9v=", "====", "Zm 9", "Zm9v\n"})
        QVERIFY2(!fromBase64(none), none);
    QCOMPARE(split("a, b,", ',').size(), 3u);
    QCOMPARE(joined(Texts{"", "b"}, ", "), std::string(", b"));
    QCOMPARE(joined(std::vector{1, 20}, "-"), std::string("1-20"));
    QCOMPARE(joined(rows(), " ", &Entry::id), std::string("plain plus custom"));
    QCOMPARE(eachOnce(Texts{"b", "a", "b"}), (Texts{"b", "a"}));
    QCOMPARE(numberFrom<int>("-7"), std::optional(-7));
    for (const char* none : {"", "7 ", " 7", "+7", "7x", "1e99", "70000000000"})
        QVERIFY2(!numberFrom<int>(none), none);
}

void TestBase::exceptionsBecomeErrors()
{
    const auto messageOf = [](auto exception) {
        return QString::fromStdString(caught([&]() -> Result<void> { throw exception; }).error().message);
    };
    QVERIFY(messageOf(std::bad_alloc()).contains("not enough memory"));
    QVERIFY(messageOf(std::length_error("vector::reserve")).contains("not enough memory"));
    QVERIFY(messageOf(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)))
                .contains("no further thread"));
    QVERIFY(messageOf(std::runtime_error("pthread_create has failed")).contains("no further thread"));
    QCOMPARE(messageOf(std::runtime_error("something else")), QString("something else"));
    QVERIFY(!messageOf(1).isEmpty());
    QCOMPARE(*caught([]() -> Result<int> { return 7; }), 7);
}

void TestBase::aFolderIsLockedOnce()
{
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    {
        const Result<FolderLock> first = FolderLock::take(path);
        QVERIFY(first);
        const Result<FolderLock> second = FolderLock::take(path);
        QVERIFY(!second);
        QCOMPARE(second.error().kind, ErrorKind::NotWritable);
        QVERIFY2(second.error().message.starts_with(path), second.error().message.c_str());
    }
    QVERIFY(FolderLock::take(path));
    QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

void TestBase::aFolderIsMade()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("one/in/another").toStdString();
    QVERIFY(makeFolder(path));
    QVERIFY(QFileInfo(QString::fromStdString(path)).isDir());
    QVERIFY(makeFolder(path));
    const std::string file = folder.filePath("file").toStdString();
    QVERIFY(replaceFile(file, "text"));
    const Result<void> refused = makeFolder(file + "/below");
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::NotWritable);
    for (const std::string& said : {file + "/below", std::string("Not a directory"), std::string("choose a folder")})
        QVERIFY2(refused.error().message.find(said) != std::string::npos, refused.error().message.c_str());
}

QTEST_APPLESS_MAIN(TestBase)
#include "test_base.moc"

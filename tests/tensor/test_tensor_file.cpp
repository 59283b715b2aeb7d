// Right files of every format are read, whole and in part, and no more of them than is asked for.

#include "core/tensor/byte_source.h"
#include "core/tensor/gguf.h"
#include "core/tensor/tensor_file.h"
#include "tests/support/file_builder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace attnscope;

namespace {

Result<TensorFile> inMemory(const std::string& bytes, const std::string& path)
{
    return TensorFile::fromBytes(build::bytes(bytes), path);
}

/// A peak of this process' memory in KiB, as Linux counts it.
long peakMemory()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::stol(line.substr(6));
    return -1;
}

}  // namespace

class TestTensorFile : public QObject {
    Q_OBJECT

private slots:
    void formatsAreToldByTheirContent();
    void safetensorsHaveNamesShapesAndMetadata();
    void unknownFieldsOfATensorArePassedOver();
    void anArchivesTensorsAreItsNpyEntries();
    void elementsComeOutInTheOrderOfTheIndices_data();
    void elementsComeOutInTheOrderOfTheIndices();
    void boxesAreReadAlone_data();
    void boxesAreReadAlone();
    void boxesOutsideAreRefused_data();
    void boxesOutsideAreRefused();
    void anUnknownNameListsTheKnown();
    void anUnreadableTensorDoesNotHideTheOthers_data();
    void anUnreadableTensorDoesNotHideTheOthers();
    void truthValuesAreZeroOrOne();
    void ggufHasValuesOfEveryType();
    void ggufArraysHaveRoomForVocabulariesAndNoMore();
    void boxesOfBlocksAreReadAlone();
    void numbersOfEightBitsAreRead();
    void fourGigabytesCostWhatIsReadOfThem();
    void whatDoesNotFitInMemoryIsAnErrorAndNotACrash();
};

void TestTensorFile::formatsAreToldByTheirContent()
{
    const std::string npy = build::npy(build::npyDict("<f4", "()"), build::floats({7}));
    const auto a = inMemory(build::safetensors("{}  "), "a.npy");
    const auto b = inMemory(npy, "b.bin");
    const auto c = inMemory(build::zip({{"x.npy", npy}}), "c.safetensors");
    const auto d =
        inMemory(build::safetensors("{" + build::field("x", "F32", "[]", "[0,4]") + "}", build::floats({7})), "d");
    QVERIFY(a && b && c && d);
    QCOMPARE(formatName(a->format()), "safetensors");
    QCOMPARE(formatName(b->format()), "npy");
    QCOMPARE(formatName(c->format()), "npz");
    QCOMPARE(formatName(d->format()), "safetensors");
    for (const auto* file : {&*b, &*c, &*d})
        QCOMPARE(*file->read<double>(file->tensors().front()), std::vector<double>{7});
}

void TestTensorFile::safetensorsHaveNamesShapesAndMetadata()
{
    // the order of the data is another than that of the header, and one tensor is empty
    const auto file =
        inMemory(build::safetensors("{\"__metadata__\":{\"model\":\"m\",\"causal\":\"true\"}," +
                                        build::field("b", "F32", "[1,2]", "[4,12]") + "," +
                                        build::field("none", "F64", "[3,0]", "[12,12]") + "," +
                                        build::field("a", "I16", "[2]", "[0,4]") + "}   ",
                                    build::little(0xfffe, 2) + build::little(300, 2) + build::floats({1.5F, -2})),
                 "x.safetensors");
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(file->tensors().size(), size_t{3});
    QCOMPARE(file->metadata().at("causal"), "true");
    QCOMPARE(describeTensor(file->tensors()[0]), "F32 [1, 2]");
    QCOMPARE(*file->read<float>(**file->find("b")), (std::vector<float>{1.5F, -2}));
    QCOMPARE(*file->read<float>(**file->find("a")), (std::vector<float>{-2, 300}));
    QCOMPARE(file->read<float>(**file->find("none"))->size(), size_t{0});
}

void TestTensorFile::unknownFieldsOfATensorArePassedOver()
{
    const auto file = inMemory(build::safetensors("{\"a\":{\"note\":{\"dtype\":[1]},\"dtype\":\"U8\",\"scale\":-1.5e3,"
                                                  "\"shape\":[2],\"none\":null,\"data_offsets\":[0,2]}}",
                                                  "\1\2"),
                               "a.safetensors");
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(*file->read<float>(file->tensors().front()), (std::vector<float>{1, 2}));
}

void TestTensorFile::anArchivesTensorsAreItsNpyEntries()
{
    const std::string q = build::npy(build::npyDict("<f4", "(70000,)"), build::counting(70000));
    const std::string k = build::npy(build::npyDict("<f4", "(2, 2)", "True"), build::floats({1, 3, 2, 4}));
    const auto file = inMemory(build::zip({{"folder/", ""},
                                           {.name = "layer0/q.npy", .content = q, .deflate = true},
                                           {"readme.txt", "hello"},
                                           {"layer0/k.npy", k}}),
                               "a.npz");
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(file->tensors().size(), size_t{2});
    QCOMPARE(file->tensors()[0].name, "layer0/q");
    QCOMPARE(*file->read<float>(file->tensors()[1]), (std::vector<float>{1, 2, 3, 4}));
    // parts of a deflated entry, forward and back again
    for (const std::int64_t begin : {69'000, 100, 0, 40'000})
        QCOMPARE(file->read<double>(file->tensors()[0], {{begin}, {2}})->back(), static_cast<double>(begin + 1));
}

void TestTensorFile::elementsComeOutInTheOrderOfTheIndices_data()
{
    QTest::addColumn<QString>("order");
    QTest::addColumn<std::vector<float>>("values");
    QTest::addRow("C") << "False" << std::vector<float>{0, 1, 2, 3, 4, 5};
    QTest::addRow("Fortran") << "True" << std::vector<float>{0, 2, 4, 1, 3, 5};
}

void TestTensorFile::elementsComeOutInTheOrderOfTheIndices()
{
    QFETCH(QString, order);
    QFETCH(std::vector<float>, values);
    const auto file =
        inMemory(build::npy(build::npyDict("<f4", "(2, 3)", order.toStdString()), build::counting(6)), "a.npy");
    QVERIFY(file);
    QCOMPARE(*file->read<float>(file->tensors().front()), values);
}

void TestTensorFile::boxesAreReadAlone_data()
{
    QTest::addColumn<bool>("fortran");
    QTest::addColumn<std::vector<qint64>>("begin");
    QTest::addColumn<std::vector<qint64>>("count");
    using Index = std::vector<qint64>;
    for (const bool fortran : {false, true}) {
        const char* order = fortran ? "Fortran" : "C";
        QTest::addRow("%s, all", order) << fortran << Index{0, 0, 0, 0} << Index{3, 4, 5, 6};
        QTest::addRow("%s, one of the first", order) << fortran << Index{2, 0, 0, 0} << Index{1, 4, 5, 6};
        QTest::addRow("%s, one of the last", order) << fortran << Index{0, 0, 0, 5} << Index{3, 4, 5, 1};
        QTest::addRow("%s, a middle", order) << fortran << Index{1, 1, 2, 3} << Index{2, 2, 3, 2};
        QTest::addRow("%s, an element", order) << fortran << Index{2, 3, 4, 5} << Index{1, 1, 1, 1};
        QTest::addRow("%s, nothing", order) << fortran << Index{1, 4, 0, 0} << Index{2, 0, 5, 6};
    }
}

void TestTensorFile::boxesAreReadAlone()
{
    QFETCH(bool, fortran);
    QFETCH(std::vector<qint64>, begin);
    QFETCH(std::vector<qint64>, count);
    const std::array<qint64, 4> shape{3, 4, 5, 6};
    const auto file = inMemory(
        build::npy(build::npyDict("<f4", "(3, 4, 5, 6)", fortran ? "True" : "False"), build::counting(360)), "a.npy");
    QVERIFY(file);
    const auto values =
        file->read<float>(file->tensors().front(), {{begin.begin(), begin.end()}, {count.begin(), count.end()}});
    QVERIFY2(values, values ? "" : values.error().message.c_str());
    std::vector<float> expected;
    for (qint64 a = begin[0]; a < begin[0] + count[0]; ++a)
        for (qint64 b = begin[1]; b < begin[1] + count[1]; ++b)
            for (qint64 c = begin[2]; c < begin[2] + count[2]; ++c)
                for (qint64 d = begin[3]; d < begin[3] + count[3]; ++d)
                    expected.push_back(static_cast<float>(fortran
                                                              ? a + shape[0] * (b + shape[1] * (c + shape[2] * d))
                                                              : d + shape[3] * (c + shape[2] * (b + shape[1] * a))));
    QCOMPARE(*values, expected);
}

void TestTensorFile::boxesOutsideAreRefused_data()
{
    QTest::addColumn<std::vector<qint64>>("begin");
    QTest::addColumn<std::vector<qint64>>("count");
    using Index = std::vector<qint64>;
    QTest::addRow("past the end") << Index{1, 0} << Index{2, 3};
    QTest::addRow("before the start") << Index{-1, 0} << Index{1, 3};
    QTest::addRow("a negative count") << Index{0, 0} << Index{-1, 3};
    QTest::addRow("a sum that overflows") << Index{1, 0} << Index{std::numeric_limits<qint64>::max(), 3};
    QTest::addRow("another rank") << Index{0} << Index{1};
}

void TestTensorFile::boxesOutsideAreRefused()
{
    QFETCH(std::vector<qint64>, begin);
    QFETCH(std::vector<qint64>, count);
    const auto file = inMemory(build::npy(build::npyDict("<f4", "(2, 3)"), build::counting(6)), "a.npy");
    const auto values =
        file->read<float>(file->tensors().front(), {{begin.begin(), begin.end()}, {count.begin(), count.end()}});
    QVERIFY(!values);
    QCOMPARE(values.error().kind, ErrorKind::InvalidArgument);
}

void TestTensorFile::anUnknownNameListsTheKnown()
{
    const auto file = inMemory(build::npy(build::npyDict("<f4", "()"), build::floats({7})), "folder/left.npy");
    const auto tensor = file->find("right");
    QVERIFY(!tensor);
    QCOMPARE(tensor.error().kind, ErrorKind::UnknownName);
    QCOMPARE(tensor.error().message, "folder/left.npy: no tensor 'right'; it has 'left'");
}

/// Values of every type of the format, in both versions that are read, with another alignment; tensors slowest first.
void TestTensorFile::ggufHasValuesOfEveryType()
{
    using namespace build;
    const std::string key = ggufKey("k");
    struct Row {
        std::uint32_t type;
        std::string bytes;
        nlohmann::json value;
        std::string words;
    };
    const std::vector<Row> rows{
        {0, little(200, 1), 200, "200"},
        {1, little(0xfe, 1), -2, "-2"},
        {2, little(40000, 2), 40000, "40000"},
        {3, little(0xfffe, 2), -2, "-2"},
        {4, little(4000000000, 4), 4000000000U, "4000000000"},
        {5, little(0xfffffffe, 4), -2, "-2"},
        {6, floats({0.5F}), 0.5, "0.5"},
        {7, little(1, 1), true, "true"},
        {8, little(2, 8) + "ab", "ab", "ab"},
        {9, little(4, 4) + little(2, 8) + little(1, 4) + little(2, 4), nlohmann::json::array({1, 2}), "[1,2]"},
        {9, little(8, 4) + little(2, 8) + little(1, 8) + "a" + little(0, 8), nlohmann::json::array({"a", ""}),
         "2 texts"},
        {10, little(1ULL << 63, 8), 1ULL << 63, "9223372036854775808"},
        {11, little(~0ULL, 8), -1, "-1"},
        {12, doubles({0.25}), 0.25, "0.25"},
    };
    for (const std::uint32_t version : {2U, 3U})
        for (const Row& row : rows) {
            const std::string bytes =
                gguf({.version = version,
                      .values = {ggufNumber("general.alignment", 64), key + little(row.type, 4) + row.bytes},
                      .tensors = {{"t", {2, 3}, 0, 64}, {"s", {1}, 24, 0}},
                      .data = little(7, 1) + std::string(63, '\0') + counting(6),
                      .alignment = 64});
            const auto header = readGgufHeader(memoryBytes(build::bytes(bytes), "a"), "a");
            QVERIFY2(header, header ? "" : header.error().message.c_str());
            QVERIFY2(header->values["k"] == row.value, row.words.c_str());
            const auto file = inMemory(bytes, "a-blob-without-an-ending");
            QVERIFY(file && file->format() == FileFormat::Gguf);
            QCOMPARE(file->metadata().at("k"), row.words);
            const TensorInfo& tensor = **file->find("t");
            QCOMPARE(describeTensor(tensor), std::string("F32 [3, 2]"));
            QCOMPARE(*file->read<float>(tensor), (std::vector<float>{0, 1, 2, 3, 4, 5}));
            QCOMPARE(*file->read<double>(tensor, {{1, 1}, {2, 1}}), (std::vector<double>{3, 5}));
            QCOMPARE(*file->read<float>(**file->find("s")), std::vector<float>{7});
        }
}

/// A member takes many times its bytes in memory: the largest published vocabularies have 262 144 tokens, and 2^22 are
/// read.
void TestTensorFile::ggufArraysHaveRoomForVocabulariesAndNoMore()
{
    using namespace build;
    const auto bytesOf = [](std::size_t count) {
        return little(9, 4) + little(0, 4) + little(count, 8) + std::string(count, '\1');
    };
    const auto read = [](const std::vector<std::string>& values) {
        return readGgufHeader(memoryBytes(build::bytes(gguf({.values = values, .tensors = {}, .data = {}})), "a"), "a");
    };
    constexpr std::size_t most = 1 << 22;
    const auto all = read({ggufKey("k") + bytesOf(most)});
    QVERIFY2(all, all ? "" : all.error().message.c_str());
    QCOMPARE(all->values["k"].size(), most);
    const auto more = read({ggufKey("k") + bytesOf(most + 1)});
    QVERIFY(!more && more.error().kind == ErrorKind::BadHeader);
    QVERIFY2(more.error().message.find("declares 4194305 members; at most 4194304") != std::string::npos,
             more.error().message.c_str());
    std::vector<std::string> five;
    for (const char* key : {"a", "b", "c", "d", "e"})
        five.push_back(ggufKey(key) + bytesOf(most));
    QVERIFY(!read(five));
    five.pop_back();
    QVERIFY(read(five));
}

/// Boxes that begin and end within blocks: every one of 3 rows of 96 numbers, whose scale is the row's number + 1.
void TestTensorFile::boxesOfBlocksAreReadAlone()
{
    using namespace build;
    std::string data;
    for (int row = 0; row < 3; ++row)
        for (int block = 0; block < 3; ++block) {
            data += little(row == 0 ? 0x3c00 : row == 1 ? 0x4000 : 0x4200, 2);  // halves 1, 2, 3
            for (int i = 0; i < 32; ++i)
                data += little(static_cast<std::uint64_t>(32 * block + i), 1);
        }
    const auto file = inMemory(gguf({.tensors = {{"w", {96, 3}, 8, 0}}, .data = data}), "w.gguf");
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const TensorInfo& tensor = file->tensors().front();
    QCOMPARE(describeTensor(tensor), std::string("Q8_0 [3, 96]"));
    QCOMPARE(tensor.byteCount(), std::uint64_t{306});
    for (const std::int64_t begin : {0, 1, 31, 32, 40, 95})
        for (const std::int64_t count : {1, 2, 31, 33, 64, 96})
            for (std::int64_t first = 0; first < 3 && begin + count <= 96; ++first) {
                std::vector<double> expected;
                for (std::int64_t row = first; row < 3; ++row)
                    for (std::int64_t at = begin; at < begin + count; ++at)
                        expected.push_back(static_cast<double>((row + 1) * at));
                QCOMPARE(*file->read<double>(tensor, {{first, begin}, {3 - first, count}}), expected);
            }
}

void TestTensorFile::numbersOfEightBitsAreRead()
{
    const auto file = inMemory(build::safetensors("{" + build::field("a", "F8_E4M3", "[3]", "[0,3]") + "," +
                                                      build::field("b", "F8_E5M2", "[2]", "[3,5]") + "}",
                                                  "\x38\x40\xb8\x3c\xc0"),
                               "f8.safetensors");
    QVERIFY(file);
    QCOMPARE(*file->read<float>(**file->find("a")), (std::vector<float>{1, 2, -1}));
    QCOMPARE(*file->read<double>(**file->find("b")), (std::vector<double>{1, -2}));
}

void TestTensorFile::fourGigabytesCostWhatIsReadOfThem()
{
    QTemporaryDir folder;
    QFile disk(folder.filePath("large.safetensors"));
    QVERIFY(disk.open(QIODevice::WriteOnly));
    const qint64 large = qint64{1} << 32;
    const std::string at = std::to_string(large), end = std::to_string(large + 48);
    const std::string start =
        build::safetensors("{" + build::field("experts", "F16", "[2048,1024,1024]", "[0," + at + "]") + "," +
                           build::field("q", "F32", "[3,4]", "[" + at + "," + end + "]") + "}");
    disk.write(start.data(), static_cast<qint64>(start.size()));
    QVERIFY(disk.seek(static_cast<qint64>(start.size()) + large));  // a hole: no disk is used
    const std::string tail = build::counting(12);
    if (disk.write(tail.data(), 48) != 48)
        QSKIP("this file system has no room for a file of 4 GiB with a hole");
    disk.close();

    const long before = peakMemory();
    const auto file = TensorFile::open(disk.fileName().toStdString());
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const auto header = file->bytesRead();
    QVERIFY(header <= start.size() + 16);
    QCOMPARE(file->read<float>(**file->find("q"))->at(11), 11.0F);
    QCOMPARE(file->bytesRead() - header, 48U);
    QCOMPARE(file->read<float>(**file->find("experts"), {{1000, 10, 0}, {1, 2, 1024}})->size(), size_t{2048});
    QCOMPARE(file->bytesRead() - header, 48U + 4096U);
    QVERIFY(peakMemory() - before < 100 * 1024);
}

void TestTensorFile::whatDoesNotFitInMemoryIsAnErrorAndNotACrash()
{
    QTemporaryDir folder;
    QFile disk(folder.filePath("huge.npy"));
    QVERIFY(disk.open(QIODevice::WriteOnly));
    const std::string header = build::npy(build::npyDict("|u1", "(8796093022208,)"));
    disk.write(header.data(), static_cast<qint64>(header.size()));
    disk.close();
    if (!disk.resize(static_cast<qint64>(header.size()) + (qint64{1} << 43)))
        QSKIP("this file system cannot hold a file of 8 TiB with a hole");
    const auto file = TensorFile::open(disk.fileName().toStdString());
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const auto values = file->read<float>(file->tensors().front());
    QVERIFY(!values);
    QCOMPARE(values.error().kind, ErrorKind::DataError);
    QCOMPARE(file->read<float>(file->tensors().front(), {{1LL << 42}, {3}})->size(), size_t{3});
}

void TestTensorFile::anUnreadableTensorDoesNotHideTheOthers_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QString>("why");
    const std::string right = build::npy(build::npyDict("<f4", "(2,)"), build::floats({1, 2}));
    const auto npz = [&](const std::string& other) {
        return QByteArray::fromStdString(build::zip({{"b.npy", other}, {"a.npy", right}}));
    };
    QTest::addRow("text") << npz(build::npy(build::npyDict("<U7", "()"), std::string(28, 'x'))) << "<U7"
                          << "text cannot be read";
    QTest::addRow("complex numbers") << npz(build::npy(build::npyDict("<c8", "(1,)"), std::string(8, '\0'))) << "<c8"
                                     << "complex";
    QTest::addRow("long doubles") << npz(build::npy(build::npyDict("<f16", "(1,)"), std::string(16, '\0'))) << "<f16"
                                  << "this dtype cannot be read";
    QTest::addRow("objects") << npz(build::npy(build::npyDict("|O", "()"), "\x80\4.")) << "|O"
                             << "refusing to unpickle";
    QTest::addRow("records") << npz(build::npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
                                               "abcd"))
                             << ""
                             << "structured";
    QTest::addRow("data cut short") << npz(right.substr(0, right.size() - 1)) << ""
                                    << "there are 7";
    for (const char* dtype : {"F8_E8M0", "F4", "U4", "C64", "Q8_0", "unknown", "f32"})
        QTest::addRow("%s", dtype) << QByteArray::fromStdString(
                                          build::safetensors("{" + build::field("b", dtype, "[3, 2]", "[0,6]") + "," +
                                                                 build::field("a", "F32", "[2]", "[6,14]") + "}",
                                                             std::string(6, 'x') + build::floats({1, 2})))
                                   << dtype << QString("dtype '%1' cannot be read; convert").arg(dtype);
}

void TestTensorFile::anUnreadableTensorDoesNotHideTheOthers()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, dtype);
    QFETCH(QString, why);
    const auto file = inMemory(bytes.toStdString(), "some.file");
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(file->tensors().size(), size_t{2});
    const TensorInfo& tensor = file->tensors().front();
    QCOMPARE(tensor.name, "b");
    QVERIFY(tensor.unreadable && tensor.dtype == Dtype::Unknown);
    QCOMPARE(QString::fromStdString(tensor.dtypeText()), dtype);
    const QString message = QString::fromStdString(tensor.unreadable->message);
    QVERIFY2(message.contains(why) && message.startsWith("some.file: tensor 'b'"), qPrintable(message));
    QCOMPARE(file->read<float>(tensor).error(), *tensor.unreadable);
    QCOMPARE(file->find("b").error(), *tensor.unreadable);
    QCOMPARE(*file->firstUnreadable(), *tensor.unreadable);
    QCOMPARE(*file->read<float>(**file->find("a")), (std::vector<float>{1, 2}));
    if (file->format() == FileFormat::Safetensors)
        QCOMPARE(describeTensor(tensor), dtype.toStdString() + " [3, 2]");
}

void TestTensorFile::truthValuesAreZeroOrOne()
{
    const auto fileOf = [](const std::string& data) {
        return inMemory(build::safetensors("{" + build::field("a", "BOOL", "[3]", "[0,3]") + "}", data),
                        "mask.safetensors");
    };
    const auto right = fileOf(std::string("\1\0\1", 3)), wrong = fileOf(std::string("\1\0\xf8", 3));
    QVERIFY(right && wrong);
    QCOMPARE(*right->read<float>(right->tensors().front()), (std::vector<float>{1, 0, 1}));
    const auto values = wrong->read<float>(wrong->tensors().front());
    QVERIFY(!values);
    QCOMPARE(values.error().kind, ErrorKind::DataError);
    QVERIFY2(values.error().message.starts_with("mask.safetensors: tensor 'a': a truth value"),
             values.error().message.c_str());
    QVERIFY(wrong->read<float>(wrong->tensors().front(), {{0}, {2}}));  // what is not asked for is not looked at
}

QTEST_APPLESS_MAIN(TestTensorFile)
#include "test_tensor_file.moc"

// What NumPy writes is read as NumPy reads it, and what the program writes NumPy reads. Both sides are compared element
// by element, without a tolerance.

#include "core/tensor/head_file.h"
#include "core/tensor/tensor_writer.h"
#include "tests/support/model_tensors.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <cmath>
#include <cstring>

using namespace attnscope;

namespace {

template <class Number>
std::vector<Number> numbersIn(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray bytes = file.readAll();
    std::vector<Number> numbers(static_cast<size_t>(bytes.size()) / sizeof(Number));
    if (!numbers.empty())
        std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
    return numbers;
}

/// Equal, or NaN on both sides; the sign of zero counts.
bool same(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

class TestNumpy : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void whatNumpyWritesIsRead_data();
    void whatNumpyWritesIsRead();
    void everyHalfAndBfloat16IsRead_data();
    void everyHalfAndBfloat16IsRead();
    void archivesOfNumpyAreRead_data();
    void archivesOfNumpyAreRead();
    void numpyReadsWhatIsWritten();
    void headsOfTrainedModelsAreThoseThatNumpySees_data();
    void headsOfTrainedModelsAreThoseThatNumpySees();

private:
    QString numpy(const QStringList& arguments) const;
    void compare(const QString& name, const std::vector<double>& values) const;
    QString m_python;
    QTemporaryDir m_folder;
};

void TestNumpy::initTestCase()
{
    for (const char* python : {"/usr/bin/python3", "python3"})
        if (m_python.isEmpty() && QProcess::execute(python, {"-c", "import numpy"}) == 0)
            m_python = python;
    if (m_python.isEmpty())
        QSKIP("python3 with numpy is not installed, so there is nothing to compare with");
    QCOMPARE(numpy({"write", m_folder.path()}), QString());
}

QString TestNumpy::numpy(const QStringList& arguments) const
{
    QProcess process;
    process.start(m_python, QStringList{TEST_DATA "/numpy_files.py"} + arguments);
    process.waitForFinished(-1);
    const QString errors = process.readAllStandardError();
    return process.exitCode() == 0 ? QString(process.readAllStandardOutput()).trimmed() : errors;
}

void TestNumpy::compare(const QString& name, const std::vector<double>& values) const
{
    const auto wanted = numbersIn<double>(m_folder.filePath(name + ".f64"));
    QCOMPARE(values.size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i)
        QVERIFY2(same(values[i], wanted[i]), qPrintable(QString("%1, element %2: %3 and not %4")
                                                            .arg(name)
                                                            .arg(i)
                                                            .arg(values[i], 0, 'g', 17)
                                                            .arg(wanted[i], 0, 'g', 17)));
}

void TestNumpy::whatNumpyWritesIsRead_data()
{
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32",
                             "uint16", "uint8", "bool"})
        QTest::addRow("%s", kind) << kind;
}

void TestNumpy::whatNumpyWritesIsRead()
{
    QFETCH(QString, kind);
    const QStringList names = QDir(m_folder.path()).entryList({kind + "_*.npy"});
    const bool oneByte = kind.endsWith("int8") || kind == "bool";
    QCOMPARE(names.size(), (oneByte ? 1 : 2) * 2 * 3 * 8);  // byte orders, memory orders, versions, shapes
    for (const QString& name : names) {
        const auto file = TensorFile::open(m_folder.filePath(name).toStdString());
        QVERIFY2(file, file ? "" : file.error().message.c_str());
        const auto values = file->read<double>(file->tensors().front());
        QVERIFY2(values, values ? "" : values.error().message.c_str());
        compare(name.chopped(4), *values);
        if (QTest::currentTestFailed())
            return;
    }
}

void TestNumpy::everyHalfAndBfloat16IsRead_data()
{
    QTest::addColumn<QString>("name");
    QTest::addRow("float16") << "every_half.npy";
    QTest::addRow("bfloat16") << "every_bfloat16.safetensors";
}

void TestNumpy::everyHalfAndBfloat16IsRead()
{
    QFETCH(QString, name);
    const auto file = TensorFile::open(m_folder.filePath(name).toStdString());
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    compare(name.section('.', 0, 0), *file->read<double>(file->tensors().front()));
}

void TestNumpy::archivesOfNumpyAreRead_data()
{
    QTest::addColumn<QString>("name");
    QTest::addRow("savez") << "stored.npz";
    QTest::addRow("savez_compressed") << "deflated.npz";
}

void TestNumpy::archivesOfNumpyAreRead()
{
    QFETCH(QString, name);
    const auto file = TensorFile::open(m_folder.filePath(name).toStdString());
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(file->tensors().size(), size_t{3});
    compare("npz_q", *file->read<double>(**file->find("q")));
    compare("npz_k", *file->read<double>(**file->find("k")));
    const auto heads = loadHeads(*file, {});
    QVERIFY2(heads, heads ? "" : heads.error().message.c_str());
    QCOMPARE(heads->headCount(), 4);
    QCOMPARE(heads->keys.size(), size_t{2});
    QCOMPARE(heads->keyCount(), 7);
}

void TestNumpy::numpyReadsWhatIsWritten()
{
    QTemporaryDir folder;
    const std::vector<std::vector<std::int64_t>> shapes{{},  {5},      {3, 4}, {2, 3, 4}, {2, 1, 3, 2}, {2, 3, 1, 2, 2},
                                                        {0}, {3, 0, 2}};
    const std::map<std::string, Dtype> dtypes{{"float64", Dtype::F64}, {"float32", Dtype::F32}, {"float16", Dtype::F16},
                                              {"int64", Dtype::I64},   {"int32", Dtype::I32},   {"int16", Dtype::I16},
                                              {"int8", Dtype::I8},     {"uint64", Dtype::U64},  {"uint32", Dtype::U32},
                                              {"uint16", Dtype::U16},  {"uint8", Dtype::U8},    {"bool", Dtype::Bool}};
    int files = 0;
    for (const auto& [kind, dtype] : dtypes)
        for (const int version : {1, 2})
            for (const auto& shape : shapes) {
                // the bytes 0 to 1 make a number that is right in every dtype; the expected value is decoded by hand
                const std::uint64_t count = TensorInfo{.shape = shape}.elementCount();
                std::vector<std::byte> bytes(count * dtypeSize(dtype));
                std::vector<double> wanted(count);
                for (std::uint64_t i = 0; i < count; ++i) {
                    wanted[i] = static_cast<double>(i % 2);
                    const std::uint64_t one = dtype == Dtype::F64   ? 0x3ff0000000000000
                                              : dtype == Dtype::F32 ? 0x3f800000
                                              : dtype == Dtype::F16 ? 0x3c00
                                                                    : 1;
                    for (size_t b = 0; b < dtypeSize(dtype); ++b)
                        bytes[i * dtypeSize(dtype) + b] = static_cast<std::byte>((i % 2 ? one : 0) >> (8 * b) & 0xff);
                }
                const QString stem = folder.filePath(QString("%1_%2_%3").arg(kind.c_str()).arg(version).arg(files++));
                const auto written = writeNpy((stem + ".npy").toStdString(), {"", dtype, shape, bytes}, version);
                QVERIFY2(written, written ? "" : written.error().message.c_str());
                QFile expected(stem + ".f64"), size(stem + ".shape");
                QVERIFY(expected.open(QIODevice::WriteOnly) && size.open(QIODevice::WriteOnly));
                expected.write(reinterpret_cast<const char*>(wanted.data()),
                               static_cast<qint64>(wanted.size() * sizeof(double)));
                size.write(describeShape(shape).c_str());
            }
    QCOMPARE(numpy({"check", folder.path()}), QString::number(files));
}

void TestNumpy::headsOfTrainedModelsAreThoseThatNumpySees_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("queryHeads");
    QTest::addColumn<int>("keyHeads");
    QTest::addColumn<int>("pairs");
    QTest::addRow("as of a language model, grouped heads") << "language.safetensors" << 8 << 4 << 6;
    QTest::addRow("as of a routing model") << "routing.safetensors" << 8 << 8 << 3;
    QTest::addRow("as of a model's projections") << "projections.safetensors" << 8 << 8 << 3;
    if (!QDir(SHARED "/data").exists())
        return;
    QTest::addRow("a language model, grouped heads") << "stories260K_qk.safetensors" << 8 << 4 << 6;
    QTest::addRow("a routing model") << "tsp100_qk_n400.safetensors" << 8 << 8 << 3;
    QTest::addRow("a model's projections") << "tsp100_attention_model.safetensors" << 8 << 8 << 3;
}

void TestNumpy::headsOfTrainedModelsAreThoseThatNumpySees()
{
    QFETCH(QString, name);
    QFETCH(int, queryHeads);
    QFETCH(int, keyHeads);
    QFETCH(int, pairs);
    QTemporaryDir folder, made;
    const auto own = [&](const char* file) { return made.filePath(file).toStdString(); };
    QCOMPARE(build::writeLanguageModel(own("language.safetensors")), std::string());
    QCOMPARE(build::writeRoutingHeads(own("routing.safetensors")), std::string());
    QCOMPARE(build::writeProjections(own("projections.safetensors")), std::string());
    const QString path = QFile::exists(made.filePath(name)) ? made.filePath(name) : SHARED "/data/" + name;
    QCOMPARE(numpy({"heads", path, folder.path()}), QString());
    const auto file = openHeadFile(path.toStdString());
    QVERIFY2(file, file ? "" : file.error().message.c_str());
    const auto candidates = findCandidates(*file);
    QCOMPARE(static_cast<int>(candidates.size()), pairs);
    for (const HeadCandidate& candidate : candidates) {
        const auto heads = loadHeads(
            *file,
            {.path = path.toStdString(), .query = candidate.query, .key = candidate.key, .layout = {}, .holds = {}});
        QVERIFY2(heads, heads ? "" : heads.error().message.c_str());
        QCOMPARE(heads->headCount(), queryHeads);
        QCOMPARE(static_cast<int>(heads->keys.size()), keyHeads);
        for (const auto& [tensorName, matrices] :
             {std::pair{candidate.query, &heads->queries}, std::pair{candidate.key, &heads->keys}}) {
            const auto number = *file->find(tensorName) - file->tensors().data();
            std::vector<float> all;
            for (const Matrix& matrix : *matrices)
                all.insert(all.end(), matrix.data(), matrix.data() + matrix.size());
            QCOMPARE(all, numbersIn<float>(folder.filePath(QString::number(number) + ".f32")));
        }
    }
}

QTEST_GUILESS_MAIN(TestNumpy)
#include "test_numpy.moc"

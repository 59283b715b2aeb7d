#include "program.h"

#include "core/tensor/tensor_writer.h"
#include "tests/support/patience.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QTest>

#include <cmath>

#include <sys/resource.h>

Outcome runProgram(const QStringList& arguments, const QByteArray& input, std::uint64_t memory)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(name);
    QProcess process;
    process.setProcessEnvironment(environment);
    if (memory > 0)
        process.setChildProcessModifier([memory] {
            const rlimit limit{memory, memory};
            ::setrlimit(RLIMIT_AS, &limit);
        });
    process.start(ATTNSCOPE_PROGRAM, arguments);
    process.write(input);
    process.closeWriteChannel();
    Outcome outcome;
    if (!process.waitForFinished(patienceWithPrograms) || process.exitStatus() != QProcess::NormalExit)
        return outcome;
    outcome.status = process.exitCode();
    outcome.output = process.readAllStandardOutput();
    outcome.errorLines = QString::fromUtf8(process.readAllStandardError()).split('\n', Qt::SkipEmptyParts);
    return outcome;
}

QJsonArray jsonRows(QStringList arguments)
{
    arguments << "--format"
              << "json";
    const Outcome outcome = runProgram(arguments);
    if (outcome.status != 0) {
        QTest::qFail(qPrintable(QString("%1: status %2, %3")
                                    .arg(arguments.join(' '))
                                    .arg(outcome.status)
                                    .arg(outcome.errorLines.join(" / "))),
                     __FILE__, __LINE__);
        return {};
    }
    QJsonParseError error;
    const QJsonObject object = QJsonDocument::fromJson(outcome.output, &error).object();
    if (error.error != QJsonParseError::NoError || object.keys() != QStringList{"rows", "schema"} ||
        object["schema"] != "attnscope/1")
        QTest::qFail(qPrintable(arguments.join(' ') + ": not the promised object: " + error.errorString()), __FILE__,
                     __LINE__);
    return object["rows"].toArray();
}

QString pythonWithNumpy()
{
    for (const char* python : {"python3", "/usr/bin/python3"})
        if (QProcess::execute(python, {"-c", "import numpy"}) == 0)
            return python;
    return {};
}

bool writeTestTensors(const QString& folder)
{
    using namespace attnscope;
    const auto path = [&](const char* name) { return QDir(folder).filePath(name).toStdString(); };
    const std::vector<float> zeros(48, 0.0f);
    std::vector<float> keys(48);
    for (size_t i = 0; i < keys.size(); ++i)
        keys[i] = static_cast<float>(i) - 10.0f;
    std::vector<float> broken = keys;
    broken[5] = NAN;
    const std::vector uniform{tensorView("layer7.q", {2, 6, 4}, zeros), tensorView("layer7.k", {2, 6, 4}, keys)};
    const std::vector nan{tensorView("q", {2, 6, 4}, broken), tensorView("k", {2, 6, 4}, keys)};
    QFile text(QString::fromStdString(path("text.txt")));
    return writeSafetensors(path("uniform.safetensors"), uniform,
                            {{"causal", "true"}, {"layout", "heads, tokens, head_dim"}}) &&
           writeSafetensors(path("nan.safetensors"), nan) && text.open(QIODevice::WriteOnly) &&
           text.write("these are no tensors\n") > 0;
}

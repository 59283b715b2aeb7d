#pragma once
// Runs the program as a user does, without a display, and reads what it prints.

#include <QHash>
#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

#include <cstdint>

struct Outcome {
    int status = -1;  ///< -1: it crashed, hung or did not start
    QByteArray output;
    QStringList errorLines;
};

/// `memory`: the address space that it may have, in bytes; 0: what this process may.
Outcome runProgram(const QStringList& arguments, const QByteArray& input = {}, std::uint64_t memory = 0);

/// The rows of a run with --format json. A run that fails or prints anything but the promised object fails the test.
QJsonArray jsonRows(QStringList arguments);

/// A python3 that has NumPy, or empty.
QString pythonWithNumpy();

/// uniform.safetensors: 2 heads, 6 tokens, d = 4, queries all zero, so every logit is 0 and every row uniform;
/// nan.safetensors: the same with a NaN at [0, 1, 1] of its queries; text.txt: no tensors. False if they could not be
/// written.
bool writeTestTensors(const QString& folder);

#pragma once
// Short ways to run a lab in a test.

#include "core/labs/lab.h"

#include <QString>
#include <QtGlobal>

#include <algorithm>

namespace attnscope {

inline LabResult runOrFail(const LabRun& run, const LabCallback& progress = {}, std::stop_token stop = {})
{
    const Result<LabResult> result = runLab(run, stop, progress);
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return *result;
}

inline std::vector<LabRow> tableOf(const LabResult& result, const std::string& table)
{
    std::vector<LabRow> rows;
    std::ranges::copy_if(result.rows, std::back_inserter(rows), [&](const LabRow& row) { return row.table == table; });
    return rows;
}

inline Choice choose(const std::string& text) { return *parseChoice(text, labs(), "lab"); }

/// That with its text, where one is given.
inline Choice choose(const QString& lab, const QString& text)
{
    Choice choice = choose(lab.toStdString());
    if (!text.isEmpty())
        choice.text = text.toStdString();
    return choice;
}

/// Empty where the choice is refused by a message that says this; otherwise what came.
inline QString notRefused(const Choice& choice, const QString& says)
{
    const Result<LabResult> result = runLab({.choice = choice});
    const QString message = result ? QStringLiteral("it ran") : QString::fromStdString(result.error().message);
    return !result && message.contains(says) ? QString() : message;
}

}  // namespace attnscope

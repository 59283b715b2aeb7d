#pragma once
// Short ways to run a lab in a test.

#include "core/labs/lab.h"

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

}  // namespace attnscope

#pragma once
// The tables of Find the scale. They show what core computed, a row a comparison, a head, a setting.

#include "core/tuning/tuning.h"

namespace attnscope {

class ValueTable;

ValueTable* comparisonTable();
ValueTable* headTable();
ValueTable* triedTable();

/// On the verdict's windows, in the report's order; none without a report.
void fillComparisons(ValueTable& table, const TuneReport* report);
/// Those first that gain most from more sharpness, where that is known; else those whose entropy asks for most.
void fillHeads(ValueTable& table, const TuneReport* report);
/// The best first.
void fillTried(ValueTable& table, const std::vector<TriedSetting>& tried, const TunedAt& at, int headSize);

}  // namespace attnscope

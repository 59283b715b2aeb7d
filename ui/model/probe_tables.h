#pragma once
// The cells of a probe as the rows of a table and as the readings of maps: the numbers of `attnscope probe`.

#include "core/document/look.h"
#include "core/model/probes.h"
#include "ui/model/probe_maps.h"

#include <QString>

#include <span>
#include <vector>

namespace attnscope {

class ValueTable;

/// What a policy of a probe is called.
struct ProbePolicy {
    QString method, position;  ///< plain
    int style = 0;             ///< of the method
    bool own = true;           ///< the positions are the model's own: in few words they go without saying
};

ValueTable* probeTable(ProbeTask task);
/// By length, then depth, then policy; `policies` are `methods` under one position scheme after another.
void fillProbe(ValueTable& table, ProbeTask task, std::span<const ProbeCell> cells,
               const std::vector<ProbePolicy>& policies, std::size_t methods);

/// A map a policy, coloured as the look asks (needleValue).
std::vector<NeedleMap> needleMaps(std::span<const ProbeCell> cells, const NeedleAxes& axes,
                                  const std::vector<ProbePolicy>& policies, std::size_t methods, const ProbeLook& look);

}  // namespace attnscope

#pragma once

#include "core/attention/engine.h"

#include <QLineF>

#include <vector>

namespace attnscope {

/// Where cells with a value border on cells without one: lines along the cells, in the matrix.
std::vector<QLineF> edgesOfMask(const PooledMap& map);

}  // namespace attnscope

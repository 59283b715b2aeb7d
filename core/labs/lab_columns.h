#pragma once
// What the columns of labs' tables are called where people read them, and in which unit. Files keep their own names and
// numbers: what is a share of one there is shown in per cent, in tables and in charts alike.

#include "core/labs/lab.h"

namespace attnscope {

struct LabColumn {
    std::string heading;        ///< "Loss (nats)"; empty: the column's own name is a word
    double times = 1;           ///< of what the files say
    bool isDifference = false;  ///< has its sign, above 0 too
};

/// Has the normaliser of "vanilla|adaptive" a temperature of its own for every row, so that there is no one multiplier?
bool scalesByRow(std::string_view method);

/// Of a lab that has no such table or column what its name says by itself.
LabColumn labColumn(std::string_view lab, std::string_view table, std::string_view column);

}  // namespace attnscope

#include "ui/plot/fonts.h"

namespace attnscope {

std::vector<Embedded> interFaces() { return {}; }

}  // namespace attnscope

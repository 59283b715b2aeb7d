#include "ui/plot/fonts.h"

namespace attnscope {

Embedded interRegular();  // made by attnscope_embed from the font's own files
Embedded interItalic();
Embedded interSemiBold();
Embedded interBold();
Embedded interBoldItalic();

std::vector<Embedded> interFaces()
{
    return {interRegular(), interItalic(), interSemiBold(), interBold(), interBoldItalic()};
}

}  // namespace attnscope

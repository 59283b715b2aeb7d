#pragma once
// Numbers and answers as one reads them: a number that was measured has the digits that its error leaves it, a length
// its thousands apart, and a large count three digits and what a thousand of them is called.

#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// As many decimals as the standard error has for two digits of its own: 98.672 with 0.14204 is "98.67". Without an
/// error above 0 four significant digits.
std::string formatMeasured(double value, double error);

/// 4 096, with thin spaces, as the axes have it.
std::string lengthInWords(double n);
/// "-10393.2" with the same spaces in its whole part.
std::string inThousands(std::string number);

/// An answer to be read at a glance: what it comes to, and what is known beside it, a line each.
struct ShortAnswer {
    std::string use;  ///< "At n = 2 048 use m = 1.31: the loss is 0.042 ± 0.005 nats lower"
    struct Fact {
        std::string about, said;  ///< "Windows of 512 = N", "no change is seen: 0.0001 nats, ..."
    };
    std::vector<Fact> facts = {};
};

/// "1.24 GB", "94.3 k"
std::string inUnits(double value, std::string_view unit = {});

}  // namespace attnscope

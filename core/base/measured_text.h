#pragma once
// Numbers and answers as one reads them: a number that was measured has the digits that its error leaves it, a length
// its thousands apart, and a large count three digits and what a thousand of them is called.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// As many decimals as the standard error has for two digits of its own: 98.672 with 0.14204 is "98.67". Without an
/// error above 0 four significant digits.
std::string formatMeasured(double value, double error);
/// "-0.0022 ± 0.0046": both with the decimals that give the error two digits; without one the value alone.
std::string formatWithError(double value, double error);
/// "0.012", and "<0.001" below: how far below says nothing.
std::string formatProbability(double p);

/// A number of a column, with its standard error, or with so many digits where it has none.
struct ColumnNumber {
    double value = 0, error = 0;
    int digits = 4;
};
/// What all numbers of a column have: the smallest error keeps two digits; of a column without errors the largest
/// number keeps its digits and the middle one three. One that is far smaller than the largest does not lengthen all of
/// them: at most two decimals more. Nothing where they are too small for decimals.
std::optional<int> decimalsOfColumn(std::span<const ColumnNumber> numbers);
/// With the decimals of its column. What they would leave no digit of has its power of ten: a p of 5e-7 is not 0.
std::string formatInColumn(const ColumnNumber& number, std::optional<int> decimals);
/// The same in a table, where numbers stand one below the other and none has other decimals: "<0.001" in place of 5e-7,
/// "-0.000" in place of -5e-7. A change has its sign: "+0.127", "+0.000".
std::string formatInTable(const ColumnNumber& number, std::optional<int> decimals, bool isChange = false);

/// 4 096, with thin spaces, as the axes have it.
std::string lengthInWords(double n);
/// "-10393.2" with the same spaces in its whole part.
std::string inThousands(std::string number);

/// An answer to be read at a glance: what it comes to, and what is known beside it, a line each.
struct ShortAnswer {
    std::string use;  ///< "At n = 2 048 use m = 1.31: on the 16 judged windows the loss is 0.042 nats lower"
    struct Fact {
        std::string about, said;  ///< "Windows of 512 = N", "no change is seen: 0.0001 nats, ..."
    };
    std::vector<Fact> facts = {};
};

/// "1.24 GB", "94.3 k"
std::string inUnits(double value, std::string_view unit = {});

}  // namespace attnscope

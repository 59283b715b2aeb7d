#pragma once
// A few colours for many pictures, by median cut (Heckbert 1982): the box of colours whose longest side is widest is
// cut where half of its pixels lie, until there are as many boxes as colours; a box becomes the mean of its pixels.

#include <QImage>

#include <array>
#include <cstdint>
#include <vector>

namespace attnscope {

class PaletteMaker {
public:
    PaletteMaker();
    /// Counts its pixels; their opacity is not looked at.
    void add(const QImage& picture);
    /// At most so many colours, of at most 256.
    std::vector<QRgb> palette(int most) const;

private:
    friend class PaletteIndex;
    static constexpr int bits = 5, side = 1 << bits;
    static int bin(QRgb colour);
    struct Bin {
        std::uint64_t count = 0, red = 0, green = 0, blue = 0;  ///< of its pixels, summed
    };
    std::vector<Bin> m_bins;
};

/// From a colour to the nearest of a palette.
class PaletteIndex {
public:
    explicit PaletteIndex(std::vector<QRgb> palette);
    std::uint8_t nearest(QRgb colour);

private:
    std::vector<QRgb> m_palette;
    std::vector<std::pair<QRgb, std::uint8_t>> m_known;  ///< the last colour asked for of each bin
};

}  // namespace attnscope

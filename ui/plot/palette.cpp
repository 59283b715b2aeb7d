#include "ui/plot/palette.h"

#include <algorithm>
#include <array>
#include <limits>

namespace attnscope {

namespace {

/// Bins [low, high] of red, green and blue.
struct ColourBox {
    std::array<int, 3> low, high;
    std::uint64_t count = 0;
};

}  // namespace

PaletteMaker::PaletteMaker() : m_bins(static_cast<std::size_t>(side * side * side)) {}

int PaletteMaker::bin(QRgb colour)
{
    constexpr int drop = 8 - bits;
    return ((qRed(colour) >> drop) * side + (qGreen(colour) >> drop)) * side + (qBlue(colour) >> drop);
}

void PaletteMaker::add(const QImage& picture)
{
    const QImage pixels = picture.convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < pixels.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(pixels.constScanLine(y));
        for (int x = 0; x < pixels.width(); ++x) {
            Bin& one = m_bins[static_cast<std::size_t>(bin(line[x]))];
            ++one.count;
            one.red += static_cast<std::uint64_t>(qRed(line[x]));
            one.green += static_cast<std::uint64_t>(qGreen(line[x]));
            one.blue += static_cast<std::uint64_t>(qBlue(line[x]));
        }
    }
}

std::vector<QRgb> PaletteMaker::palette(int most) const
{
    const auto at = [this](int r, int g, int b) -> const Bin& {
        return m_bins[static_cast<std::size_t>((r * side + g) * side + b)];
    };
    const auto each = [&](const ColourBox& box, const auto& visit) {
        for (int r = box.low[0]; r <= box.high[0]; ++r)
            for (int g = box.low[1]; g <= box.high[1]; ++g)
                for (int b = box.low[2]; b <= box.high[2]; ++b)
                    if (const Bin& one = at(r, g, b); one.count > 0)
                        visit(std::array{r, g, b}, one);
    };
    const auto shrunk = [&](const ColourBox& box) {
        ColourBox tight{{side, side, side}, {-1, -1, -1}, 0};
        each(box, [&](const std::array<int, 3>& place, const Bin& one) {
            tight.count += one.count;
            for (std::size_t k = 0; k < 3; ++k) {
                tight.low[k] = std::min(tight.low[k], place[k]);
                tight.high[k] = std::max(tight.high[k], place[k]);
            }
        });
        return tight;
    };
    const auto longest = [](const ColourBox& box) {
        std::size_t axis = 0;
        for (std::size_t k = 1; k < 3; ++k)
            if (box.high[k] - box.low[k] > box.high[axis] - box.low[axis])
                axis = k;
        return axis;
    };
    const auto width = [&](const ColourBox& box) { return box.high[longest(box)] - box.low[longest(box)]; };

    std::vector<ColourBox> boxes{shrunk({{0, 0, 0}, {side - 1, side - 1, side - 1}, 0})};
    if (boxes.front().count == 0)
        return {};
    while (static_cast<int>(boxes.size()) < most) {
        const auto widest = std::ranges::max_element(boxes, {}, width);
        if (width(*widest) == 0)
            break;  // every box is one bin
        const std::size_t axis = longest(*widest);
        std::vector<std::uint64_t> slices(side);
        each(*widest, [&](const std::array<int, 3>& place, const Bin& one) {
            slices[static_cast<std::size_t>(place[axis])] += one.count;
        });
        int cut = widest->low[axis];
        for (std::uint64_t before = slices[static_cast<std::size_t>(cut)];
             cut + 1 < widest->high[axis] && 2 * before < widest->count;)
            before += slices[static_cast<std::size_t>(++cut)];
        ColourBox lower = *widest, upper = *widest;
        lower.high[axis] = cut;
        upper.low[axis] = cut + 1;
        *widest = shrunk(lower);
        boxes.push_back(shrunk(upper));
    }
    std::vector<QRgb> colours;
    for (const ColourBox& box : boxes) {
        std::uint64_t red = 0, green = 0, blue = 0;
        each(box,
             [&](const std::array<int, 3>&, const Bin& one) { red += one.red, green += one.green, blue += one.blue; });
        const auto mean = [&](std::uint64_t sum) { return static_cast<int>((sum + box.count / 2) / box.count); };
        colours.push_back(qRgb(mean(red), mean(green), mean(blue)));
    }
    return colours;
}

PaletteIndex::PaletteIndex(std::vector<QRgb> palette)
    : m_palette(std::move(palette)),
      m_known(static_cast<std::size_t>(PaletteMaker::side * PaletteMaker::side * PaletteMaker::side))
{
}

std::uint8_t PaletteIndex::nearest(QRgb colour)
{
    colour |= 0xff000000;
    auto& [known, place] = m_known[static_cast<std::size_t>(PaletteMaker::bin(colour))];
    if (known == colour)  // which is opaque: what is there at first is not
        return place;
    known = colour;
    int least = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < m_palette.size(); ++i) {
        const int red = qRed(colour) - qRed(m_palette[i]), green = qGreen(colour) - qGreen(m_palette[i]),
                  blue = qBlue(colour) - qBlue(m_palette[i]);
        if (const int away = red * red + green * green + blue * blue; away < least) {
            least = away;
            place = static_cast<std::uint8_t>(i);
        }
    }
    return place;
}

}  // namespace attnscope

#include "ui/views/tile_places.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr int mostAir = 28;       // between tiles that have more room than they can use
constexpr int smallestMap = 104;  // of a strip that is worth its room

int share(int whole, int parts, int gap) { return (whole - (parts - 1) * gap) / parts; }

struct Cells {
    int columns = 1, rows = 1, side = -1, lines = 1;
};

/// Of `count` equal tiles in this room; a second line of a heading only where it makes no map smaller.
Cells cellsOf(QSize size, int count, int columns, const TileRoom& room)
{
    const int rows = (count + columns - 1) / columns;
    const int wide = share(size.width(), columns, room.gap) - room.around.width();
    const auto high = [&](int lines) {
        return share(size.height(), rows, room.gap) - room.around.height() - room.heading[lines - 1];
    };
    const bool two = wide + room.around.width() < room.usualHeading && high(2) >= wide;
    return {columns, rows, std::min(wide, high(two ? 2 : 1)), two ? 2 : 1};
}

/// The tiles' places in a rectangle, in reading order, with what is left of it evenly around them.
TilePlaces grid(const QRect& in, int count, const Cells& cells, const TileRoom& room)
{
    const int most = share(in.width(), cells.columns, room.gap);
    const QSize tile(std::min(most, std::max(cells.side + room.around.width() + room.strip, room.usualHeading)),
                     cells.side + room.around.height() + room.heading[cells.lines - 1]);
    const auto step = [&](int whole, int parts, int one) {
        return one + std::clamp((whole - parts * one) / (parts + 1), room.gap, mostAir);
    };
    const QSize steps(step(in.width(), cells.columns, tile.width()), step(in.height(), cells.rows, tile.height()));
    const QPoint left(std::max(0, in.width() - (cells.columns - 1) * steps.width() - tile.width()),
                      std::max(0, in.height() - (cells.rows - 1) * steps.height() - tile.height()));
    TilePlaces places;
    for (int i = 0; i < count; ++i)
        places.tiles.emplace_back(in.topLeft() + left / 2 +
                                      QPoint(i % cells.columns * steps.width(), i / cells.columns * steps.height()),
                                  tile);
    places.lines.assign(static_cast<std::size_t>(count), cells.lines);
    return places;
}

Cells largestCells(QSize size, int count, const TileRoom& room)
{
    Cells best;
    for (int columns = 1; columns <= count; ++columns)
        if (const Cells cells = cellsOf(size, count, columns, room); cells.side > best.side)
            best = cells;
    return best;
}

/// How much a strip of `count` tiles takes of the room: what the large map leaves, as far as that is worth it.
int stripOf(int left, int along, int across, int count, const QSize& around, int gap)
{
    const int fits = share(along, count, gap) - around.height();
    return std::max(smallestMap, std::min({left - gap - around.width(), fits, across / 3})) + around.width();
}

}  // namespace

TilePlaces placeTiles(QSize size, int count, int large, const TileRoom& room)
{
    if (count <= 0)
        return {};
    if (large < 0 || large >= count || count == 1)
        return grid(QRect({}, size), count, largestCells(size, count, room), room);
    TileRoom narrow = room;
    narrow.usualHeading = 0;  // a name is enough in the strip
    const QSize around = room.around + QSize(0, room.heading[0]);
    const auto sideIn = [&](QSize place) {
        return std::min(place.width() - around.width(), place.height() - around.height());
    };
    const QSize left = size - around - QSize(sideIn(size), sideIn(size));
    const int wide = stripOf(left.width(), size.height(), size.width(), count - 1, around, room.gap),
              high = stripOf(left.height(), size.width(), size.height(), count - 1, around.transposed(), room.gap);
    const QSize besides = size - QSize(wide + room.gap, 0), above = size - QSize(0, high + room.gap);
    const bool beside = sideIn(besides) >= sideIn(above);
    const QSize main = beside ? besides : above;
    const QRect strip = beside ? QRect(main.width() + room.gap, 0, wide, size.height())
                               : QRect(0, main.height() + room.gap, size.width(), high);
    TilePlaces one = grid(QRect({}, main), 1, {1, 1, sideIn(main), 1}, room);
    TilePlaces others = grid(strip, count - 1, largestCells(strip.size(), count - 1, narrow), narrow);
    others.tiles.insert(others.tiles.begin() + large, one.tiles.front());
    others.lines.insert(others.lines.begin() + large, 1);
    return others;
}

}  // namespace attnscope

#pragma once
// Where the maps of a panel stand: all of one size in as many columns as make them largest, or one of them large with
// the others as a strip beside or below it. A tile is a square map with a heading above it and axes around it.

#include <QRect>

#include <vector>

namespace attnscope {

struct TileRoom {
    QSize around;          ///< of the map, at least
    int strip = 0;         ///< a tile may be wider by so much, for its strip of entropies
    int heading[2] = {};   ///< height of one in one line, and in two
    int usualHeading = 0;  ///< width of one in one line
    int gap = 0;           ///< between tiles, at least
};

struct TilePlaces {
    std::vector<QRect> tiles;
    std::vector<int> lines;  ///< of their headings
};

/// `large`: the tile that is; -1: all are alike.
TilePlaces placeTiles(QSize size, int count, int large, const TileRoom& room);

}  // namespace attnscope

#include "ui/figure/isometry.h"

#include <algorithm>
#include <numbers>
#include <queue>

namespace attnscope {

namespace {

/// A box, or a slice of one between two heights.
struct Piece {
    std::size_t step = 0;
    LabPackings::Box box;
    bool isBottom = true, isTop = true;  ///< has it the box's?
};

/// Must a be drawn before b? Where one is behind the other along one axis and before it along another, neither hides
/// the other: in this projection they lie side by side.
bool isBehind(const LabPackings::Box& a, const LabPackings::Box& b)
{
    bool behind = false, before = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        behind = behind || a.at[axis] + a.sides[axis] <= b.at[axis];
        before = before || b.at[axis] + b.sides[axis] <= a.at[axis];
    }
    return behind && !before;
}

void cutAt(int height, const std::vector<Piece>& pieces, std::vector<Piece>& below, std::vector<Piece>& above)
{
    for (const Piece& piece : pieces) {
        const int bottom = piece.box.at[2], top = bottom + piece.box.sides[2];
        if (bottom >= height || top <= height) {
            (bottom >= height ? above : below).push_back(piece);
            continue;
        }
        Piece lower = piece, upper = piece;
        lower.box.sides[2] = height - bottom;
        lower.isTop = false;
        upper.box.at[2] = height;
        upper.box.sides[2] = top - height;
        upper.isBottom = false;
        below.push_back(lower);
        above.push_back(upper);
    }
}

/// Pieces, those behind first; of those that may come next the first put. Three boxes and more can hide one another in
/// a circle. What is left is cut then at the lowest of its tops: what is below comes first, and as all of it has that
/// height in common it is ordered as rectangles of a plane are, in which no circle is possible; and then what is above.
void appendInOrder(const std::vector<Piece>& pieces, std::vector<Piece>& order)
{
    std::vector<int> behind(pieces.size(), 0);  // how many must be drawn before
    std::vector<std::vector<std::size_t>> after(pieces.size());
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> next;
    for (std::size_t a = 0; a < pieces.size(); ++a)
        for (std::size_t b = 0; b < pieces.size(); ++b)
            if (a != b && isBehind(pieces[a].box, pieces[b].box)) {
                ++behind[b];
                after[a].push_back(b);
            }
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (behind[i] == 0)
            next.push(i);
    std::vector<bool> drawn(pieces.size(), false);
    while (!next.empty()) {
        const std::size_t piece = next.top();
        next.pop();
        drawn[piece] = true;
        order.push_back(pieces[piece]);
        for (const std::size_t other : after[piece])
            if (--behind[other] == 0)
                next.push(other);
    }
    std::vector<Piece> left, below, above;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (!drawn[i])
            left.push_back(pieces[i]);
    if (left.empty())
        return;
    int lowest = left.front().box.at[2] + left.front().box.sides[2];
    for (const Piece& piece : left)
        lowest = std::min(lowest, piece.box.at[2] + piece.box.sides[2]);
    cutAt(lowest, left, below, above);
    appendInOrder(below, order);
    appendInOrder(above, order);
}

}  // namespace

std::array<double, 2> isometric(double x, double y, double z)
{
    return {(x - y) * std::numbers::sqrt3 / 2, z - (x + y) / 2};
}

std::vector<IsometricFace> isometricFaces(std::span<const LabPackings::Box> boxes)
{
    std::vector<Piece> pieces, order;
    for (std::size_t step = 0; step < boxes.size(); ++step)
        pieces.push_back({step, boxes[step]});
    appendInOrder(pieces, order);
    std::vector<IsometricFace> faces;
    for (const auto& [step, box, isBottom, isTop] : order) {
        const double x0 = box.at[0], y0 = box.at[1], z0 = box.at[2], x1 = x0 + box.sides[0], y1 = y0 + box.sides[1],
                     z1 = z0 + box.sides[2];
        if (isTop)
            faces.push_back(
                {IsometricFace::Side::Top,
                 step,
                 {isometric(x0, y0, z1), isometric(x1, y0, z1), isometric(x1, y1, z1), isometric(x0, y1, z1)},
                 {true, true, true, true}});
        faces.push_back({IsometricFace::Side::Right,
                         step,
                         {isometric(x1, y0, z0), isometric(x1, y1, z0), isometric(x1, y1, z1), isometric(x1, y0, z1)},
                         {isBottom, true, isTop, true}});
        faces.push_back({IsometricFace::Side::Left,
                         step,
                         {isometric(x0, y1, z0), isometric(x1, y1, z0), isometric(x1, y1, z1), isometric(x0, y1, z1)},
                         {isBottom, true, isTop, true}});
    }
    return faces;
}

}  // namespace attnscope

#pragma once
// What the mouse points at, shared by all views: a query row, a key, a method, a number of keys. Hovering in one view
// moves it, and every view marks it in its own way: a row of a map is a length on a curve, a length of a curve a corner
// of the maps.

#include <QObject>

#include <cstdint>

namespace attnscope {

/// A press that moves no farther, in device-independent pixels, is a click; beyond it a drag.
inline constexpr double clickReach = 4;

struct Pointed {
    std::int64_t row = -1;  ///< query, or -1
    std::int64_t key = -1;  ///< without a row: of the chosen row
    int method = -1;        ///< position in the ticked list; -1: of the view that is hovered
    double length = -1;     ///< number of keys, or -1
    bool operator==(const Pointed&) const = default;
};

class Pointer : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    const Pointed& at() const { return m_at; }
    void point(Pointed at)
    {
        if (at == m_at)
            return;
        m_at = at;
        emit moved(m_at);
    }
    void leave() { point({}); }

signals:
    void moved(const attnscope::Pointed& at);

private:
    Pointed m_at;
};

}  // namespace attnscope

#pragma once
// Memory that looks at a file. Where the file is cut while somebody reads that memory, the system sends SIGBUS, which
// ends a program. Under this guard what is gone reads as zeros instead, and the range is marked, so that whoever read
// it can say so and throw the result away.

#include <cstddef>

namespace attnscope {

struct GuardedSlot;

class BusGuard {
public:
    /// The range must stay mapped, and be nobody else's, for as long as this lives.
    BusGuard(const std::byte* begin, std::size_t size);
    ~BusGuard();
    BusGuard(const BusGuard&) = delete;
    BusGuard& operator=(const BusGuard&) = delete;

    /// Was anything of it gone when it was read?
    bool damaged() const;

private:
    GuardedSlot* m_slot;
};

}  // namespace attnscope

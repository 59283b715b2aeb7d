#pragma once
// Values that are remembered by their keys. All memos of the program share one bound in bytes: beyond it, whatever was
// used longest ago is forgotten, in whichever memo it is. Any number of threads.

#include "core/base/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace attnscope {

class MemoBase {
public:
    MemoBase(const MemoBase&) = delete;
    MemoBase& operator=(const MemoBase&) = delete;

    /// Bytes of all memos together, keys included.
    static std::size_t remembered();
    /// The bound; at first an eighth of the machine's memory, from 256 MB to 2 GB. The value that came last stays
    /// whatever its size.
    static void rememberAtMost(std::size_t bytes);

protected:
    MemoBase();
    ~MemoBase();

    struct Bookkeeping {
        std::size_t bytes = 0;
        std::uint64_t used = 0;  ///< rises with every use of any value
    };
    using Dropped = std::vector<std::shared_ptr<const void>>;  ///< destroyed after the lock is given back

    /// Held by whoever looks at the items of any memo.
    static std::mutex& mutex();
    static std::uint64_t now();
    static void changed(std::ptrdiff_t bytes);
    /// Forgets values of any memo until the bound is kept.
    static void makeRoom(Dropped& dropped);

    /// The value that was used longest ago; null: there is none.
    virtual const Bookkeeping* oldest() const = 0;
    virtual std::shared_ptr<const void> dropOldest() = 0;
};

/// A type of the library alone, for which argument-dependent look-up would find nothing further down.
inline std::size_t bytesOf(const std::optional<double>& number) { return sizeof number; }

/// The last few values of one stage; Key says all that they depend on. bytesOf(const Value&) says how large one is.
template <class Value, class Key>
class Memo final : MemoBase {
public:
    explicit Memo(std::size_t capacity) : m_capacity(capacity) {}
    ~Memo() { clear(); }

    std::shared_ptr<const Value> find(const Key& key)
    {
        const std::scoped_lock lock(mutex());
        const auto found =
            std::find_if(m_items.begin(), m_items.end(), [&](const Item& item) { return item.key == key; });
        if (found == m_items.end())
            return nullptr;
        found->used = now();
        std::rotate(m_items.begin(), found, found + 1);  // the last used first
        return m_items.front().value;
    }

    std::shared_ptr<const Value> keep(Key key, Value value)
    {
        return keep(std::move(key), std::make_shared<const Value>(std::move(value)));
    }

    std::shared_ptr<const Value> keep(Key key, std::shared_ptr<const Value> value)
    {
        Dropped dropped;
        const std::scoped_lock lock(mutex());
        const std::size_t bytes = sizeof(Item) + bytesOf(*value);
        m_items.push_front({{bytes, now()}, std::move(key), value});
        changed(static_cast<std::ptrdiff_t>(bytes));
        if (m_items.size() > m_capacity)
            dropped.push_back(dropOldest());
        makeRoom(dropped);
        return value;
    }

    /// The remembered value, or what `compute` returns, which is kept unless it is an error.
    template <class Compute>
    Result<std::shared_ptr<const Value>> get(const Key& key, Compute compute)
    {
        if (auto known = find(key))
            return known;
        Value made = TRY(compute());
        return keep(key, std::move(made));
    }

    void clear()
    {
        Dropped dropped;
        const std::scoped_lock lock(mutex());
        while (!m_items.empty())
            dropped.push_back(dropOldest());
    }

private:
    struct Item : Bookkeeping {
        Key key;
        std::shared_ptr<const Value> value;
    };

    const Bookkeeping* oldest() const override { return m_items.empty() ? nullptr : &m_items.back(); }
    std::shared_ptr<const void> dropOldest() override
    {
        std::shared_ptr<const void> value = std::move(m_items.back().value);
        changed(-static_cast<std::ptrdiff_t>(m_items.back().bytes));
        m_items.pop_back();
        return value;
    }

    std::size_t m_capacity;
    std::deque<Item> m_items;
};

}  // namespace attnscope

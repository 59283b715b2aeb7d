#include "core/analysis/memo.h"

#include <unistd.h>

namespace attnscope {

namespace {

struct Registry {
    std::mutex mutex;
    std::vector<MemoBase*> memos;
    std::size_t bytes = 0, most = 0;
    std::uint64_t clock = 0;

    Registry()
    {
        const double memory =
            static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
        most = static_cast<std::size_t>(std::clamp(memory / 8, 256e6, 2e9));
    }
};

Registry& registry()
{
    static Registry all;
    return all;
}

}  // namespace

MemoBase::MemoBase()
{
    const std::scoped_lock lock(mutex());
    registry().memos.push_back(this);
}

MemoBase::~MemoBase()
{
    const std::scoped_lock lock(mutex());
    std::erase(registry().memos, this);
}

std::size_t MemoBase::remembered()
{
    const std::scoped_lock lock(mutex());
    return registry().bytes;
}

void MemoBase::rememberAtMost(std::size_t bytes)
{
    Dropped dropped;
    const std::scoped_lock lock(mutex());
    registry().most = bytes;
    makeRoom(dropped);
}

std::mutex& MemoBase::mutex() { return registry().mutex; }

std::uint64_t MemoBase::now() { return ++registry().clock; }

void MemoBase::changed(std::ptrdiff_t bytes) { registry().bytes += static_cast<std::size_t>(bytes); }

void MemoBase::makeRoom(Dropped& dropped)
{
    while (registry().bytes > registry().most) {
        MemoBase* longestAgo = nullptr;
        for (MemoBase* memo : registry().memos)
            if (const Bookkeeping* item = memo->oldest();
                item && item->used < registry().clock && (!longestAgo || item->used < longestAgo->oldest()->used))
                longestAgo = memo;
        if (!longestAgo)
            return;
        dropped.push_back(longestAgo->dropOldest());
    }
}

}  // namespace attnscope

#include "core/tensor/bus_guard.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

#include <sys/mman.h>
#include <unistd.h>

namespace attnscope {

/// Slots make a list that only grows, so that the handler can walk it at any time; those of guards that are gone are
/// taken again.
struct GuardedSlot {
    std::atomic<std::uintptr_t> begin = 0, end = 0;  ///< begin 0: free
    std::atomic<bool> damaged = false;
    GuardedSlot* next = nullptr;
};

namespace {

std::atomic<GuardedSlot*> firstSlot = nullptr;
std::mutex claiming;
struct sigaction before;
std::uintptr_t pageSize;

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// Zeros from the page on to the end of the guarded range that holds it; false: it is in none.
bool replaceLostPages(std::uintptr_t address)
{
    for (GuardedSlot* slot = firstSlot.load(); slot; slot = slot->next) {
        const std::uintptr_t begin = slot->begin.load(), end = slot->end.load();
        if (begin == 0 || address < begin || address >= end)
            continue;
        slot->damaged = true;
        const std::uintptr_t page = address / pageSize * pageSize;
        return ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                      0) != MAP_FAILED;
    }
    return false;
}

/// Calls nothing that a signal handler must not call. What is not ours goes where it went before.
void onBusError(int, siginfo_t* info, void*)
{
    const int number = errno;
    const bool replaced = replaceLostPages(reinterpret_cast<std::uintptr_t>(info->si_addr));
    errno = number;
    if (!replaced)
        ::sigaction(SIGBUS, &before, nullptr);  // the access is tried again, and goes there
}

bool installHandler()
{
    pageSize = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = onBusError;
    action.sa_flags = SA_SIGINFO;
    ::sigemptyset(&action.sa_mask);
    return ::sigaction(SIGBUS, &action, &before) == 0;
}

}  // namespace

BusGuard::BusGuard(const std::byte* begin, std::size_t size)
{
    const std::lock_guard lock(claiming);
    [[maybe_unused]] static const bool installed = installHandler();
    m_slot = firstSlot;
    while (m_slot && m_slot->begin != 0)
        m_slot = m_slot->next;
    if (!m_slot) {
        m_slot = new GuardedSlot;
        m_slot->next = firstSlot;
        firstSlot = m_slot;
    }
    m_slot->damaged = false;
    m_slot->end = reinterpret_cast<std::uintptr_t>(begin) + size;
    m_slot->begin = reinterpret_cast<std::uintptr_t>(begin);
}

BusGuard::~BusGuard()
{
    const std::lock_guard lock(claiming);
    m_slot->begin = 0;
}

bool BusGuard::damaged() const { return m_slot->damaged; }

}  // namespace attnscope

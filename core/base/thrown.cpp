#include "core/base/thrown.h"

#if !defined(__SANITIZE_THREAD__)
#include <tbb/task_arena.h>
#endif

#include <new>
#include <stdexcept>
#include <system_error>

namespace attnscope {

namespace {

constexpr const char* noMemory = "there is not enough memory for this; ask for less (smaller n, fewer heads, a smaller "
                                 "picture), or end other programs";
constexpr const char* noThread =
    "no further thread can be started: the memory or the threads that this program may have are used up; "
    "ask for less, or raise the limit (ulimit -v, ulimit -u)";

}  // namespace

const char* exhaustion() noexcept
try {
    throw;
} catch (const std::bad_alloc&) {
    return noMemory;
} catch (const std::length_error&) {  // a container that would be larger than any memory
    return noMemory;
} catch (const std::system_error& error) {
    return error.code() == std::errc::resource_unavailable_try_again ? noThread : nullptr;
} catch (const std::exception& error) {  // oneTBB knows no type for it
    return std::strstr(error.what(), "pthread_create") ? noThread : nullptr;
} catch (...) {
    return nullptr;
}

void prepareForExhaustion()
{
#if !defined(__SANITIZE_THREAD__)               // parallel.h
    constexpr std::size_t enough = 16 << 20;    // bytes: it takes 4 to 7 MiB of them
    ::operator delete(::operator new(enough));  // throws where there are not
    tbb::task_arena(1).initialize();
#endif
}

Error thrownError()
try {
    if (const char* why = exhaustion())
        return {ErrorKind::Unavailable, why};
    throw;
} catch (const std::exception& error) {
    return {ErrorKind::Unavailable, error.what()};
} catch (...) {
    return {ErrorKind::Unavailable, "something unknown went wrong; please report what led to it"};
}

}  // namespace attnscope

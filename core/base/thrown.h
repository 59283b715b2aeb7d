#pragma once
// This program's own faults are values (error.h). What libraries and the machine throw, mostly that there is no memory
// or no thread left, becomes one where a command, a job of the window or a thread begins.

#include "core/base/error.h"

#include <utility>

namespace attnscope {

/// The exception that is being handled, as an Error; only inside a catch.
Error thrownError();

/// What to say where the exception that is being handled means that the machine has no more to give: one line, for
/// which no memory is needed. Null: it is another.
const char* exhaustion() noexcept;

/// Where a program begins, while there is memory. With its first work oneTBB makes what all threads share, under a lock
/// that it takes again to report that memory ended there (2022.1, Debian 13's): it would wait for itself for ever.
void prepareForExhaustion();

/// What body() returns, a Result, or what it throws.
template <class Body>
auto caught(const Body& body) -> decltype(body())
try {
    return body();
} catch (...) {
    return tl::unexpected<Error>(thrownError());
}

}  // namespace attnscope

#pragma once
// Errors are values. A function that can fail on the user's input returns Result<T>; the message names what was wrong
// (file, tensor, field, column) and what to do next, in one line, without a final full stop.

#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include <fmt/core.h>
#include <tl/expected.hpp>

namespace attnscope {

enum class ErrorKind {
    InvalidArgument,  ///< a value out of range, a malformed METHOD or LIST
    UnknownName,      ///< an id that no registry has
    Undefined,        ///< the quantity does not exist for these arguments (no scale reaches it)
    Cancelled,        ///< stopped by its stop_token; never shown to anyone
    Unavailable,      ///< an engine that this machine cannot run
    // files
    NotFound,
    NotReadable,
    NotRegularFile,
    NotWritable,
    UnknownFormat,
    HeaderTooSmall,
    HeaderTooLarge,
    InvalidHeaderLength,
    InvalidHeader,
    InvalidOffset,
    TensorInvalid,
    BadHeader,
    BadShape,
    UnsupportedDtype,
    Truncated,
    TrailingData,
    ArchiveLimit,
    BadArchive,
    BadName,
    DataError,
};

struct Error {
    ErrorKind kind = ErrorKind::InvalidArgument;
    std::string message;
    bool operator==(const Error&) const = default;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(ErrorKind kind, std::string message)
{
    return tl::unexpected<Error>(Error{kind, std::move(message)});
}

/// failure(ErrorKind::DataError, "{} holds {} tensors", path, count): the message by fmt::format.
template <class First, class... Rest>
tl::unexpected<Error> failure(ErrorKind kind, fmt::format_string<First, Rest...> message, First&& first, Rest&&... rest)
{
    return failure(kind, fmt::format(message, std::forward<First>(first), std::forward<Rest>(rest)...));
}

/// Of what was stopped.
inline tl::unexpected<Error> stopped() { return failure(ErrorKind::Cancelled, "stopped"); }

/// Errors: Cancelled, once it is asked to stop.
inline Result<void> unlessStopped(const std::stop_token& stop)
{
    if (stop.stop_requested())
        return stopped();
    return {};
}

/// Nothing where the quantity does not exist for these arguments, which is no error.
template <class T>
Result<std::optional<T>> ifDefined(Result<T> result)
{
    if (!result && result.error().kind == ErrorKind::Undefined)
        return std::nullopt;
    return std::move(result).map([](T&& value) { return std::optional<T>(std::move(value)); });
}

/// What TRY leaves of a Result that has a value.
template <class T>
T valueOf(Result<T>&& result)
{
    return *std::move(result);
}
inline void valueOf(Result<void>&&) {}

}  // namespace attnscope

/// The value of an expression of type Result; where there is none, the function returns its error:
///     const TensorFile file = TRY(TensorFile::open(path));
///     TRY(checkShape(file));
/// A statement expression, which GCC and Clang have and the standard has not. Not where the value is to be moved out of
/// something that stays.
#define TRY(...) TRY_AS(TRY_NAME(tried, __COUNTER__), __VA_ARGS__)
#define TRY_AS(tried, ...)                                                                                             \
    __extension__({                                                                                                    \
        auto tried = (__VA_ARGS__);                                                                                    \
        if (!tried)                                                                                                    \
            return ::tl::unexpected<::attnscope::Error>(std::move(tried).error());                                     \
        ::attnscope::valueOf(std::move(tried));                                                                        \
    })
#define TRY_NAME(name, count) TRY_JOINED(name, count)
#define TRY_JOINED(name, count) name##count

#pragma once
// Errors are values. A function that can fail on the user's input returns Result<T>; the message names what was wrong
// (file, tensor, field, column) and what to do next, in one line, without a final full stop.

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace attnscope {

enum class ErrorKind {
    InvalidArgument,   ///< a value out of range, a malformed METHOD or LIST
    UnknownName,       ///< an id that no registry has
    Undefined,         ///< the quantity does not exist for these arguments (no scale reaches it)
    Cancelled,         ///< stopped by its stop_token; never shown to anyone
    Unavailable,       ///< an engine that this machine cannot run
    // files
    NotFound, NotReadable, NotRegularFile, NotWritable, UnknownFormat,
    HeaderTooSmall, HeaderTooLarge, InvalidHeaderLength, InvalidHeader, InvalidOffset, TensorInvalid,
    BadHeader, BadShape, UnsupportedDtype, Truncated, TrailingData,
    ArchiveLimit, BadArchive, BadName, DataError,
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

}  // namespace attnscope

#pragma once
// A number that tells whether bytes are still what they were: FNV-1a of 64 bits (Fowler, Noll & Vo). It finds damage;
// it keeps nobody out.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace attnscope {

inline constexpr std::uint64_t fingerprintOfNothing = 14695981039346656037ULL;

/// Of what came before and these bytes.
inline std::uint64_t fingerprint(std::span<const std::byte> bytes, std::uint64_t before = fingerprintOfNothing)
{
    for (const std::byte byte : bytes)
        before = (before ^ static_cast<std::uint64_t>(byte)) * 1099511628211ULL;
    return before;
}

inline std::uint64_t fingerprint(std::string_view text, std::uint64_t before = fingerprintOfNothing)
{
    return fingerprint(std::as_bytes(std::span(text)), before);
}

}  // namespace attnscope

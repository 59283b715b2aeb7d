#pragma once
// Builds small files of tensors byte by byte, right or wrong in exactly one place.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace build {

inline std::string little(std::uint64_t value, std::size_t bytes)
{
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
}

/// The elements' bytes: floats({1, 2}) is 8 of them.
inline std::string floats(const std::vector<float>& values)
{
    std::string text;
    for (const float value : values)
        text += little(std::bit_cast<std::uint32_t>(value), 4);
    return text;
}
inline std::string doubles(const std::vector<double>& values)
{
    std::string text;
    for (const double value : values)
        text += little(std::bit_cast<std::uint64_t>(value), 8);
    return text;
}

/// 0, 1, 2, ...: an element tells its place.
inline std::string counting(std::size_t count)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += little(std::bit_cast<std::uint32_t>(static_cast<float>(i)), 4);
    return text;
}

inline std::string safetensors(std::string_view header, std::string_view data = {})
{
    return little(header.size(), 8).append(header).append(data);
}

/// `"name":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}`
inline std::string field(const std::string& name, const std::string& dtype, const std::string& shape,
                         const std::string& offsets)
{
    return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

inline std::string ggufKey(const std::string& key) { return little(key.size(), 8) + key; }
inline std::string ggufText(const std::string& key, const std::string& text)
{
    return ggufKey(key) + little(8, 4) + little(text.size(), 8) + text;
}
inline std::string ggufNumber(const std::string& key, std::uint32_t number)
{
    return ggufKey(key) + little(4, 4) + little(number, 4);
}

struct GgufTensor {
    std::string name;
    std::vector<std::uint64_t> extents;  ///< the fastest first
    std::uint32_t type = 0;
    std::uint64_t offset = 0;
};

/// The counts are those of what there is, or what is said instead.
struct Gguf {
    std::uint32_t version = 3;
    std::vector<std::string> values = {};
    std::vector<GgufTensor> tensors = {};
    std::string data = {};
    std::uint64_t alignment = 32;
    std::uint64_t tensorCount = ~std::uint64_t{1}, valueCount = ~std::uint64_t{1};
};

inline std::string gguf(const Gguf& file)
{
    constexpr std::uint64_t asThereAre = ~std::uint64_t{1};
    std::string text = "GGUF" + little(file.version, 4) +
                       little(file.tensorCount == asThereAre ? file.tensors.size() : file.tensorCount, 8) +
                       little(file.valueCount == asThereAre ? file.values.size() : file.valueCount, 8);
    for (const std::string& value : file.values)
        text += value;
    for (const GgufTensor& tensor : file.tensors) {
        text += ggufKey(tensor.name) + little(tensor.extents.size(), 4);
        for (const std::uint64_t extent : tensor.extents)
            text += little(extent, 8);
        text += little(tensor.type, 4) + little(tensor.offset, 8);
    }
    text.resize((text.size() + file.alignment - 1) / file.alignment * file.alignment, '\0');
    return text + file.data;
}

inline std::string npyDict(const std::string& descr, const std::string& shape, const std::string& fortran = "False")
{
    return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

inline std::string npy(std::string_view dict, std::string_view data = {}, int major = 1, int minor = 0)
{
    std::string text = "\x93NUMPY";
    text += static_cast<char>(major);
    text += static_cast<char>(minor);
    return text.append(little(dict.size(), major == 1 ? 2 : 4)).append(dict).append(data);
}

inline std::uint32_t crc32(std::string_view bytes)
{
    std::uint32_t crc = ~0U;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
    }
    return ~crc;
}

/// What the archive says of an entry may differ from what it holds.
struct ZipEntry {
    std::string name, content;
    bool deflate = false;  ///< as blocks that are not compressed
    int method = -1;       ///< -1: as it is
    int flags = 0;
    std::int64_t declared = -1;  ///< inflated size; -1: as it is
    std::int64_t packed = -1;    ///< packed size; -1: as it is
    std::int64_t crc = -1;
    std::int64_t sharedWith = -1;  ///< the entry whose bytes it points at
};

inline std::string deflated(std::string_view content)
{
    std::string text;
    for (std::size_t at = 0; at == 0 || at < content.size(); at += 65535) {
        const std::string_view block = content.substr(at, 65535);
        text += at + 65535 >= content.size() ? '\1' : '\0';
        text += little(block.size(), 2) + little(~block.size() & 0xffff, 2);
        text += block;
    }
    return text;
}

inline std::string zip(const std::vector<ZipEntry>& entries)
{
    std::string body, directory;
    std::vector<std::size_t> begins;
    for (const ZipEntry& entry : entries) {
        const std::string packed = entry.deflate ? deflated(entry.content) : entry.content;
        const auto pick = [](std::int64_t said, std::size_t real) {
            return said < 0 ? static_cast<std::uint64_t>(real) : static_cast<std::uint64_t>(said);
        };
        const int method = entry.method >= 0 ? entry.method : entry.deflate ? 8 : 0;
        const std::string shared =
            little(20, 2) + little(static_cast<std::uint64_t>(entry.flags), 2) +
            little(static_cast<std::uint64_t>(method), 2) + little(0x21, 4).substr(0, 4) +
            little(pick(entry.crc, crc32(entry.content)), 4) + little(pick(entry.packed, packed.size()), 4) +
            little(pick(entry.declared, entry.content.size()), 4) + little(entry.name.size(), 2) + little(0, 2);
        const std::size_t begin =
            entry.sharedWith >= 0 ? begins[static_cast<std::size_t>(entry.sharedWith)] : body.size();
        begins.push_back(begin);
        if (entry.sharedWith < 0)
            body += "PK\3\4" + shared + entry.name + packed;
        directory += "PK\1\2" + little(20, 2) + shared + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) +
                     little(begin, 4) + entry.name;
    }
    return body + directory + "PK\5\6" + little(0, 4) + little(entries.size(), 2) + little(entries.size(), 2) +
           little(directory.size(), 4) + little(body.size(), 4) + little(0, 2);
}

inline std::vector<std::byte> bytes(std::string_view text)
{
    std::vector<std::byte> out(text.size());
    if (!text.empty())
        std::memcpy(out.data(), text.data(), text.size());
    return out;
}

}  // namespace build

#include "core/model/word_encoding.h"

#include "core/base/text.h"
#include "core/tensor/byte_source.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

namespace attnscope {

namespace {

std::string byteToken(int byte)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "<0x%02X>", static_cast<unsigned>(byte));
    return text.data();
}

}  // namespace

Result<void> WordEncoding::readIds(const nlohmann::json* vocabulary, const std::string& path)
{
    if (!vocabulary || !vocabulary->is_object())
        return failure(ErrorKind::InvalidArgument, path + " must have an object vocab");
    m_ids.reserve(vocabulary->size());
    for (const auto& [token, id] : vocabulary->items()) {
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() > largestTokenId)
            return failure(ErrorKind::InvalidArgument, "{}.vocab: the id of {} must be a whole number up to {}", path,
                           inQuotes(token), largestTokenId);
        m_ids.emplace(token, id.get<int>());
    }
    return {};
}

void WordEncoding::findBytes()
{
    m_bytes.clear();
    for (int byte = 0; byte < 256; ++byte)
        m_bytes.push_back(idOf(byteToken(byte)).value_or(-1));
}

bool WordEncoding::appendBytes(std::string_view text, std::vector<int>& ids) const
{
    const auto idOfByte = [&](char byte) { return m_bytes[static_cast<unsigned char>(byte)]; };
    if (m_bytes.empty() || std::any_of(text.begin(), text.end(), [&](char byte) { return idOfByte(byte) < 0; }))
        return false;
    std::transform(text.begin(), text.end(), std::back_inserter(ids), idOfByte);
    return true;
}

}  // namespace attnscope

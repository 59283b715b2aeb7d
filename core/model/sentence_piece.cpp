// tokenizer.model, by libsentencepiece (Kudo & Richardson 2018) where the program was built with it.

#include "core/model/text_pieces.h"
#include "core/model/tokenizer.h"

#include "core/tensor/byte_source.h"

#ifdef ATTNSCOPE_SENTENCEPIECE
#include <sentencepiece_processor.h>
#endif

namespace attnscope {

#ifdef ATTNSCOPE_SENTENCEPIECE

namespace {

constexpr std::uint64_t longestPieces = 64 << 20;

class PieceTokenizer final : public Tokenizer {
public:
    Result<void> load(const std::string& path)
    {
        return readText(path, longestPieces).and_then([&](const std::string& bytes) -> Result<void> {
            if (const auto status = m_pieces.LoadFromSerializedProto(bytes); !status.ok())
                return failure(ErrorKind::NotReadable,
                               path + ": libsentencepiece cannot read it (" + std::string(status.message()) + ")");
            return {};
        });
    }
    Result<std::vector<int>> encode(std::string_view text) const override
    {
        if (!isUtf8(text))
            return failure(ErrorKind::InvalidArgument, "the text is no UTF-8; convert it first");
        std::vector<int> ids;
        if (const auto status = m_pieces.Encode({text.data(), text.size()}, &ids); !status.ok())
            return failure(ErrorKind::InvalidArgument,
                           "libsentencepiece cannot encode the text (" + std::string(status.message()) + ")");
        return ids;
    }
    std::string decode(std::span<const int> ids) const override
    {
        std::vector<int> known;
        for (const int id : ids)
            if (id >= 0 && id < m_pieces.GetPieceSize())
                known.push_back(id);
        std::string text;
        const auto status = m_pieces.Decode(known, &text);
        return status.ok() ? repaired(text) : std::string();
    }
    std::string describe() const override
    {
        return "SentencePiece, " + std::to_string(m_pieces.GetPieceSize()) + " tokens";
    }

private:
    sentencepiece::SentencePieceProcessor m_pieces;
};

}  // namespace

Result<std::shared_ptr<const Tokenizer>> openSentencePiece(const std::string& path)
{
    const auto tokenizer = std::make_shared<PieceTokenizer>();
    return tokenizer->load(path).map([&] { return std::shared_ptr<const Tokenizer>(tokenizer); });
}

#else

Result<std::shared_ptr<const Tokenizer>> openSentencePiece(const std::string& path)
{
    return failure(ErrorKind::Unavailable, path + ": this build has no libsentencepiece; install libsentencepiece-dev "
                                                  "and configure again, or give token ids");
}

#endif

}  // namespace attnscope

// tokenizer.model, by libsentencepiece (Kudo & Richardson 2018) where the program was built with it.

#include "core/model/tokenizer_files.h"
#include "core/model/unicode_text.h"
#include "core/tensor/byte_source.h"

#include <filesystem>

#ifdef ATTNSCOPE_SENTENCEPIECE
#include <sentencepiece_processor.h>
#endif

namespace attnscope {

#ifdef ATTNSCOPE_SENTENCEPIECE

namespace {

constexpr std::uint64_t longestPieces = 64 << 20;

class PieceTokenizer final : public Tokenizer {
public:
    Result<void> load(const std::string& folder)
    {
        const std::string path = (std::filesystem::path(folder) / "tokenizer.model").string(),
                          bytes = TRY(readText(path, longestPieces));
        if (const auto status = m_pieces.LoadFromSerializedProto(bytes); !status.ok())
            return failure(ErrorKind::NotReadable, "{}: libsentencepiece cannot read it ({})", path, status.message());
        const auto idOf = [&](const std::string& piece) {
            const int id = m_pieces.PieceToId(piece);
            return m_pieces.IsUnknown(id) && m_pieces.IdToPiece(id) != piece ? std::nullopt : std::optional(id);
        };
        m_added = TRY(AddedTokens::make(
            TRY(addedBeside(folder, idOf, {})), [](std::string text) { return Result<std::string>(std::move(text)); },
            folder));
        return {};
    }
    Result<std::vector<int>> encode(std::string_view text) const override
    {
        if (!isUtf8(text))
            return failure(ErrorKind::InvalidArgument, "the text is no UTF-8; convert it first");
        std::vector<int> ids;
        const auto encodeRest = [&](std::size_t begin, std::size_t end) -> Result<void> {
            std::vector<int> some;
            if (const auto status = m_pieces.Encode({text.data() + begin, end - begin}, &some); !status.ok())
                return failure(ErrorKind::InvalidArgument, "libsentencepiece cannot encode the text ({})",
                               status.message());
            ids.insert(ids.end(), some.begin(), some.end());
            return {};
        };
        return m_added.split(text, false, encodeRest, [&](int id) { ids.push_back(id); }).map([&] {
            return std::move(ids);
        });
    }
    std::string decode(std::span<const int> ids) const override
    {
        std::string text;
        std::vector<int> pieces;  // that stand between added tokens
        const auto flush = [&] {
            std::string some;
            if (!pieces.empty() && m_pieces.Decode(pieces, &some).ok())
                text += some;
            pieces.clear();
        };
        for (const int id : ids) {
            const AddedToken* added = m_added.find(id);
            if (added) {
                flush();
                text += added->special ? "" : added->text;
            } else if (id >= 0 && id < m_pieces.GetPieceSize()) {
                pieces.push_back(id);
            }
        }
        flush();
        return repaired(text);
    }
    std::string describe() const override
    {
        const auto size = static_cast<std::size_t>(m_pieces.GetPieceSize());
        const auto beyond = std::count_if(m_added.all().begin(), m_added.all().end(), [&](const AddedToken& token) {
            return static_cast<std::size_t>(token.id) >= size;
        });
        return fmt::format("SentencePiece, {} tokens", size + static_cast<std::size_t>(beyond));
    }

private:
    sentencepiece::SentencePieceProcessor m_pieces;
    AddedTokens m_added;
};

}  // namespace

Result<std::shared_ptr<const Tokenizer>> openSentencePiece(const std::string& folder)
{
    const auto tokenizer = std::make_shared<PieceTokenizer>();
    return tokenizer->load(folder).map([&] { return std::shared_ptr<const Tokenizer>(tokenizer); });
}

#else

Result<std::shared_ptr<const Tokenizer>> openSentencePiece(const std::string& folder)
{
    return failure(ErrorKind::Unavailable,
                   folder + "/tokenizer.model: this build has no libsentencepiece; install libsentencepiece-dev "
                            "and configure again, or give token ids");
}

#endif

}  // namespace attnscope

#include "core/model/model_type.h"

#include <array>

namespace attnscope {

std::span<const ModelType> modelTypes()
{
    using enum WindowedLayers;
    // id, label, family, inner, key heads, head size, biases on queries and keys, norms of both, windows
    static constexpr std::array rows{
        ModelType{"llama", "Llama", Family::Llama, 11008, 0, 0, false, false, None},
        ModelType{"mistral", "Mistral", Family::Llama, 14336, 8, 0, false, false, All},
        ModelType{"qwen2", "Qwen 2", Family::Llama, 22016, 32, 0, true, false, FromOneOn},
        ModelType{"qwen3", "Qwen 3", Family::Llama, 22016, 32, 128, false, true, FromOneOn},
        ModelType{"gpt2", "GPT-2", Family::Gpt2, 0, 0, 0, true, false, None},
        ModelType{"gpt_neox", "GPT-NeoX", Family::GptNeoX, 24576, 0, 0, false, false, None},
        ModelType{"gemma2", "Gemma 2", Family::Gemma2, 9216, 4, 256, false, false, EverySecond},
    };
    return rows;
}

}  // namespace attnscope

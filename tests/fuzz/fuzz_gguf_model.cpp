// The values of a .gguf file as a config.json, for every architecture (keys "x.block_count" are those of each), and of
// that what model_config makes: refused with a message, or an architecture.
#include "core/model/gguf_families.h"
#include "core/model/model_config.h"
#include "core/tensor/byte_source.h"
#include "core/tensor/gguf.h"
#include "core/tensor/mapped_file.h"

#include <cstdint>
#include <cstdlib>

using namespace attnscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string path = "input.gguf";
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto file = MappedTensors::fromMemory(bytes, nullptr, path);
    const auto header = readGgufHeader(memoryBytes({bytes.begin(), bytes.end()}, path), path);
    if (!file || !header)
        return 0;
    for (const GgufFamily& family : ggufFamilies()) {
        GgufHeader own = *header;  // whatever the file calls itself
        for (const auto& [key, value] : header->values.items())
            if (key.starts_with("x."))
                own.values[std::string(family.id) + key.substr(1)] = value;
        const auto config = configOf(family, own, std::span(&*file, 1), path);
        if (!config) {
            if (config.error().message.empty())
                std::abort();
            continue;
        }
        const auto read = readModelConfig(config->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), path);
        if (!read && read.error().message.empty())
            std::abort();
        if (read && (read->architecture.heads < 1 || std::ssize(read->architecture.specs) != read->architecture.layers))
            std::abort();
        for (const TensorInfo& tensor : header->tensors)
            if (placeInGguf(family, tensor.name).tensor.empty() != tensor.name.empty())
                std::abort();
    }
    return 0;
}

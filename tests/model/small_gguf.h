#pragma once
// Small .gguf files, as llama.cpp's converter would make them of the folders of small_models.h.

#include "tests/model/small_models.h"
#include "tests/support/file_builder.h"

#include <cstdint>
#include <string>
#include <vector>

/// Values and tensors of a file to be, gathered one by one.
struct GgufMaker {
    build::Gguf file;

    void number(const std::string& key, std::uint32_t value) { file.values.push_back(build::ggufNumber(key, value)); }
    void real(const std::string& key, double value)
    {
        file.values.push_back(build::ggufKey(key) + build::little(6, 4) + build::floats({static_cast<float>(value)}));
    }
    void text(const std::string& key, const std::string& value) { file.values.push_back(build::ggufText(key, value)); }
    void truth(const std::string& key, bool value)
    {
        file.values.push_back(build::ggufKey(key) + build::little(7, 4) + build::little(value, 1));
    }
    /// Of truth values (7) or whole numbers (5).
    void list(const std::string& key, std::uint64_t type, const std::vector<std::uint64_t>& values)
    {
        std::string bytes;
        for (const std::uint64_t value : values)
            bytes += build::little(value, type == 7 ? 1 : 4);
        file.values.push_back(build::ggufKey(key) + build::little(9, 4) + build::little(type, 4) +
                              build::little(values.size(), 8) + bytes);
    }
    void texts(const std::string& key, const std::vector<std::string>& values)
    {
        std::string bytes;
        for (const std::string& value : values)
            bytes += build::little(value.size(), 8) + value;
        file.values.push_back(build::ggufKey(key) + build::little(9, 4) + build::little(8, 4) +
                              build::little(values.size(), 8) + bytes);
    }
    /// Takes the values of this key away.
    void without(const std::string& key)
    {
        std::erase_if(file.values,
                      [start = build::ggufKey(key)](const std::string& value) { return value.starts_with(start); });
    }
    void tensor(const std::string& name, std::vector<std::int64_t> shape, const std::string& bytes, std::uint32_t type)
    {
        std::vector<std::uint64_t> extents(shape.rbegin(), shape.rend());
        file.tensors.push_back({name, extents, type, file.data.size()});
        file.data += bytes;
        file.data.resize((file.data.size() + 31) / 32 * 32, '\0');
    }
    void floats(const std::string& name, const SmallTensor& tensor)
    {
        this->tensor(name, tensor.shape, build::floats(tensor.values), 0);
    }
};

/// Are .gguf files of this model_type run?
bool isOfGguf(const std::string& type);

/// Of those types. `splitKeys`: DeepSeek's keys and values from the narrow vector apart, as files have them since 2025.
GgufMaker converted(const SmallModel& small, bool splitKeys = true);

/// Of "bert", "distilbert", "nomic_bert" and "modernbert": without a head that says tokens.
GgufMaker convertedEncoder(const SmallModel& small);

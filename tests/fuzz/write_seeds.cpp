// write_seeds FOLDER: a seed for every row of the table of malformed files that is small, and for some right inputs.
#include "tests/support/file_builder.h"
#include "tests/support/malformed_files.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace {

constexpr std::size_t largestSeed = 2048;

std::string slug(std::string name)
{
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name.substr(0, 48);
}

/// Numbered, because names that differ in punctuation alone would meet.
void write(const std::filesystem::path& folder, const std::vector<MalformedFile>& files)
{
    std::filesystem::create_directories(folder);
    int number = 0;
    for (const MalformedFile& file : files)
        if (++number; file.bytes.size() <= largestSeed)
            std::ofstream(folder / (std::to_string(100 + number) + "_" + slug(file.name)), std::ios::binary)
                << file.bytes;
}

void writeRight(const std::filesystem::path& folder, const std::vector<std::string>& inputs)
{
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        std::ofstream(folder / ("right_" + std::to_string(i)), std::ios::binary) << inputs[i];
}

}  // namespace

int main(int count, char** arguments)
{
    using namespace build;
    if (count != 2) {
        std::fputs("write_seeds FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = arguments[1];
    write(folder / "safetensors", malformedSafetensors());
    write(folder / "safetensors", [] {
        auto rows = malformedHeads();
        for (MalformedFile& row : rows)
            row.name = "heads " + row.name;
        return rows;
    }());
    write(folder / "gguf", malformedGguf());
    write(folder / "npy", malformedNpy());
    write(folder / "npz", malformedNpz());

    const std::string header =
        "{\"__metadata__\":{\"layout\":\"tokens, heads, dim\",\"causal\":\"true\",\"rope\":\"base 10000, interleaved, "
        "post-RoPE\",\"tokens\":\"[\\\"a\\\",\\\"b\\\"]\"}," +
        field("l0.q", "F16", "[2,2,1]", "[0,8]") + "," + field("l0.k", "BF16", "[2,1,1]", "[8,12]") + "," +
        field("attn", "F32", "[1,1]", "[12,16]") + "}";
    const std::string data(16, '\0');
    const std::string q = npy(npyDict(">f2", "(2, 1)", "True"), "abcd"),
                      k = npy(npyDict("<f4", "(1, 1)"), floats({1}), 3);
    writeRight(folder / "safetensors", {safetensors(header, data), header + data, safetensors("{}")});
    const std::string right = gguf({.values = {ggufText("general.architecture", "llama"), ggufNumber("n", 2)},
                                    .tensors = {{"q", {32, 2}, 8, 0}, {"k", {4}, 1, 96}},
                                    .data = std::string(104, '\0')});
    writeRight(folder / "gguf", {right, right.substr(8)});
    const auto ofModel = [](std::vector<std::string> values, std::vector<std::string> names) {
        Gguf file{.values = {ggufNumber("x.embedding_length", 8), ggufNumber("x.block_count", 2),
                             ggufNumber("x.attention.head_count", 2), ggufNumber("x.context_length", 64),
                             ggufNumber("x.feed_forward_length", 16)},
                  .tensors = {{"token_embd.weight", {8, 9}, 0, 0}},
                  .data = std::string(288, '\0')};
        file.values.insert(file.values.end(), values.begin(), values.end());
        for (const std::string& name : names) {
            file.tensors.push_back({name, {2}, 0, file.data.size()});
            file.data.resize(file.data.size() + file.alignment);
        }
        return gguf(file);
    };
    writeRight(folder / "gguf_model",
               {ofModel({ggufText("x.rope.scaling.type", "yarn"), ggufNumber("x.rope.scaling.factor", 4),
                         ggufNumber("x.rope.scaling.original_context_length", 16)},
                        {"output.weight"}),
                ofModel({ggufNumber("x.attention.key_length_mla", 6), ggufNumber("x.attention.value_length_mla", 4),
                         ggufNumber("x.rope.dimension_count", 2), ggufNumber("x.attention.kv_lora_rank", 4),
                         ggufNumber("x.expert_count", 4), ggufNumber("x.expert_used_count", 2),
                         ggufNumber("x.expert_gating_func", 2), ggufNumber("x.expert_group_count", 2)},
                        {}),
                ofModel({ggufNumber("x.attention.sliding_window", 4),
                         ggufNumber("x.attention.sliding_window_pattern", 3), ggufNumber("x.expert_count", 4)},
                        {"rope_freqs.weight"}),
                ofModel({ggufNumber("x.attention.max_alibi_bias", 8), ggufNumber("x.attention.head_count_kv", 1)},
                        {"blk.0.attn_qkv.bias"})});
    writeRight(folder / "npy", {q, k, npyDict("|u1", "(2,)") + "ab", npy(npyDict("<i8", "()"), "12345678", 2)});
    writeRight(folder / "npz", {zip({{"q.npy", q}, {"k.npy", k}}),
                                zip({{.name = "q.npy", .content = q, .deflate = true}, {"note.txt", "x"}}), zip({})});
    writeRight(folder / "tokens", {"[\"a\",\"b\"]", "{\"tokens\":[\"\\u00e9\",\"\\n\"]}", "a\nb\r\n\nc", "[1]",
                                   "[[\"a\"]]", "{\"tokens\":{}}"});
    writeRight(folder / "method", {"plain", "plain:kappa=2", "plain:2.5", "plain:kappa=-1e-3,steps=7,row=1",
                                   "custom:\"log(n)/log(N)\"", "custom:log(n)", "custom:\"a,b\",kappa=2",
                                   "custom:kappa=2,n^0.5", "plain:", "plain:kappa", "plain:kappa=,", "nosuch:x=1",
                                   "plain:kappa=nan", "plain:kappa=1e999", "plain:kappa=1,kappa=2", "custom:\"open"});
    writeRight(folder / "list", {"100,200,400", "16:65536:x2", "100:1600:+100", "16:1e9:40", "1", "1e12", "0", "-1",
                                 "1:2", "1:1e12:+1", "1:1e12:x1.0000001", "5:1:x2", "1.5", "1,,2", "nan", "1:1:x2"});
    return 0;
}

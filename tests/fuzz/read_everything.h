#pragma once
// What a fuzz target of a file format does with an input: opens it, reads every tensor whole and in part, and loads
// every pair of heads that it offers. Whatever is accepted must be as large as it says.

#include "core/tensor/head_file.h"
#include "tests/support/file_builder.h"

#include <cstdlib>
#include <string_view>

inline void require(bool holds)
{
    if (!holds)
        std::abort();
}

inline void readEverything(std::string_view input, const std::string& path)
{
    using namespace attnscope;
    const auto file = TensorFile::fromBytes(build::bytes(input), path);
    if (!file)
        return require(!file.error().message.empty());
    std::size_t budget = 16;  // tensors; the others are as these
    for (const TensorInfo& tensor : file->tensors()) {
        if (budget-- == 0)
            break;
        const auto all = file->read<float>(tensor);
        if (!all)
            continue;
        require(all->size() == tensor.elementCount());
        Box half{std::vector<std::int64_t>(tensor.shape.size(), 0), tensor.shape};
        for (std::size_t a = 0; a < half.count.size(); ++a) {
            half.begin[a] = half.count[a] / 2;
            half.count[a] -= half.begin[a];
        }
        const auto part = file->read<double>(tensor, half);
        require(part.has_value());
        if (!part->empty() && !all->empty())  // the last of the box is the last of the tensor
            require(static_cast<float>(part->back()) == all->back() || all->back() != all->back());
    }
    budget = 16;
    for (const HeadCandidate& candidate : findCandidates(*file)) {
        if (budget-- == 0)
            break;
        const HeadFacts facts = factsOf(*file, candidate.query);
        require(!facts.ropeBase || *facts.ropeBase > 0);
        const auto heads = loadHeads(*file, {.path = path,
                                             .query = candidate.query,
                                             .key = candidate.key,
                                             .layout = candidate.layout,
                                             .holds = candidate.holds});
        if (heads)
            require(heads->headCount() > 0 && heads->queryCount() > 0 && heads->keyCount() > 0);
    }
}

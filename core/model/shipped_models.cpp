#include "core/model/shipped_models.h"

#include <algorithm>
#include <filesystem>

namespace attnscope {

// made by attnscope_embed from resources/models
Embedded storiesConfig(), storiesWeights(), storiesTokenizer();
Embedded maskedConfig(), maskedWeights(), maskedTokenizer(), cosineConfig();
Embedded recallConfig(), recallTokenizer(), recall1Weights(), recall2Weights(), recall3Weights();
Embedded copyConfig(), copyTokenizer(), copy1Weights(), copy2Weights(), copy3Weights();
Embedded cosine8Weights(), cosine16Weights(), cosine32Weights(), cosine64Weights(), cosine128Weights();

std::span<const ShippedModel> shippedModels()
{
    static constexpr ShippedModel models[] = {
        {"stories", "a Llama of 3 layers that tells stories, N = 256", 1024, storiesConfig, storiesWeights,
         storiesTokenizer},
        {"masked", "an encoder of 2 layers that finds hidden tokens, N = 100", 1600, maskedConfig, maskedWeights,
         maskedTokenizer},
        {"recall1", "finds what a key was told with, anywhere; N = 64, seed 1", 1024, recallConfig, recall1Weights,
         recallTokenizer, ProbeTask::Needle},
        {"recall2", "the same from seed 2", 1024, recallConfig, recall2Weights, recallTokenizer, ProbeTask::Needle},
        {"recall3", "the same from seed 3", 1024, recallConfig, recall3Weights, recallTokenizer, ProbeTask::Needle},
        {"copy1", "says words again, in their order; N = 64, seed 1", 256, copyConfig, copy1Weights, copyTokenizer,
         ProbeTask::Repeat},
        {"copy2", "the same from seed 2", 256, copyConfig, copy2Weights, copyTokenizer, ProbeTask::Repeat},
        {"copy3", "the same from seed 3", 256, copyConfig, copy3Weights, copyTokenizer, ProbeTask::Repeat},
        {"cosine8", "an encoder with cosine attention, α = 8", 1600, cosineConfig, cosine8Weights, maskedTokenizer},
        {"cosine16", "an encoder with cosine attention, α = 16", 1600, cosineConfig, cosine16Weights, maskedTokenizer},
        {"cosine32", "an encoder with cosine attention, α = 32", 1600, cosineConfig, cosine32Weights, maskedTokenizer},
        {"cosine64", "an encoder with cosine attention, α = 64", 1600, cosineConfig, cosine64Weights, maskedTokenizer},
        {"cosine128", "an encoder with cosine attention, α = 128", 1600, cosineConfig, cosine128Weights,
         maskedTokenizer},
    };
    return models;
}

const ShippedModel* findShippedModel(std::string_view id)
{
    const auto found = std::ranges::find_if(shippedModels(), [&](const ShippedModel& one) { return one.id == id; });
    return found == shippedModels().end() ? nullptr : &*found;
}

const ShippedModel* shippedModelAt(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) ? nullptr : findShippedModel(path);
}

}  // namespace attnscope

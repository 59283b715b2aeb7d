#include "core/labs/lab_parameters.h"
#include "core/labs/policies/policy_task.h"

#include <algorithm>

namespace attnscope {

std::vector<Parameter> policyParameters(PolicyParameters own)
{
    std::vector<Parameter> all = std::move(own.first);
    const auto add = [&](std::vector<Parameter> more) { std::ranges::move(more, std::back_inserter(all)); };
    add({whole("networks", "networks", 1, 1, 100,
               "Trained with one seed after another; each is tested, and several are compared over their seeds."),
         whole("batch", "instances a step", 64, 1, 4096, "Drawn anew at every step."), std::move(own.solutions),
         learningRate(own.rate, "Adam"), warmup(), clipping(), whole("layers", "layers", 3, 1, 64, "Of the encoder."),
         whole("width", "width", 128, 1, 4096, "Of the stream."),
         whole("inner", "inner width", 512, 1, 16384, "Of the feed-forward."),
         whole("heads", "heads", 8, 1, 256,
               "Of the encoder and of the glimpse; the head size is the width over these."),
         whole("from", "N at first", 0, 0, 1e5,
               "Instances of the first step; over the first half of the steps they grow to the training length. 0: of "
               "the training length from the start."),
         std::move(own.sets),
         whole("most", "longest test", 16, 1, 1024, "In training lengths; tested are N, 2 N, 4 N and so on.")});
    add(std::move(own.last));
    return all;
}

ReinforceSettings PolicyTask::learning(const char* solutions) const
{
    return {.batch = whole("batch"),
            .solutions = whole(solutions),
            .steps = whole("steps"),
            .warmup = whole("warmup"),
            .rate = m_parameters["rate"],
            .clip = m_parameters["clip"],
            .from = whole("from")};
}

Result<void> PolicyTask::checkGrowth() const
{
    const std::int64_t from = whole("from");
    return from == 0 || (from >= 2 && from <= learnedLength())
               ? Result<void>()
               : failure(ErrorKind::InvalidArgument,
                         "the first step's instances must have from 2 to {} elements, the training length; set from to "
                         "such a number, or to 0",
                         learnedLength());
}

Result<void> PolicyTask::checkMemory(double numbers, const std::string& solutions)
{
    constexpr double mostBytes = 4e9;
    if (const double bytes = sizeof(float) * numbers; bytes > mostBytes)
        return failure(ErrorKind::InvalidArgument,
                       "the {} of one instance would take {} GB of memory; set a smaller length, or fewer {}",
                       solutions, formatNumber(bytes / 1e9, 3), solutions);
    return {};
}

}  // namespace attnscope

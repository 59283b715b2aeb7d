#include "core/learn/checkpoint.h"

#include "core/base/each.h"
#include "core/base/fingerprint.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace attnscope::learn {

namespace {

const std::string firstMoment = "optimizer.exp_avg.", secondMoment = "optimizer.exp_avg_sq.",
                  stepsKey = "optimizer.steps";

std::vector<std::int64_t> shapeOf(const Weight& weight)
{
    return weight.vector ? std::vector<std::int64_t>{weight.value.cols()}
                         : std::vector<std::int64_t>{weight.value.rows(), weight.value.cols()};
}

TensorView viewOf(std::string name, const Weight& like, const Matrix& values)
{
    return tensorView(std::move(name), shapeOf(like),
                      std::span<const float>(values.data(), static_cast<std::size_t>(values.size())));
}

std::vector<TensorView> viewsOf(const Weights& weights)
{
    return each(weights, [](const Weight* weight) { return viewOf(weight->name, *weight, weight->value); });
}

Result<void> readInto(const TensorFile& file, const std::string& name, const Weight& like, Matrix& target)
{
    const TensorInfo* tensor = TRY(file.find(name));
    if (tensor->shape != shapeOf(like))
        return failure(ErrorKind::BadShape, "{}: tensor '{}' has shape {}, the model needs {}", file.path(), name,
                       describeShape(tensor->shape), describeShape(shapeOf(like)));
    const std::vector<float> values = TRY(file.read<float>(*tensor));
    if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
        return failure(ErrorKind::DataError,
                       "{}: tensor '{}' holds NaN or infinity: the training had failed, or the file is damaged; train "
                       "anew in another folder",
                       file.path(), name);
    target = ConstMatrixView(values.data(), like.value.rows(), like.value.cols());
    return {};
}

/// Errors: DataError.
Result<void> checkSum(const TensorFile& file)
{
    std::vector<std::vector<float>> values;
    std::vector<TensorView> views;
    for (const TensorInfo& tensor : file.tensors()) {
        values.push_back(TRY(file.read<float>(tensor)));
        views.push_back(tensorView(tensor.name, tensor.shape, values.back()));
    }
    const auto said = file.metadata().find(checksumKey);
    return said != file.metadata().end() && said->second == checksumOf(views, file.metadata())
               ? Result<void>()
               : failure(ErrorKind::DataError, "{}{}: what it holds cannot be relied on; start anew in another folder",
                         file.path(), said == file.metadata().end() ? " has no checksum" : " is damaged");
}

}  // namespace

std::string checksumOf(std::span<const TensorView> tensors, const Metadata& metadata)
{
    const auto part = [](const std::string& name, const std::string& text, std::span<const std::byte> bytes) {
        return fingerprint(bytes, fingerprint(text, fingerprint(name + '\n')));
    };
    std::uint64_t sum = 0;
    for (const auto& [key, value] : metadata)
        sum += key == checksumKey ? 0 : part(key, value, {});
    for (const TensorView& tensor : tensors)
        sum += part(tensor.name, describeShape(tensor.shape), tensor.bytes);
    return std::to_string(sum);
}

Result<void> saveModel(const std::string& path, const Weights& weights, const Metadata& metadata)
{
    return writeSafetensors(path, viewsOf(weights), metadata);
}

Result<void> saveTraining(const std::string& path, const Weights& weights, const Adam& adam, Metadata metadata)
{
    std::vector<TensorView> views = viewsOf(weights);
    for (std::size_t i = 0; i < adam.moments().size(); ++i) {
        views.push_back(viewOf(firstMoment + weights[i]->name, *weights[i], adam.moments()[i].first));
        views.push_back(viewOf(secondMoment + weights[i]->name, *weights[i], adam.moments()[i].second));
    }
    metadata[stepsKey] = std::to_string(adam.steps());
    metadata[checksumKey] = checksumOf(views, metadata);
    return writeSafetensors(path, views, metadata);
}

Result<void> loadModel(const TensorFile& file, const Weights& weights)
{
    std::vector<Matrix> values(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i)
        TRY(readInto(file, weights[i]->name, *weights[i], values[i]));
    for (std::size_t i = 0; i < weights.size(); ++i)  // all or nothing
        weights[i]->value = std::move(values[i]);
    return {};
}

Result<void> loadTraining(const TensorFile& file, const Weights& weights, Adam& adam)
{
    const auto found = file.metadata().find(stepsKey);
    if (found == file.metadata().end())
        return failure(ErrorKind::InvalidHeader,
                       file.path() + " is a model without the state of its training; it cannot be resumed");
    TRY(checkSum(file));
    const std::string& text = found->second;
    const std::int64_t steps = numberFrom<std::int64_t>(text).value_or(-1);
    if (steps < 0)
        return failure(ErrorKind::InvalidHeader, "{}: '{}' is not a number of training steps", file.path(), text);

    std::vector<Adam::Moments> moments(steps > 0 ? weights.size() : 0);
    for (std::size_t i = 0; i < moments.size(); ++i) {
        TRY(readInto(file, firstMoment + weights[i]->name, *weights[i], moments[i].first));
        TRY(readInto(file, secondMoment + weights[i]->name, *weights[i], moments[i].second));
        if ((moments[i].second.array() < 0).any())  // they are means of squares
            return failure(ErrorKind::DataError,
                           "{}: tensor '{}{}' holds numbers below 0; the file is damaged: train anew in another folder",
                           file.path(), secondMoment, weights[i]->name);
    }
    TRY(loadModel(file, weights));
    adam.moments() = std::move(moments);
    adam.resumeAt(steps);
    return {};
}

}  // namespace attnscope::learn

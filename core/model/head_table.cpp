#include "core/model/head_table.h"

#include "core/tensor/tensor_file.h"

#include <cmath>

namespace attnscope {

Result<std::vector<std::vector<double>>> readHeadTable(const std::string& path, const Architecture& architecture)
{
    const TensorFile file = TRY(TensorFile::open(path));
    if (const Error* unreadable = file.firstUnreadable())
        return tl::unexpected(*unreadable);
    if (file.tensors().size() != 1)
        return failure(ErrorKind::InvalidArgument, "{} holds {} tensors; a table of a number a head is a file with one",
                       path, file.tensors().size());
    const TensorInfo& tensor = file.tensors().front();
    const std::vector<std::int64_t> all{architecture.layers, architecture.heads}, alike{architecture.heads};
    if (tensor.shape != all && tensor.shape != alike)
        return failure(ErrorKind::BadShape,
                       "{}: a number for each head of this model has the shape {}, or {} for all layers alike, not {}",
                       path, describeShape(all), describeShape(alike), describeShape(tensor.shape));
    const std::vector<double> values = TRY(file.read<double>(tensor));
    std::vector<std::vector<double>> table;
    for (size_t layer = 0; layer < static_cast<size_t>(architecture.layers); ++layer) {
        std::vector<double>& heads = table.emplace_back();
        for (size_t head = 0; head < static_cast<size_t>(architecture.heads); ++head) {
            heads.push_back(values[(tensor.shape == all ? layer * static_cast<size_t>(architecture.heads) : 0) + head]);
            if (!std::isfinite(heads.back()))
                return failure(ErrorKind::InvalidArgument, "{}: the number of layer {}, head {} is not finite", path,
                               layer, head);
        }
    }
    return table;
}

}  // namespace attnscope

#pragma once
// A matrix, or its first rows, that many hold and nobody changes. The keys of a head are the same for one sampled row
// as for all of them, and queries and keys begin those of a longer sequence; at n = 131 072 each are 32 MB.

#include "core/tensor/head_set.h"

#include <limits>
#include <memory>
#include <utility>

namespace attnscope {

class SharedMatrix {
public:
    using View = Eigen::Map<const Matrix>;

    SharedMatrix() : SharedMatrix(Matrix()) {}
    SharedMatrix(Matrix values) : SharedMatrix(std::make_shared<const Matrix>(std::move(values))) {}
    SharedMatrix(std::shared_ptr<const Matrix> values);
    SharedMatrix firstRows(Eigen::Index rows) const;

    View operator*() const { return {m_values->data(), m_rows, m_values->cols()}; }
    Eigen::Index rows() const { return m_rows; }
    Eigen::Index cols() const { return m_values->cols(); }
    Eigen::Index size() const { return m_rows * cols(); }
    /// max |x|, or of a longer matrix that this one begins; infinite where an entry is infinite or NaN. Known since it
    /// was made: it costs nothing to ask.
    float largest() const { return m_largest; }
    bool allFinite() const { return m_largest <= std::numeric_limits<float>::max(); }

private:
    SharedMatrix(std::shared_ptr<const Matrix> values, Eigen::Index rows, float largest)
        : m_values(std::move(values)), m_rows(rows), m_largest(largest)
    {
    }
    std::shared_ptr<const Matrix> m_values;
    Eigen::Index m_rows;
    float m_largest;
};

}  // namespace attnscope

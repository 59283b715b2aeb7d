#pragma once
// A matrix, or its first rows, that many hold and nobody changes. The keys of a head are the same for one sampled row
// as for all of them, and queries and keys begin those of a longer sequence; at n = 131 072 each are 32 MB.

#include "core/tensor/head_set.h"

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
    /// Known since it was made: it costs nothing to ask.
    bool allFinite() const { return m_finite; }

private:
    SharedMatrix(std::shared_ptr<const Matrix> values, Eigen::Index rows, bool finite)
        : m_values(std::move(values)), m_rows(rows), m_finite(finite)
    {
    }
    std::shared_ptr<const Matrix> m_values;
    Eigen::Index m_rows;
    bool m_finite;
};

}  // namespace attnscope

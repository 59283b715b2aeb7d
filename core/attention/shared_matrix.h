#pragma once
// A matrix that its copies share until one of them changes it. The keys of a head are the same for one sampled row as for
// all of them, and at n = 131 072 they are 32 MB.

#include "core/tensor/head_set.h"

#include <memory>
#include <utility>

namespace attnscope {

class SharedMatrix {
public:
    SharedMatrix() : SharedMatrix(Matrix()) {}
    SharedMatrix(Matrix values);

    const Matrix& operator*() const { return m_held->values; }
    const Matrix* operator->() const { return &m_held->values; }
    /// Known since the last change: it costs nothing to ask.
    bool allFinite() const { return m_held->finite; }

    /// edit(Matrix&) on a matrix of its own.
    template <class Edit>
    void change(const Edit& edit)
    {
        Matrix values = m_held.use_count() == 1 ? std::move(m_held->values) : m_held->values;
        edit(values);
        *this = SharedMatrix(std::move(values));
    }

private:
    struct Held {
        Matrix values;
        bool finite;
    };
    std::shared_ptr<Held> m_held;
};

}  // namespace attnscope

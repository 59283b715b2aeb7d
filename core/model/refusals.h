#pragma once
// What a model's description asks for and is not run here: the first such thing stays, and is said at the end.

#include "core/base/error.h"

#include <optional>
#include <string>
#include <utility>

namespace attnscope {

class Refusals {
public:
    /// "config.json asks for WHAT, which is not run here".
    void refuse(const std::string& what)
    {
        keep({ErrorKind::Unavailable, m_path + " asks for " + what + ", which is not run here"});
    }

protected:
    explicit Refusals(std::string path) : m_path(std::move(path)) {}

    void keep(Error error)
    {
        if (!m_refused)
            m_refused = std::move(error);
    }
    Result<void> allIsRun() const { return m_refused ? Result<void>(tl::unexpected(*m_refused)) : Result<void>(); }

    std::string m_path;

private:
    std::optional<Error> m_refused;
};

}  // namespace attnscope

#pragma once
// Where a run's networks are kept: in its folder, or without one in a folder that goes with the value. Networks are
// saved and opened again before they are tested: tests are of what is kept.

#include "core/base/error.h"

#include <map>
#include <optional>
#include <string>

namespace attnscope {

/// A folder that goes with the value.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return m_path; }  ///< empty: it could not be made

private:
    std::string m_path;
};

class StoreFolder {
public:
    /// FOLDER/NAME; without a folder in one that goes with the value. Errors: NotWritable.
    Result<std::string> pathOf(const std::string& folder, const std::string& name);

private:
    std::optional<TemporaryFolder> m_temporary;
};

/// Of networks that are one file each: `save` writes one with what it was trained with, in bfloat16 if that is asked
/// for, and `open` reads it as core/model runs it.
template <auto save, auto open>
class CheckpointStore {
public:
    /// As FOLDER/NAME.safetensors, in bfloat16. Errors: NotWritable, those of `open`.
    auto keep(const auto& network, const std::string& folder, const std::string& name,
              const std::map<std::string, std::string>& facts) -> decltype(open(std::string()))
    {
        return m_store.pathOf(folder, name + ".safetensors").and_then([&](const std::string& path) {
            return save(path, network, facts, true).and_then([&] { return open(path); });
        });
    }

private:
    StoreFolder m_store;
};

}  // namespace attnscope

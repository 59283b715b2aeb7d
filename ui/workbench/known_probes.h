#pragma once
// What probes found, kept in a file for each question, so that it is there again after the program was closed. A
// question is the model as its files are, the text and all that is asked of them; nothing is read of another model,
// text, engine or version of the program, nor of a damaged file. Used by the thread that asks.

#include "ui/workbench/probe_runner.h"

#include <optional>
#include <string>

namespace attnscope {

class KnownProbe {
public:
    /// Of the files of `folder` the oldest go where all are more than `most` bytes.
    KnownProbe(std::string folder, const ProbeKey& key, std::uint64_t most = 64U << 20);

    std::optional<ProbeNews> read() const;
    /// Unless the file has more of it already. Where that fails the probe is not the worse for it.
    void write(const ProbeNews& news);

private:
    std::string m_folder, m_question, m_path;
    std::uint64_t m_most;
    ProbeRequest m_asked;
    std::optional<double> m_kept;  ///< how far what the file has had come
};

}  // namespace attnscope

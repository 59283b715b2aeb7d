#pragma once
// The losses of the last model and text, so that a search goes on after a stop, and one over something else begins with
// what is known. Those of a question are kept in a file too: a search is a function of them (core/tuning/loss_table.h),
// so that it ends as it did, or goes on where it was, after the program was closed or fell. Used by one thread.

#include "core/base/file_stamp.h"
#include "core/tuning/tune_model.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace attnscope {

class KnownLosses {
public:
    /// Files of `folder`, of which the oldest go where all are more than `most` bytes; empty: no files.
    explicit KnownLosses(std::string folder = {}, std::uint64_t most = 64U << 20)
        : m_folder(std::move(folder)), m_most(most)
    {
    }
    /// Nothing of another model or text, nor of one whose files had other stamps when it was opened, nor by another
    /// engine or version of the program; of a damaged file nothing.
    const LossTable& of(const std::shared_ptr<const Model>& model, std::span<const int> ids, const TuneRequest& request,
                        const TuneWindows& windows, std::span<const FileStamp> files = {});
    /// What is in memory; the next question reads its file.
    void forget()
    {
        m_request.clear();
        m_table.clear();
    }
    bool isEmpty() const { return m_table.empty(); }
    /// Of whatever question.
    bool keepsAny() const;
    const WindowLoss* find(const std::string& key) const;
    /// Written every few seconds.
    void add(const std::string& key, const WindowLoss& loss);
    /// Where that fails the search is not the worse for it: the next program begins it anew.
    void write();

private:
    void read();

    std::string m_folder;
    std::uint64_t m_most;
    std::weak_ptr<const Model> m_model;
    std::string m_search, m_request, m_path;
    LossTable m_table;
    bool m_changed = false;
    std::chrono::steady_clock::time_point m_written;
};

}  // namespace attnscope

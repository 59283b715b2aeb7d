#pragma once
// What analyse() remembers between calls. Every stage is a function of some fields of the Scenario: its key is the
// scenario with all other fields put back to their defaults, so equal inputs are found again whatever else has changed.

#include "core/analysis/analysis.h"
#include "core/analysis/curve_sample.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>

namespace attnscope {

/// The last few values of one stage.
template <class Value>
class Memo {
public:
    explicit Memo(size_t capacity) : m_capacity(capacity) {}

    std::shared_ptr<const Value> find(const Scenario& key)
    {
        const auto found = std::find_if(m_items.begin(), m_items.end(), [&](const Item& item) { return item.key == key; });
        if (found == m_items.end())
            return nullptr;
        std::rotate(m_items.begin(), found, found + 1);  // the last used first
        return m_items.front().value;
    }

    std::shared_ptr<const Value> keep(Scenario key, Value value) { return keep(std::move(key), std::make_shared<const Value>(std::move(value))); }

    std::shared_ptr<const Value> keep(Scenario key, std::shared_ptr<const Value> value)
    {
        m_items.push_front({std::move(key), std::move(value)});
        if (m_items.size() > m_capacity)
            m_items.pop_back();
        return m_items.front().value;
    }

    /// The remembered value, or what `compute` returns, which is kept unless it is an error.
    template <class Compute>
    Result<std::shared_ptr<const Value>> get(const Scenario& key, Compute compute)
    {
        if (auto known = find(key))
            return known;
        Result<Value> made = compute();
        if (!made)
            return tl::unexpected<Error>(made.error());
        return keep(key, std::move(*made));
    }

private:
    struct Item {
        Scenario key;
        std::shared_ptr<const Value> value;
    };
    size_t m_capacity;
    std::deque<Item> m_items;
};

/// One method's rows and their scales.
struct MethodRows {
    std::string absent, partly;
    std::vector<float> scale;
    std::vector<RowSummary> rows;
};

/// One method at the lengths of the curve: what the rows near each length are like.
struct MethodCurves {
    std::vector<double> lengths;                   ///< keys that the rows see, on average
    std::vector<std::vector<RowSummary>> rows;     ///< empty where the method has no value
    std::vector<double> needle;                    ///< mean weight of the matching key, or empty
};

/// What theory says about one method.
struct TheoryCurves {
    Curve measure, needle;
    std::vector<ApproximationCurve> approximations;
};

/// What tells whether a file is still the same.
struct FileStamp {
    std::string path;
    std::uintmax_t size = 0;
    std::filesystem::file_time_type written;
    bool operator==(const FileStamp&) const = default;
};

class AnalysisCache {
public:
    FileStamp file;
    Memo<Source> sources{3};
    Memo<Source> longest{1};    ///< of sources whose shorter sequences begin it; its key has no n
    Memo<AttentionHead> heads{4};
    Memo<MethodRows> rows{64};  // a mean of heads has a row a head and method
    Memo<PooledMap> maps{96};
    Memo<CurveSample> curveSamples{2};
    Memo<MethodCurves> curves{64};
    Memo<TheoryCurves> theory{32};
    Memo<std::optional<MatrixStatistics>> meanRows{32};
    Memo<std::vector<HeadAnalysis>> allHeads{4};
    Memo<std::optional<double>> theoryScales{32};      ///< as `theory`, the theory stage's alone
    Memo<Result<double>> measuredMultipliers{512};     ///< errors too: where there is none, another look finds none
};

}  // namespace attnscope

#pragma once
// What analyse() remembers between calls. Every stage is a function of what its key holds (stage_keys.h), so equal
// inputs are found again whatever else of the Scenario has changed.

#include "core/analysis/analysis.h"
#include "core/analysis/curve_sample.h"
#include "core/analysis/length_statistics.h"
#include "core/analysis/memo.h"
#include "core/analysis/stage_keys.h"
#include "core/base/file_stamp.h"

#include <map>

namespace attnscope {

/// One method's rows and their scales.
struct MethodRows : RowScales {
    std::vector<RowSummary> rows;
};

/// One method at the lengths of the curve: what the rows near each length are like.
struct MethodCurves {
    std::vector<double> lengths;                ///< keys that the rows see, on average
    std::vector<std::vector<RowSummary>> rows;  ///< empty where the method has no value
    Curve needle;  ///< mean weight of the matching key where it is among the keys, or empty
};

/// What a chart shows of them.
struct MeanCurves {
    Curve measured, largest, top4, top16, needle;
    Curve entropy;  ///< Shannon's, whatever View::measure is
};

/// What theory says about one method.
struct TheoryCurves {
    Curve measure, entropy, needle;
    std::string note;  ///< why there is no exact curve of a measure that has one elsewhere
    std::vector<ApproximationCurve> approximations;
    Curve sphere;  ///< Analysis::exactSphere
};

std::size_t bytesOf(const Source& source);
std::size_t bytesOf(const AttentionHead& head);
std::size_t bytesOf(const MethodRows& rows);
std::size_t bytesOf(const PooledMap& map);
std::size_t bytesOf(const CurveSample& sample);
std::size_t bytesOf(const MethodCurves& curves);
std::size_t bytesOf(const MeanCurves& curves);
std::size_t bytesOf(const TheoryCurves& curves);
std::size_t bytesOf(const std::optional<MatrixStatistics>& statistics);
std::size_t bytesOf(const std::vector<HeadAnalysis>& heads);
std::size_t bytesOf(const Result<double>& number);

class AnalysisCache {
public:
    /// Forgets everything if a file that the scenario reads is not what it was when it was last looked at.
    void forgetChangedFiles(const Scenario& scenario);
    void clear();

    Memo<Source, SourceKey> sources{3};
    Memo<Source, SourceKey> longest{1};  ///< of sources whose shorter sequences begin it, of any length
    Memo<AttentionHead, HeadKey> longestHeads{1};
    Memo<AttentionHead, HeadKey> heads{4};
    Memo<MethodRows, RowsKey> rows{64};  // a mean of heads has a row a head and method
    Memo<PooledMap, MapKey> maps{96};
    Memo<CurveSample, SampleKey> curveSamples{2};
    Memo<MethodCurves, CurveKey> curves{64};
    Memo<MeanCurves, MeansKey> meanCurves{64};
    Memo<TheoryCurves, TheoryKey> theory{32};
    Memo<std::optional<MatrixStatistics>, RowsKey> meanRows{32};
    Memo<std::vector<HeadAnalysis>, AllHeadsKey> allHeads{4};
    Memo<std::optional<double>, TheoryScaleKey> theoryScales{32};  ///< as `theory`, the theory stage's alone
    Memo<Result<double>, MultiplierKey> measuredMultipliers{
        512};  ///< errors too: where there is none, another look finds none

private:
    std::map<std::string, FileStamp> m_files;
};

}  // namespace attnscope

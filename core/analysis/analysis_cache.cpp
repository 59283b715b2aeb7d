#include "core/analysis/analysis_cache.h"

#include "core/analysis/source.h"

namespace attnscope {

namespace {

template <class Numbers>
std::size_t bytesOfFloats(const Numbers& numbers)
{
    return static_cast<std::size_t>(numbers.size()) * sizeof(float);
}

std::size_t bytesOf(const Matrix& matrix) { return bytesOfFloats(matrix); }
std::size_t bytesOf(const SharedMatrix& matrix) { return bytesOfFloats(matrix); }

template <class Element>
std::size_t bytesOf(const std::vector<Element>& elements)
{
    return elements.size() * sizeof(Element);
}

std::size_t bytesOf(const std::string& text) { return text.size(); }
std::size_t bytesOf(const ApproximationCurve& curve) { return bytesOf(curve.curve) + curve.close.size() / 8; }
std::size_t bytesOf(const HeadAnalysis& head) { return attnscope::bytesOf(head.map) + bytesOf(head.numbers.curve); }

template <class Element>
std::size_t bytesOfEach(const std::vector<Element>& elements)
{
    std::size_t bytes = 0;
    for (const Element& element : elements)
        bytes += sizeof(Element) + bytesOf(element);
    return bytes;
}

}  // namespace

std::size_t bytesOf(const Source& source)
{
    return sizeof source + bytesOfEach(source.heads.queries) + bytesOfEach(source.heads.keys) +
           bytesOfEach(source.heads.tokens) + bytesOfEach(source.heads.queryTokens);
}

/// Queries and keys that several heads share count for each.
std::size_t bytesOf(const AttentionHead& head)
{
    const std::size_t far =
        head.far ? bytesOf(head.far->queryBefore) + bytesOf(head.far->queryAfter) + bytesOf(head.far->key) : 0;
    return sizeof head + bytesOf(head.query) + bytesOf(head.key) + far + (head.bias ? head.bias->bytes() : 0) +
           bytesOf(head.positions);
}

std::size_t bytesOf(const MethodRows& rows) { return sizeof rows + bytesOf(rows.scale) + bytesOf(rows.rows); }
std::size_t bytesOf(const PooledMap& map) { return sizeof map + bytesOf(map.values); }
std::size_t bytesOf(const CurveSample& sample)
{
    return bytesOf(sample.whole) + bytesOf(sample.head) + bytesOf(sample.ranges);
}
std::size_t bytesOf(const MethodCurves& curves)
{
    return bytesOf(curves.lengths) + bytesOfEach(curves.rows) + bytesOf(curves.needle);
}
std::size_t bytesOf(const MeanCurves& curves)
{
    return bytesOf(curves.measured) + bytesOf(curves.largest) + bytesOf(curves.top4) + bytesOf(curves.top16) +
           bytesOf(curves.needle) + bytesOf(curves.entropy);
}
std::size_t bytesOf(const TheoryCurves& curves)
{
    return bytesOf(curves.measure) + bytesOf(curves.entropy) + bytesOf(curves.needle) +
           bytesOfEach(curves.approximations) + bytesOf(curves.sphere);
}
std::size_t bytesOf(const std::optional<MatrixStatistics>& statistics) { return sizeof statistics; }
std::size_t bytesOf(const std::vector<HeadAnalysis>& heads) { return bytesOfEach(heads); }
std::size_t bytesOf(const Result<double>& number) { return sizeof number; }

void AnalysisCache::forgetChangedFiles(const Scenario& scenario)
{
    std::map<std::string, FileStamp> stamps;
    for (const std::string& path : filesOf(scenario))
        stamps.emplace(path, stampOf(path));
    for (const auto& [path, stamp] : stamps)
        if (const auto known = m_files.find(path); known != m_files.end() && known->second != stamp) {
            clear();
            break;
        }
    m_files.merge(stamps);
}

void AnalysisCache::clear()
{
    m_files.clear();
    sources.clear();
    longest.clear();
    longestHeads.clear();
    heads.clear();
    rows.clear();
    maps.clear();
    curveSamples.clear();
    curves.clear();
    meanCurves.clear();
    theory.clear();
    meanRows.clear();
    allHeads.clear();
    theoryScales.clear();
    measuredMultipliers.clear();
}

}  // namespace attnscope

#include "ui/views/cell_reading.h"

#include "core/statistics/measures.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Cells of the matrix that a pixel covers, down and across.
std::pair<double, double> cellsPerPixel(const PooledMap& map)
{
    return {double(map.region.rowEnd - map.region.rowBegin) / std::max(1, map.rows),
            double(map.region.columnEnd - map.region.columnBegin) / std::max(1, map.columns)};
}

/// Qt takes the narrow space within a number for one to break the line at, unless joiners stand beside it.
QString fact(const QString& name, QString value)
{
    return u"<span>%1&nbsp;<b>%2</b></span>"_s.arg(name, value.replace(QChar(0x202F), u"\u2060\u202F\u2060"_s));
}

/// The token's own text, where the file brought it.
QString tokenOf(const std::vector<std::string>& tokens, std::int64_t index)
{
    if (index < 0 || index >= std::ssize(tokens))
        return {};
    return u" \u201C%1\u201D"_s.arg(text(tokens[static_cast<size_t>(index)]).toHtmlEscaped());
}

}  // namespace

std::optional<std::size_t> placeOf(const RowDetail& detail, std::int64_t key)
{
    const auto found = std::ranges::lower_bound(detail.keys, key);
    if (found == detail.keys.end() || *found != key)
        return {};
    return static_cast<std::size_t>(found - detail.keys.begin());
}

const RowSummary* summaryOfRow(const Analysis& analysis, const MethodAnalysis& method, std::int64_t row)
{
    auto index = row;
    if (!analysis.sampledRows.empty()) {
        if (row == analysis.scenario.view.row)
            return &method.chosenSummary;
        const auto found = std::ranges::lower_bound(analysis.sampledRows, row);
        if (found == analysis.sampledRows.end() || *found != row)
            return nullptr;
        index = found - analysis.sampledRows.begin();
    }
    return index >= 0 && index < std::ssize(method.rows) ? &method.rows[static_cast<size_t>(index)] : nullptr;
}

QString cellKind(const PooledMap& map)
{
    const auto [down, across] = cellsPerPixel(map);
    const double high = std::ceil(down), wide = std::ceil(across);  // a weight more or less where it is no whole number
    const QString cells =
        (high > down || wide > across ? u"up to %1 \u00D7 %2"_s : u"%1 \u00D7 %2"_s).arg(number(high), number(wide));
    if (!map.exact)
        return u"preview: a pixel is the middle of %1 weights"_s.arg(cells);
    if (down <= 1 && across <= 1)
        return u"a weight a cell"_s;
    return u"a pixel is the %1 of %2 weights"_s.arg(map.pool == Pool::Mean ? u"mean"_s : u"largest"_s, cells);
}

QString cellKindInShort(const PooledMap& map)
{
    const QString whole = cellKind(map);
    if (!map.exact)
        return whole.section(u':', 0, 0);
    const QString cells = whole.section(u" of "_s, -1);
    return whole == cells ? cells
                          : (map.pool == Pool::Mean ? u"means of %1"_s : u"largest of %1"_s)
                                .arg(cells.section(u" weights"_s, 0, 0));
}

QStringList cellReading(const Analysis& analysis, std::size_t index, const Pointed& at)
{
    const MethodAnalysis& method = analysis.methods[index];
    if (!method.absent.empty())
        return {numbersIn(text(method.absent)).toHtmlEscaped()};
    const std::int64_t row = at.row >= 0 ? at.row : analysis.scenario.view.row;
    QStringList facts;
    const bool isComing = at.key >= 0 && row != analysis.scenario.view.row;  // what is behind it keeps its place
    if (analysis.methods.size() > 1)
        facts << text(method.label).toHtmlEscaped();
    QString weight = isComing ? fact(u"weight"_s, u"\u2026"_s) : u"masked"_s, logit;
    if (const auto found = placeOf(method.chosen, at.key); found && !isComing) {
        weight = fact(u"weight"_s, printed(method.chosen.weights[*found]));
        logit = fact(u"logit"_s, printed(method.chosen.logits[*found]));
    }
    if (at.key >= 0)  // before the others, for nothing else says it
        facts << weight;
    if (!logit.isEmpty())
        facts << logit;
    if (at.key >= 0)
        facts << fact(u"<i>j</i>"_s, countText(double(at.key)) + tokenOf(analysis.tokens, at.key));
    facts << fact(u"<i>i</i>"_s, countText(double(row)) + tokenOf(analysis.queryTokens, row));
    const RowSummary* summary = summaryOfRow(analysis, method, row);
    if (!summary && !analysis.sampledRows.empty())
        facts << u"computing"_s;
    if (summary && summary->visible == 0)
        facts << (method.partly.empty() ? u"sees no key, so it has no weights"_s : text(method.partly).toHtmlEscaped());
    if (summary && summary->visible > 0) {
        facts << fact(u"<i>H</i>"_s, number(summary->entropy) + u" nats"_s)
              << fact(u"<i>e<sup>H</sup></i>"_s, u"%1 of %2"_s.arg(number(effectiveKeys(summary->entropy)))
                                                     .arg(countText(double(summary->visible))));
        if (std::abs(summary->mass - 1) > 1e-3)
            facts << fact(u"\u03A3<i>w</i>"_s, number(summary->mass)) << u"<i>H</i> of the row renormalised"_s;
    }
    return facts;
}

QStringList differenceReading(const Analysis& analysis, std::pair<std::size_t, std::size_t> sides, const Pointed& at)
{
    const MethodAnalysis &one = analysis.methods[sides.first], &other = analysis.methods[sides.second];
    if (!one.absent.empty() || !other.absent.empty())
        return cellReading(analysis, one.absent.empty() ? sides.second : sides.first, at);
    const auto against = [](const QString& a, const QString& b) { return u"%1 against %2"_s.arg(a, b); };
    const std::int64_t row = at.row >= 0 ? at.row : analysis.scenario.view.row;
    QStringList facts{against(text(one.label), text(other.label)).toHtmlEscaped()};
    if (at.key >= 0 && row == analysis.scenario.view.row) {  // in the order of one method's
        const auto here = placeOf(one.chosen, at.key), there = placeOf(other.chosen, at.key);
        const double a = here ? one.chosen.weights[*here] : 0, b = there ? other.chosen.weights[*there] : 0;
        facts << (here && there ? fact(u"weight"_s, against(printed(a), printed(b))) : u"masked"_s);
        if (here && there && b > 0)
            facts << fact(u"ratio"_s, printed(a / b));
    } else if (at.key >= 0) {
        facts << fact(u"weight"_s, u"\u2026"_s);
    }
    if (at.key >= 0)
        facts << fact(u"<i>j</i>"_s, countText(double(at.key)) + tokenOf(analysis.tokens, at.key));
    facts << fact(u"<i>i</i>"_s, countText(double(row)) + tokenOf(analysis.queryTokens, row));
    const RowSummary *first = summaryOfRow(analysis, one, row), *second = summaryOfRow(analysis, other, row);
    if (first && second && first->visible > 0 && second->visible > 0)
        facts << fact(u"<i>H</i>"_s, against(number(first->entropy), number(second->entropy)) + u" nats"_s);
    return facts;
}

}  // namespace attnscope

// What of a model and its study is looked at, and what the runner says of it in words.

#include "ui/workbench/model_runner.h"

#include "core/attention/positions.h"
#include "core/model/shipped_models.h"
#include "core/scaling/scale_method.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/job/pace.h"

#include <algorithm>
#include <limits>

namespace attnscope {

namespace {

constexpr double notMeasured = std::numeric_limits<double>::quiet_NaN();

}  // namespace

QString ModelRunner::positionLabel(const std::string& position) const
{
    const auto choice = parsePositions(position).value_or(std::nullopt);
    if (!choice) {
        return model() ? u"Its own: %1"_s.arg(text(positionInWords(model()->architecture))) : u"The model's own"_s;
    }
    return text(describeChoice(positions(), *choice));
}

QString ModelRunner::combinationLabel(const ShownHead& of) const
{
    const auto& methods = m_document.scenario().methods;
    const auto& positions = m_document.look().model.positions;
    if (of.method >= std::ssize(methods))
        return {};
    const QString method = text(describeChoice(scaleMethods(), methods[static_cast<size_t>(of.method)]));
    return positions.size() > 1 && of.position < std::ssize(positions)
               ? u"%1 (%2)"_s.arg(method, positionLabel(positions[static_cast<size_t>(of.position)]))
               : method;
}

QString ModelRunner::stage() const
{
    const auto so = study();
    if (!so || so->runs == 0)
        return isRunning() ? u"starting"_s : QString();
    if (isRunning())
        return u"%1 of %2 runs%3"_s.arg(so->done).arg(so->runs).arg(m_study.value()->left);
    return so->complete() ? u"all %1 runs are done"_s.arg(so->runs)
                          : u"stopped after %1 of %2 runs"_s.arg(so->done).arg(so->runs);
}

QString ModelRunner::costOfLongest() const
{
    constexpr double worthSaying = 60;  // s
    if (!isRunning() || !study())
        return {};
    const std::int64_t longest = std::ranges::max(m_study.of()->request.lengths);
    const double seconds = secondsFor(longest);
    return seconds < worthSaying
               ? QString()
               : u"n = %1 takes about %2 a run"_s.arg(lengthText(static_cast<double>(longest)), durationText(seconds));
}

double ModelRunner::secondsFor(std::int64_t n) const
{
    return study() && m_study.value()->workSpeed > 0 ? workOf(*model(), n) / m_study.value()->workSpeed : 0;
}

ShownHead ModelRunner::shown() const
{
    const ModelLook& look = m_document.look().model;
    return headUnder({look.position, look.method});
}

std::optional<ShownHead> ModelRunner::beside() const
{
    const ModelLook& look = m_document.look().model;
    if (!look.beside)
        return {};
    const ShownHead head = headUnder(*look.beside);
    return head.policy == shown().policy ? std::nullopt : std::optional(head);
}

/// What the document names, as far as there is that.
ShownHead ModelRunner::headUnder(const Combination& combination) const
{
    const ModelLook& look = m_document.look().model;
    const std::vector<std::int64_t> all = lengths();
    const auto methods = static_cast<int>(m_document.scenario().methods.size());
    ShownHead of;
    of.position = std::clamp(combination.position, 0, std::max(0, static_cast<int>(look.positions.size()) - 1));
    of.method = std::clamp(combination.method, 0, std::max(0, methods - 1));
    of.policy = static_cast<size_t>(of.position * methods + of.method);
    of.n = look.n;
    if (std::find(all.begin(), all.end(), look.n) == all.end() && !all.empty()) {
        // Those that come with the program are small: where dispersion is seen best. Of others what is soon there.
        const bool small = shippedModelAt(folder()) != nullptr;
        const std::int64_t trained = model() ? model()->architecture.trainLength : 0;
        of.n = *std::max_element(all.begin(), all.end());
        for (const std::int64_t n : all)
            if (n > trained && !small)
                of.n = std::min(of.n, n);
    }
    if (model()) {
        of.layer = std::clamp(look.layer, 0, model()->architecture.layers - 1);
        of.head = std::clamp(look.head, 0, model()->architecture.heads - 1);
    }
    return of;
}

const StudyCell* ModelRunner::shownCell(Side side) const
{
    const std::optional<ShownHead> of = side == Side::A ? shown() : beside();
    return of ? cellOf(*of) : nullptr;
}

const StudyCell* ModelRunner::cellOf(const ShownHead& of) const
{
    if (const auto so = study())
        for (const StudyCell& cell : so->cells)
            if (cell.n == of.n && cell.policy == of.policy)
                return &cell;
    return nullptr;
}

HeadValues ModelRunner::measured(Side side) const
{
    const std::optional<ShownHead> shows = side == Side::A ? shown() : beside();
    if (!model() || !shows)
        return {};
    const HeadMeasure& measure = headMeasure(m_document.look().model.measure);
    auto numbers = headNumbers(model()->architecture, study() ? *study() : StudyResult{}, shows->n, shows->policy);
    const auto& solved = of(side).keeps.value();
    const auto& slopes = of(side).gradients.value();
    HeadValues values(numbers.size());
    for (size_t layer = 0; layer < numbers.size(); ++layer)
        for (size_t head = 0; head < numbers[layer].size(); ++head) {
            if (solved && layer < solved->multipliers.size() && head < solved->multipliers[layer].size())
                numbers[layer][head].keepsEntropy = solved->multipliers[layer][head];
            if (slopes && layer < slopes->of.of.size() && slopes->of.of[layer][head])
                numbers[layer][head].gradient = slopes->of.of[layer][head]->mean;
            values[layer].push_back(measure.value(numbers[layer][head]).value_or(notMeasured));
        }
    return values;
}

QString ModelRunner::nothingMeasured() const
{
    if (!model())
        return {};
    const ShownHead of = shown();
    const HeadMeasure& measure = headMeasure(m_document.look().model.measure);
    if (measure.solved && of.n <= model()->architecture.trainLength)
        return u"Up to N = %1 m = 1 keeps every entropy; choose a longer n"_s.arg(
            lengthText(static_cast<double>(model()->architecture.trainLength)));
    if (std::ssize(lengths()) < measure.lengths)
        return u"A slope needs two lengths"_s;
    for (const Side side : {Side::A, Side::B})
        if (const StudyCell* cell = shownCell(side); cell && !cell->absent.empty())
            return QString::fromStdString(cell->absent);
    if (measure.solved && m_a.keeps.value() && !m_a.keeps.value()->error.isEmpty())
        return m_a.keeps.value()->error;
    if (measure.ofLosses && m_a.gradients.value() && !m_a.gradients.value()->error.isEmpty())
        return m_a.gradients.value()->error;
    if (measure.ofLosses && (m_a.gradients.isComputing() || m_b.gradients.isComputing())) {
        const auto& so = m_a.gradients.isComputing() ? m_a.gradients.value() : m_b.gradients.value();
        if (so && so->of.byDifferences())
            return u"%1 % of the heads so far: every window runs twice for each"_s.arg(int(100 * so->progress));
        return u"%1 % of the windows so far"_s.arg(so ? int(100 * so->progress) : 0);
    }
    if (measure.ofLosses && isRunning())
        return u"after the runs are done"_s;
    if ((measure.solved || measure.ofLosses) && m_stopped)
        return u"Stopped; Measure again does the rest"_s;
    return {};
}

QString ModelRunner::howMeasured() const
{
    const HeadMeasure& measure = headMeasure(m_document.look().model.measure);
    if (measure.ofLosses)
        return m_a.gradients.value() ? u"by %1"_s.arg(text(m_a.gradients.value()->of.by)) : QString();
    const StudyCell* cell = measure.solved ? nullptr : shownCell();
    return cell ? text(headRowsInWords(*cell)) : QString();
}

QString ModelRunner::nothingWritten(Side side) const
{
    if (!model() || written(side).tokens > 0)
        return {};
    if (!written(side).error.isEmpty())
        return written(side).error;
    if (!model()->tokenizer)
        return QString::fromStdString(model()->withoutTokenizer);
    return isRunning() ? u"It writes when the runs are done."_s
           : m_stopped ? u"It was stopped before it wrote; Measure again lets it write."_s
                       : u"writing\u2026"_s;
}

}  // namespace attnscope

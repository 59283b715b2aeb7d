#include "ui/window/model/scale_tables.h"

#include "ui/plot/qt_text.h"
#include "ui/window/views/value_table.h"

#include <cmath>

namespace attnscope {

namespace {

namespace compared {
enum Column { What, Against, At, Difference, Interval, Holm };
}
namespace ofHead {
enum Column { Layer, Head, Gradient, GradientError, Found, Keeps, EntropyAtTrain, EntropyAtN };
}
namespace ofTried {
enum Column { Described, Multiplier, Change, Loss, Windows };
}

QString nameOf(const std::string& side, const TuneReport& report)
{
    if (side == "tuned")
        return text(describe(report.tuned, report.at));
    if (side == "published")
        return text(report.published.published);
    return tr("as it is");
}

QString shortly(double value) { return text(formatNumber(value, 3)); }

double valueOf(const std::optional<double>& value) { return value.value_or(noValue); }

QString aboutGradients()
{
    return tr(
        "How the loss changes where this head alone gets sharper, where the search began; below 0: it wants to be "
        "sharper. Known where layers or heads were searched");
}

}  // namespace

ValueTable* comparisonTable()
{
    return new ValueTable(
        tr("What was compared"),
        {{tr("What"), tr("What was found, or the published method that was best on the windows to fit on")},
         {tr("Against"), tr("What its loss is less than")},
         {tr("n"), tr("Tokens of a window; at N and below it is what it costs there")},
         {tr("\u0394 nats"),
          tr("Mean difference of the losses on windows that nothing was fitted on, window by window; "
             "below 0: it predicts better")},
         {tr("95 %"), tr("Interval of the difference, Student's")},
         {tr("p"), tr("Paired t-test, two-sided, adjusted by Holm over all rows; below 0.05 the difference counts")}});
}

ValueTable* headTable()
{
    return new ValueTable(tr("Heads of the model"),
                          {{tr("Layer"), tr("From 0")},
                           {tr("Head"), tr("From 0; a dash: all of a layer")},
                           {tr("dL / d ln m"), aboutGradients()},
                           {tr("\u00B1"), tr("Its standard error over windows")},
                           {tr("m found"), tr("The multiplier that was found for it")},
                           {tr("m keeps"), tr("The multiplier that keeps its own entropy of N tokens at n")},
                           {tr("H(N)"), tr("Its mean entropy at N tokens, nats")},
                           {tr("H(n)"), tr("Its mean entropy at n tokens, nats")}});
}

ValueTable* triedTable()
{
    return new ValueTable(tr("What was tried"),
                          {{tr("Setting"), tr("What was put into the model")},
                           {tr("m at n"), tr("Its multiplier of a row that sees n keys; a dash: heads have their own")},
                           {tr("\u0394 nats"), tr("Loss less that of the model as it is, over the same windows")},
                           {tr("Loss"), tr("Mean over these windows, nats")},
                           {tr("Windows"), tr("How many of the windows to fit on it was tried on")}});
}

void fillComparisons(ValueTable& table, const TuneReport* report)
{
    table.setRowCount(report ? static_cast<int>(report->comparisons.size()) : 0);
    for (int row = 0; row < table.rowCount(); ++row) {
        const Comparison& one = report->comparisons[static_cast<std::size_t>(row)];
        table.setWords(row, compared::What, nameOf(one.what, *report));
        table.setWords(row, compared::Against, nameOf(one.against, *report));
        table.setNumber(row, compared::At, static_cast<double>(one.n), 7);
        table.setNumber(row, compared::Difference, one.difference.mean, 3);
        table.setWords(row, compared::Interval,
                       std::isfinite(one.low) ? tr("%1 to %2").arg(shortly(one.low), shortly(one.high))
                                              : QStringLiteral("\u2013"));
        table.setNumber(row, compared::Holm, valueOf(one.holm), 2);
    }
    table.fitColumns();
}

void fillHeads(ValueTable& table, const TuneReport* report)
{
    table.setSortingEnabled(false);
    table.setRowCount(report ? static_cast<int>(report->heads.size()) : 0);
    bool known = false;
    for (int row = 0; row < table.rowCount(); ++row) {
        const HeadRow& one = report->heads[static_cast<std::size_t>(row)];
        known = known || one.gradient.has_value();
        table.setNumber(row, ofHead::Layer, one.layer);
        table.setNumber(row, ofHead::Head, one.head < 0 ? noValue : one.head);
        table.setNumber(row, ofHead::Gradient, valueOf(one.gradient), 3);
        table.setNumber(row, ofHead::GradientError, valueOf(one.error), 2);
        table.setNumber(row, ofHead::Found, one.multiplier, 4);
        table.setNumber(row, ofHead::Keeps, valueOf(one.measured), 3);
        table.setNumber(row, ofHead::EntropyAtTrain, valueOf(one.entropyAtTrain), 3);
        table.setNumber(row, ofHead::EntropyAtN, valueOf(one.entropyAtN), 3);
    }
    QString teaches = aboutGradients();
    if (known)
        teaches += tr(". Here by %1").arg(text(report->gradientsBy));
    table.horizontalHeaderItem(ofHead::Gradient)->setToolTip(teaches);
    table.setSortingEnabled(true);
    if (known)
        table.sortItems(ofHead::Gradient, Qt::AscendingOrder);
    else
        table.sortItems(ofHead::Keeps, Qt::DescendingOrder);
    table.fitColumns();
}

void fillTried(ValueTable& table, const std::vector<TriedSetting>& tried, const TunedAt& at, int headSize)
{
    table.setSortingEnabled(false);
    table.setRowCount(static_cast<int>(tried.size()));
    for (int row = 0; row < table.rowCount(); ++row) {
        const TriedSetting& one = tried[static_cast<std::size_t>(row)];
        table.setWords(row, ofTried::Described,
                       text(one.published.empty() ? describe(one.setting, at) : one.published));
        table.setNumber(row, ofTried::Multiplier, valueOf(multiplierAt(one.setting, at, headSize)), 4);
        table.setNumber(row, ofTried::Change, one.change, 3);
        table.setNumber(row, ofTried::Loss, one.loss, 5);
        table.setNumber(row, ofTried::Windows, static_cast<double>(one.windows), 4);
    }
    table.setSortingEnabled(true);
    table.sortItems(ofTried::Change, Qt::AscendingOrder);
    table.fitColumns();
}

}  // namespace attnscope

#include "ui/model/scale_tables.h"

#include "core/tuning/verdict.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/value_table.h"

#include <cmath>

namespace attnscope {

namespace {

namespace compared {
enum Column { What, Against, At, Judged, Difference, Holm, Interval };  // the first are in sight in little room
}
namespace ofHead {
enum Column { Layer, Head, Gradient, GradientError, Found, Keeps, EntropyAtTrain, EntropyAtN };
}
namespace ofTried {
enum Column { Described, Multiplier, Change, Windows, Loss, AsItIs };
}

QString nameOf(const std::string& side, const TuneReport& report)
{
    if (side == "tuned")
        return text(describe(report.tuned, report.at));
    if (side == "published")
        return text(report.published.published);
    return u"as it is"_s;
}

double valueOf(const std::optional<double>& value) { return value.value_or(noValue); }

QString aboutGradients()
{
    return u"How the loss changes where this head alone gets sharper, where the search began; below 0: it wants to be "
           "sharper. Known where layers or heads were searched"_s;
}

}  // namespace

ValueTable* comparisonTable()
{
    auto* table = new ValueTable(
        u"What was compared"_s,
        {{u"What"_s, u"What was found, or the published method that was best on the windows to fit on"_s},
         {u"Against"_s, u"What its loss is less than"_s, true},
         {u"n"_s, u"Tokens of a window; at N and below it is what it costs there"_s},
         {u"Verdict"_s, u"Whether it predicts better, which gains, or worse, by more than chance"_s, true},
         {u"\u0394 nats"_s, u"Mean difference of the losses on windows that nothing was fitted on, window by window; "
                            "below 0: it predicts better"_s},
         {u"p"_s, u"Paired t-test, two-sided, Holm-corrected for all rows; below 0.05 the difference counts"_s},
         {u"95 %"_s, u"Interval of the difference, Student's"_s, false, compared::Difference}});
    table->letColumnsLeave(compared::Holm);
    return table;
}

ValueTable* headTable()
{
    return new ValueTable(u"Heads of the model"_s,
                          {{u"Layer"_s, u"From 0"_s},
                           {u"Head"_s, u"From 0; a dash: all of a layer"_s},
                           {u"dL / d ln m"_s, aboutGradients()},
                           {u"std. error"_s, u"Of dL / d ln m, over windows"_s, false, ofHead::Gradient},
                           {u"m found"_s, u"The multiplier that was found for it"_s},
                           {u"m keeps"_s, u"The multiplier that keeps its own entropy of N tokens at n"_s},
                           {u"H(N)"_s, u"Its mean entropy at N tokens, nats"_s},
                           {u"H(n)"_s, u"Its mean entropy at n tokens, nats"_s}});
}

ValueTable* triedTable()
{
    return new ValueTable(
        u"What was tried"_s,
        {{u"Setting"_s, u"What was put into the model; \u201Cconstant m\u201D: one multiplier on all logits"_s},
         {u"m at n"_s, u"Its multiplier of a row that sees n keys; a dash: heads have their own"_s},
         {u"\u0394 nats"_s, u"Loss minus that of the model as it is, over the same windows"_s},
         {u"Windows"_s, u"How many of the search windows it was tried on. Those that ran on all stand first; rows of "
                        "fewer stand in a group of their own, and are compared with nothing in another group"_s},
         {u"Loss"_s, u"Mean over all tokens of these windows, nats. Heads and quality scores other windows, and as "
                     "many of their last tokens as Score last says, so that its loss is another number"_s},
         {u"As it is"_s, u"The loss of the model as it is over the same windows, nats"_s, false, ofTried::Loss}});
}

void fillComparisons(ValueTable& table, const TuneReport* report)
{
    table.setSortingEnabled(false);
    table.setRowCount(report ? static_cast<int>(report->comparisons.size()) : 0);
    for (int row = 0; row < table.rowCount(); ++row) {
        const Comparison& one = report->comparisons[static_cast<std::size_t>(row)];
        table.setWords(row, compared::What, nameOf(one.what, *report));
        table.setWords(row, compared::Against, nameOf(one.against, *report));
        table.setNumber(row, compared::At, static_cast<double>(one.n), 7);
        table.setWords(row, compared::Judged, text(judgedInShort(one)));
        table.setMeasured(row, compared::Difference, one.difference.mean, valueOf(one.difference.standardError));
        table.setRange(row, compared::Interval, one.low, one.high);
        table.setProbability(row, compared::Holm, valueOf(one.holm));
    }
    table.setSortingEnabled(true);
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
        table.setMeasured(row, ofHead::Gradient, valueOf(one.gradient), valueOf(one.error));
        table.setNumber(row, ofHead::GradientError, valueOf(one.error), 2);
        table.setNumber(row, ofHead::Found, one.multiplier, 4);
        table.setNumber(row, ofHead::Keeps, valueOf(one.measured), 3);
        table.setNumber(row, ofHead::EntropyAtTrain, valueOf(one.entropyAtTrain), 3);
        table.setNumber(row, ofHead::EntropyAtN, valueOf(one.entropyAtN), 3);
    }
    QString teaches = aboutGradients();
    if (known)
        teaches += u". Here by %1"_s.arg(text(report->gradientsBy));
    for (const int column : {ofHead::Gradient, ofHead::GradientError})
        table.offerColumn(column, known);
    table.horizontalHeaderItem(ofHead::Gradient)->setToolTip(teaches);
    if (known)
        table.sortAgain(ofHead::Gradient, Qt::AscendingOrder);
    else
        table.sortAgain(ofHead::Keeps, Qt::DescendingOrder);
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
        table.setNumber(row, ofTried::Multiplier, valueOf(multiplierAt(one.setting, at, headSize)), 5);
        table.setNumber(row, ofTried::Change, one.change, 3);
        table.setNumber(row, ofTried::Windows, static_cast<double>(one.windows), 4);
        table.setNumber(row, ofTried::Loss, one.loss, 5);
        table.setNumber(row, ofTried::AsItIs, one.loss - one.change, 5);
        table.setGroup(row, -static_cast<int>(one.windows));
    }
    for (int row = 0; row < table.rowCount(); ++row)  // its number stands beside it
        if (const Setting& of = tried[static_cast<std::size_t>(row)].setting; of.rule == "constant")
            if (table.item(row, 0)->text() == u"m = "_s + text(formatNumber(of.multiplier, 4)))
                table.setWords(row, ofTried::Described, u"constant m"_s);
    table.sortAgain(ofTried::Change, Qt::AscendingOrder);
    table.fitColumns();
}

}  // namespace attnscope

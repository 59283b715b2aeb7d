#include "ui/window/views/statistics_view.h"

#include "ui/window/controls/line_swatch.h"
#include "ui/window/pointer.h"

#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr int methodRole = Qt::UserRole + 1;
constexpr int digits[] = {4, 4, 2, 3, 3, 3, 3, 4, 4};
constexpr int firstSlowColumn = 8;  // mutual information and m for H(N)
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A mean over rows, or none where no row has a value.
double meanOf(const Spread& spread) { return spread.count > 0 ? spread.mean : none; }

}  // namespace

StatisticsView::StatisticsView(Analyser& analyser, Pointer& pointer, QWidget* parent)
    : ValueTable(tr("Statistics of the ticked methods"),
                 {{tr("Method"), tr("The ticked methods")},
                  {tr("m/\u03C4"), tr("The multiplier of the last row's logits, over the temperature")},
                  {tr("Entropy H"), tr("Mean over the rows, in nats")},
                  {tr("\u00B1"), tr("Standard error of the mean, in nats")},
                  {tr("Largest w"), tr("Mean of the rows' largest weights")},
                  {tr("Top 4"), tr("Mean weight of a row's four most attended keys together")},
                  {tr("KL"), tr("Of the chosen row: Kullback-Leibler divergence from the first ticked method, in nats")},
                  {tr("TV"), tr("Of the chosen row: total variation from the first ticked method, 0 (the same) to 1 (disjoint)")},
                  {tr("Mutual inf."), tr("How much a row tells about the key it looks at: H of the mean row less the mean H, in nats")},
                  {tr("m for H(N)"), tr("The multiplier that would give these rows the mean entropy that they have at N (above 2 048 keys from 512 rows); a dash: none does")}},
                 parent)
{
    setIconSize({18, 12});
    setMouseTracking(true);
    connect(&analyser, &Analyser::arrived, this, &StatisticsView::show);
    connect(&pointer, &Pointer::moved, this, &StatisticsView::mark);
    connect(this, &QTableWidget::itemEntered, &pointer, [&pointer](const QTableWidgetItem* entered) {
        pointer.point({.method = entered->data(methodRole).toInt()});
    });
    connect(this, &ValueTable::pointerLeft, &pointer, &Pointer::leave);
}

/// The line of the method that is pointed at in any view is tinted.
void StatisticsView::mark(const Pointed& at)
{
    for (int row = 0; row < rowCount(); ++row) {
        const bool pointed = at.method >= 0 && item(row, 0) && item(row, 0)->data(methodRole).toInt() == at.method;
        tintRow(row, pointed);
    }
}

void StatisticsView::show(const AnalysisPtr& analysis)
{
    setSortingEnabled(false);
    const int count = rowCount();
    setRowCount(static_cast<int>(analysis->methods.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const MethodAnalysis& method = analysis->methods[static_cast<size_t>(row)];
        const bool absent = !method.absent.empty();
        setWords(row, 0, QString::fromStdString(method.label), LineSwatch::icon(row));
        for (int column = 0; column < columnCount(); ++column)
            cell(row, column)->setData(methodRole, row);
        item(row, 0)->setToolTip(QString::fromStdString(absent ? method.absent : method.worked));
        const double values[] = {method.scale.empty() ? none : double(method.scale.back()),
                                 meanOf(method.entropy),
                                 method.entropy.count > 0 ? method.entropy.standardError : none,
                                 meanOf(method.largestWeight),
                                 meanOf(method.top4Mass),
                                 method.fromFirst ? method.fromFirst->kl : none,
                                 method.fromFirst ? method.fromFirst->variation : none,
                                 method.matrix ? method.matrix->mutualInformation : none,
                                 method.keepsEntropy.value_or(none)};
        for (int column = 1; column < columnCount(); ++column)
            if (column >= firstSlowColumn && !analysis->scenario.view.table)
                setWords(row, column, QStringLiteral("\u2026"));  // still to come
            else
                setNumber(row, column, absent ? none : values[column - 1], digits[column - 1]);
    }
    setSortingEnabled(true);
    if (analysis->scenario.view.table || count != rowCount())  // not at every step of a drag
        fitColumns();
}

}  // namespace attnscope

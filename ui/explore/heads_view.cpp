#include "ui/explore/heads_view.h"

#include "core/statistics/measures.h"
#include "ui/plot/heatmap_plottable.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/document.h"

#include <QHeaderView>
#include <QPainter>
#include <QScopedValueRollback>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int thumbnail = 36;
constexpr int headRole = Qt::UserRole + 1;

QIcon thumbnailOf(const PooledMap& map)
{
    if (map.values.empty())
        return {};
    const PooledMap* maps[] = {&map};
    const QImage image = heatmapImage(map, weightScale(largestOf(maps), true));
    return QIcon(QPixmap::fromImage(
        image.scaled(2 * thumbnail, 2 * thumbnail, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)));
}

}  // namespace

HeadsView::HeadsView(Document& document, Analyser& analyser, QWidget* parent)
    : ValueTable(
          u"Heads of the layer"_s,
          {{u"Head"_s,
            u"Choose a row to look at that head, several (Ctrl or Shift and a click) to look at their mean"_s},
           {u"Entropy H"_s, u"Mean row entropy under the first ticked method, in nats"_s},
           {u"e^H"_s, u"Effective tokens: how many keys a row attends to, as if evenly: e to the mean entropy"_s},
           {u"Largest w"_s, u"Mean of the rows' largest weights"_s},
           {u"Sinks"_s, u"Mean weight of the first four keys together"_s},
           {u"Distance"_s, u"Locality: the mean distance between a query and the keys it attends to, in tokens"_s},
           {u"m for H(N)"_s,
            u"Measured: the multiplier that keeps the mean entropy of N of the head's rows that count (above 2 048 "
            "tokens from 512 rows); a dash: none does"_s},
           {u"m, theory"_s,
            u"The entropy-invariant scale \u03BB*\u221Ad: the multiplier that keeps the expected entropy of N for "
            u"random "
            "queries and keys, of the same rows. The measured one beside it is near it in Gaussian heads, and far from "
            "it where the theory does not hold"_s}},
          parent),
      m_document(document)
{
    setIconSize({thumbnail, thumbnail});
    verticalHeader()->setDefaultSectionSize(thumbnail + 6);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    constexpr int staying = 4;  // down to the largest weight
    letColumnsLeave(staying);
    connect(&analyser, &Analyser::arrived, this, &HeadsView::show);
    connect(&document, &Document::changed, this, &HeadsView::selectHeads);
    connect(this, &QTableWidget::itemSelectionChanged, this, &HeadsView::chooseSelected);
}

/// One row: that head. Several: their mean.
void HeadsView::chooseSelected()
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (m_showing || rows.isEmpty())
        return;
    std::vector<int> heads;
    for (const QModelIndex& row : rows)
        heads.push_back(headAt(row.row()));
    std::sort(heads.begin(), heads.end());
    const int current =
        currentRow() >= 0 && selectionModel()->isRowSelected(currentRow()) ? headAt(currentRow()) : heads.front();
    m_document.editOnce(heads.size() > 1 ? u"Mean of heads"_s : u"Head"_s, [&](Scenario& scenario) {
        scenario.tensors.head = current;
        scenario.tensors.mean = heads.size() > 1 ? heads : std::vector<int>{};
    });
}

int HeadsView::headAt(int row) const { return item(row, 0) ? item(row, 0)->data(headRole).toInt() : -1; }

void HeadsView::show(const AnalysisPtr& analysis)
{
    if (analysis->heads.empty() && rowCount() == 0)
        return;
    const QScopedValueRollback rollback(m_showing, true);
    const double theory = analysis->theoryKeepsEntropy.value_or(noValue);
    setSortingEnabled(false);
    setRowCount(static_cast<int>(analysis->heads.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const HeadAnalysis& head = analysis->heads[static_cast<size_t>(row)];
        setWords(row, 0, u"%1"_s.arg(head.head), thumbnailOf(head.map));
        item(row, 0)->setData(headRole, head.head);
        item(row, 0)->setData(Qt::UserRole, double(head.head));  // sorted as a number
        const HeadNumbers& numbers = head.numbers;
        const auto known = [&](double value) { return numbers.absent.empty() ? value : noValue; };
        const double values[] = {known(numbers.entropy),
                                 known(effectiveKeys(numbers.entropy)),
                                 known(numbers.maxWeight),
                                 known(numbers.roles[HeadRole::Sinks]),
                                 known(numbers.meanDistance),
                                 numbers.keepsEntropy.value_or(noValue),
                                 theory};
        for (int column = 1; column < columnCount(); ++column)
            setNumber(row, column, values[column - 1], 3);
        item(row, 6)->setToolTip(text(numbers.notKept));
    }
    setSortingEnabled(true);
    fitColumns();
    selectHeads();
}

void HeadsView::selectHeads()
{
    const QScopedValueRollback rollback(m_showing, true);
    const TensorSelection& tensors = m_document.scenario().tensors;
    const auto isChosen = [&](int head) {
        return tensors.mean.empty() ? head == tensors.head
                                    : std::find(tensors.mean.begin(), tensors.mean.end(), head) != tensors.mean.end();
    };
    QItemSelection chosen;
    for (int row = 0; row < rowCount(); ++row) {
        if (isChosen(headAt(row)))
            chosen.select(model()->index(row, 0), model()->index(row, columnCount() - 1));
        if (headAt(row) == tensors.head && currentRow() != row)
            selectionModel()->setCurrentIndex(model()->index(row, 0), QItemSelectionModel::NoUpdate);
    }
    selectionModel()->select(chosen, QItemSelectionModel::ClearAndSelect);
}

}  // namespace attnscope

#include "moc_heads_view.cpp"

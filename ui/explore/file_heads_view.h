#pragma once
// Whose entropy moves most: every head of every layer as a cell, and beside it as a row that can be sorted.
// A click in either looks at that head.

#include "ui/explore/file_heads.h"
#include "ui/workbench/open_tensors.h"

#include <QPoint>
#include <QSize>
#include <QWidget>

#include <string>
#include <utility>

class QComboBox;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace attnscope {

class ChartView;
class ElidedLabel;
class HeadOverview;
struct HeadMeasure;
class ValueTable;

class FileHeadsView : public QWidget {
    Q_OBJECT
public:
    FileHeadsView(Document& document, FileOffers& offers, QWidget* parent = nullptr);
    HeadOverview* overview() const { return m_overview; }
    ValueTable* table() const { return m_table; }
    QComboBox* measure() const { return m_measure; }
    /// The heads are coloured by it, and the one with the most of it stands first.
    void rankBy(const HeadMeasure& measure);
    /// To a length at which the multipliers tell something.
    QPushButton* longer() const { return m_longer; }
    /// The table gives way to the heads' lines over the files of their run, or the writings of their file; hidden where
    /// there is one.
    QToolButton* overTime() const { return m_overTime; }
    ChartView* lines() const { return m_lines; }
    FileHeads& heads() { return m_heads; }
    QString said() const;
    /// The head under the pointer, or what the table is of: for the title of the panel.
    QWidget* caption() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void show();
    void showTable();
    void showLines();
    bool showsTable() const;
    void shareRoom();
    void showChosen();
    void say(const QString& pointed);
    /// `path`: of another file of its run; empty: of this one.
    void choose(int layer, int head, const std::string& path = {});
    std::string fileNearTo(double x) const;
    QString ofRun() const;
    std::optional<BeyondTrained> longerLength() const;

    Document& m_document;
    FileOffers& m_offers;
    FileHeads m_heads;
    QComboBox* m_measure;
    QPushButton* m_longer;
    ElidedLabel* m_said;
    QSplitter* m_parts;
    HeadOverview* m_overview;
    QStackedWidget* m_side;  ///< the table, or the lines
    ValueTable* m_table;
    ChartView* m_lines;
    QToolButton* m_overTime;
    std::vector<QPoint> m_headOfLine;
    QPoint m_chosen{-1, -1};  ///< layer and head
    bool m_showing = false;
    std::pair<QSize, QSize> m_shared;  ///< of which room there was and what the cells wanted, when they had it
};

}  // namespace attnscope

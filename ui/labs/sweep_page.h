#pragma once
// A sweep's folder in the Labs workspace: which of its columns stand across, up, in colour and in facets, and the
// charts of that, means with standard errors, with what is averaged said in words. While it is looked at the folder is
// looked at too, once a second, so that a sweep that runs grows. Reading and averaging are a thread's of their own.

#include "core/base/file_stamp.h"
#include "core/sweep/sweep_view.h"
#include "ui/job/latest_job.h"
#include "ui/plot/chart.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <memory>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace attnscope {

class ChartView;
class SeriesLegend;

class SweepPage : public QWidget {
    Q_OBJECT
public:
    explicit SweepPage(const QString& folder, QWidget* parent = nullptr);

    QWidget* controls() const { return m_side; }
    const QString& folder() const { return m_folder; }
    /// Read and drawn, or the error is said.
    bool isSettled() const { return m_settled; }
    const SweepChoice& choice() const { return m_choice; }
    void setChoice(const SweepChoice& choice);
    /// Those that are shown.
    std::vector<ChartView*> charts() const;
    QString words() const;
    QString state() const;
    QComboBox& list(const char* which);  ///< "x", "y", "colour", "facet"
    /// Looks whether the folder has changed, as the clock does.
    void look();

signals:
    void settled();
    void closeAsked();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Made {
        std::shared_ptr<const SweepFolder> folder;
        std::vector<SweepColumn> columns;
        SweepChoice choice;
        SweepView view;
        std::string error;
    };
    using Stamps = std::array<FileStamp, 3>;
    Stamps stamps() const;
    void buildSide();
    void startJob(bool readAgain);
    void take(Made made);
    void listColumns();
    void chooseFromLists();
    void showCharts();
    void showState();

    QString m_folder;
    Made m_made;
    SweepChoice m_choice;
    bool m_chosen = false, m_settled = false, m_readsAgain = false, m_logChosen = false;
    Stamps m_seen;
    QTimer m_clock;
    QWidget* m_side;
    QLabel *m_name, *m_state, *m_words, *m_nothing;
    QProgressBar* m_bar;
    QComboBox *m_x, *m_y, *m_colour, *m_facet;
    QCheckBox *m_logX, *m_logY;
    QPushButton* m_close;
    SeriesLegend* m_legend;
    QGridLayout* m_grid;
    std::vector<ChartView*> m_charts;
    LatestJob<Made> m_job;
};

}  // namespace attnscope

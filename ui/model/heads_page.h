#pragma once
// The tab "Heads and quality" of the Model workspace: all of a model's heads and one of them (head_overview.h,
// head_view.h), and how well it predicts (model_results.h). Before there is a model, what helps.

#include "ui/workbench/model_runner.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace attnscope {

class AnswerLine;
class ElidedLabel;
class HeadOverview;
class HeadView;
class LengthScrubber;
class LineSwatch;
class ModelResults;
class ScaleFinder;
class WhenSeen;
struct Workbench;

class HeadsPage : public QWidget {
    Q_OBJECT
public:
    explicit HeadsPage(Workbench& bench, QWidget* parent = nullptr);

    /// What it is set by, n, and what it says.
    LengthScrubber* line() const { return m_scrubber; }
    AnswerLine* stage() const { return m_answer; }

    HeadOverview* overview() const { return m_overview; }
    HeadView* head() const { return m_head; }
    ModelResults* results() const { return m_results; }
    QComboBox* position() const { return m_position; }
    QComboBox* method() const { return m_method; }
    /// Which combination stands beside the chosen one; the first item: none.
    QComboBox* beside() const { return m_beside; }
    QComboBox* measure() const { return m_measure; }

    /// At the head with the most of what they are coloured by.
    void lookAtMost();
    void setOnStage(bool on);

signals:
    void fileAsked();
    void folderAsked();
    void manualAsked();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildNothing();
    QWidget* buildCentre();
    LengthScrubber* buildScrubber();
    void showOpened();
    void show();
    void showNothing();
    void showLengths(const std::vector<std::int64_t>& lengths, std::int64_t n);
    void showPositions(bool shown);
    void showBeside();
    void giveHeadsRoom(bool two);
    void giveMapRoom(int map);
    void showAnswer();
    QString searchInWords(const QString& windows) const;
    void showHeads();
    void say(const QString& ofHeads, const QString& before);
    QString aboutHeads() const;

    Document& m_document;
    ModelRunner& m_runner;
    ScaleFinder& m_finder;
    QStackedWidget* m_middle;  ///< nothing, or the heads
    QLabel *m_title, *m_nothing;
    QPushButton *m_random = nullptr, *m_open = nullptr;  ///< where there is nothing: what helps
    QWidget* m_others = nullptr;                         ///< these two and others
    QSplitter *m_heads, *m_halves;
    int m_layers = 0;                          ///< that the heads have room for
    QByteArray m_withoutBeside, m_headsAlone;  ///< of m_halves and m_heads, while a second head is shown
    bool m_twoHeads = false, m_onStage = false;
    LengthScrubber* m_scrubber;
    LineSwatch* m_swatch;
    QWidget* m_positionCaption = nullptr;
    QComboBox *m_position, *m_method, *m_beside, *m_measure;
    ElidedLabel* m_said;
    HeadOverview* m_overview;
    HeadView* m_head;
    ModelResults* m_results;
    QWidget* m_right;
    AnswerLine* m_answer;
    WhenSeen &m_show, &m_showHeads;
};

}  // namespace attnscope

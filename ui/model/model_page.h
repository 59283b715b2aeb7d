#pragma once
// The Model workspace: what a scale does to a published transformer. Left what is run (model_controls.h), in the middle
// all of its heads and one of them (head_overview.h, head_view.h), at the right how well it predicts (model_results.h);
// or in place of both, which scale is best for it (scale_page.h), or what it finds again that stands far back
// (probe_page.h).

#include "ui/workbench/model_runner.h"

#include <QWidget>

#include <map>
#include <string>

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace attnscope {

class AnswerLine;
class ElidedLabel;
class HeadOverview;
struct HeadMeasure;
class HeadView;
class LengthScrubber;
class LineSwatch;
class MessageBar;
class ModelControls;
class ModelResults;
class ProbePage;
class ScalePage;
class WhenSeen;
struct Workbench;

class ModelPage : public QWidget {
    Q_OBJECT
public:
    ModelPage(Workbench& bench, MessageBar& messages, QWidget* parent = nullptr);
    /// A model's folder or file; what is wrong with it is said in the message bar.
    void open(const QString& folder);

    ModelRunner& runner() { return m_runner; }
    ModelControls* controls() const { return m_controls; }
    HeadOverview* overview() const { return m_overview; }
    HeadView* head() const { return m_head; }
    ModelResults* results() const { return m_results; }
    ScalePage* scale() const { return m_scale; }
    ProbePage* probes() const { return m_probes; }
    AnswerLine* answer() const { return m_answer; }
    QTabBar* tabs() const { return m_tabs; }
    /// The heads are coloured by it, and the one with the most of it is looked at.
    void rankHeadsBy(const HeadMeasure& measure);
    /// Shows where that is done, and what was found as this program of exportTargets() takes it; empty: as before.
    void findScale(const QString& target = {});
    void showProbes();
    LengthScrubber* scrubber() const { return m_scrubber; }
    /// Without what is set and not looked at.
    void setOnStage(bool on);
    QComboBox* position() const { return m_position; }
    QComboBox* method() const { return m_method; }
    /// Which combination stands beside the chosen one; the first item: none.
    QComboBox* beside() const { return m_beside; }
    QComboBox* measure() const { return m_measure; }

signals:
    void fileAsked();
    void folderAsked();
    void foundAsked(const QString& path);
    void manualAsked();
    void sourceAsked(const QString& id);
    /// The queries and keys of the model are in this file of tensors, and this head is to be looked at.
    void headKept(const QString& path, int layer, int head);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildNothing();
    QWidget* buildCentre();
    QTabBar* buildTabs();
    LengthScrubber* buildScrubber();
    void show();
    void showHeads();
    void showBeside();
    void giveHeadsRoom(bool two);
    QString aboutHeads() const;
    void say(const QString& ofHeads, const QString& before);
    void showAnswer();
    QString searchInWords(const QString& windows) const;
    void showLengths(const std::vector<std::int64_t>& lengths, std::int64_t n);
    void showOpened();
    void sayError();
    void takeWidthsAgain();

    Document& m_document;
    MessageBar& m_messages;
    std::map<std::string, ModelLook> m_left;  ///< how a model was left for another: so it comes back
    QString m_refused;                        ///< the last message about a field
    QString m_error;                          ///< the last one of the runner's
    ModelRunner& m_runner;
    ModelControls* m_controls;
    QStackedWidget* m_middle;
    QLabel *m_title, *m_nothing;
    QPushButton *m_random = nullptr, *m_open = nullptr;  ///< where there is nothing: what helps
    QSplitter *m_heads, *m_halves = nullptr;
    QByteArray m_withoutBeside;  ///< of m_halves, while a second head is shown
    bool m_twoHeads = false;
    QTabBar* m_tabs;
    LengthScrubber* m_scrubber;
    QStackedWidget *m_lines, *m_stages;  ///< a page a tab: what it is set by, and a line of what it says
    QStackedWidget* m_parts;             ///< a page a tab
    QWidget *m_settings, *m_right;
    QList<QByteArray> m_widths;  ///< of panes, before the stage
    bool m_seen = false, m_onStage = false;
    LineSwatch* m_swatch;
    QWidget* m_positionCaption = nullptr;
    QComboBox *m_position, *m_method, *m_beside, *m_measure;
    ElidedLabel* m_said;
    HeadOverview* m_overview;
    HeadView* m_head;
    ModelResults* m_results;
    ScalePage* m_scale;
    ProbePage* m_probes;
    AnswerLine* m_answer;
    WhenSeen &m_show, &m_showHeads;
};

}  // namespace attnscope

#pragma once
// The Model workspace: what a scale does to a published transformer. Left what is run (model_controls.h), beside it a
// tab each: its heads and how well it predicts (heads_page.h), which scale is best for it (scale_page.h), and what it
// finds again that stands far back (probe_page.h).

#include "ui/workbench/model_runner.h"

#include <QWidget>

#include <map>
#include <string>

class QStackedWidget;
class QTabBar;

namespace attnscope {

struct HeadMeasure;
class HeadsPage;
class MessageBar;
class ModelControls;
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
    HeadsPage* heads() const { return m_heads; }
    ScalePage* scale() const { return m_scale; }
    ProbePage* probes() const { return m_probes; }
    QTabBar* tabs() const { return m_tabs; }
    /// The heads are coloured by it, and the one with the most of it is looked at.
    void rankHeadsBy(const HeadMeasure& measure);
    /// Shows where that is done, and what was found as this program of exportTargets() takes it; empty: as before.
    void findScale(const QString& target = {});
    void showProbes();
    /// Without what is set and not looked at.
    void setOnStage(bool on);

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

private:
    QTabBar* buildTabs();
    void show();
    void sayError();
    void leaveWhatCannotBeOpened();
    void endRefusal();
    void takeWidthsAgain();

    Document& m_document;
    MessageBar& m_messages;
    std::map<std::string, ModelLook> m_left;  ///< how a model was left for another: so it comes back
    QString m_refused;                        ///< the last message about a field
    QString m_used;                           ///< the last one about what was found and used
    QString m_error;                          ///< the last one of the runner's
    std::string m_opening;                    ///< what was opened last, until it is there
    ModelRunner& m_runner;
    ModelControls* m_controls;
    QTabBar* m_tabs;
    QStackedWidget *m_lines, *m_stages, *m_parts;  ///< a page a tab: what it is set by, what it says, and the rest
    QWidget* m_settings;
    QList<QByteArray> m_widths;  ///< of panes, before the stage
    bool m_seen = false, m_onStage = false;
    HeadsPage* m_heads;
    ScalePage* m_scale;
    ProbePage* m_probes;
    WhenSeen& m_show;
};

}  // namespace attnscope

#pragma once
// The window's workspaces: what they are called, what makes their pages, and the row of tabs that leads to them. Each
// has the whole window; which one is shown is in the document's Look. A new one is a line of ATTNSCOPE_WORKSPACES
// (core/document/look.h), and a file here with the function of that name, which makes its row.

#include <QString>
#include <QTabBar>

#include <span>
#include <string>
#include <vector>

namespace attnscope {

class Document;
class LabRunner;
class MainWindow;

struct WorkspacePage {
    QWidget* widget;
    std::vector<QWidget*> parts;  ///< in the order of Workspace::parts
};

struct Workspace {
    const char* title;
    const char* about;
    std::vector<QString>
        parts;  ///< of its page, by the names that MainWindow::showDock() leads to; Explore's are its docks
    WorkspacePage (*make)(MainWindow&);  ///< when it is first looked at
    std::string id = {};                 ///< as Look::workspace has it: what its line says
};

/// In the order of the tabs and of Ctrl+1, Ctrl+2 and so on.
std::span<const Workspace> workspaces();

/// The place of that id; 0 where there is none such.
int workspaceIndex(const std::string& id);

class WorkspaceTabs : public QTabBar {
    Q_OBJECT
public:
    WorkspaceTabs(Document& document, const LabRunner& lab, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    /// With a dot on Labs while one trains, wherever one is.
    void paintEvent(QPaintEvent* event) override;

private:
    void tellOfLab();

    const LabRunner& m_lab;
};

}  // namespace attnscope

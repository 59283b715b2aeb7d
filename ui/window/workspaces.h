#pragma once
// The window's workspaces: what they are called, and the row of tabs that leads to them. Each has the whole window;
// which one is shown is in the document's Look.

#include "ui/plot/qt_text.h"

#include <QString>
#include <QTabBar>

#include <span>
#include <string>

namespace attnscope {

class Document;

struct Workspace {
    std::string id;  ///< as Look::workspace has it
    const char* title;
    const char* about;
};

inline const QString exploreWorkspace = u"explore"_s, modelWorkspace = u"model"_s, labsWorkspace = u"labs"_s,
                     figuresWorkspace = u"figures"_s, learnWorkspace = u"learn"_s;

constexpr int paneGap = 8;  ///< between the panes of a page

/// In the order of the tabs and of Ctrl+1 to Ctrl+5.
std::span<const Workspace> workspaces();

/// The place of that id; 0 where there is none such.
int workspaceIndex(const std::string& id);

/// Shows it.
void setWorkspace(Document& document, const QString& id);

class WorkspaceTabs : public QTabBar {
    Q_OBJECT
public:
    explicit WorkspaceTabs(Document& document, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override { return sizeHint(); }
};

}  // namespace attnscope

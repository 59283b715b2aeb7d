#pragma once
// The reference: reference_page.h's article, kept up to date with the scenario while it is visible.

#include "ui/workbench/analyser.h"

#include <QTextBrowser>

class QTimer;

namespace attnscope {

class Document;

class ReferenceView : public QTextBrowser {
    Q_OBJECT
public:
    ReferenceView(Document& document, Analyser& analyser, QWidget* parent = nullptr);
    /// A part of the page at its top, a line below the edge.
    void showPart(const QString& anchor);
    /// The page anew, at the same place.
    void refresh();
    QSize sizeHint() const override { return {660, 720}; }

protected:
    QVariant loadResource(int type, const QUrl& address) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refreshSoon();

    Document& m_document;
    Analyser& m_analyser;
    QTimer* m_pause;  ///< while somebody drags, the page waits
    bool m_stale = true;
};

}  // namespace attnscope

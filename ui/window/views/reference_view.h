#pragma once
// The reference: every scale method, kernel, position, mask, normaliser, measure and source with formula, parameters, presets
// and where it comes from. Written by the registries themselves.

#include <QString>
#include <QTextBrowser>

namespace attnscope {

/// All of it as HTML.
QString referencePage();

class ReferenceView : public QTextBrowser {
    Q_OBJECT
public:
    explicit ReferenceView(QWidget* parent = nullptr);
    void refresh();
    QSize sizeHint() const override { return {620, 640}; }
};

}  // namespace attnscope

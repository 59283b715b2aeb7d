#pragma once
// Which colour a scale method has: its row's, one of the others that are told apart on both themes, or any.

#include <QMenu>

namespace attnscope {

class Document;
struct ScaleMethod;

class ColourMenu : public QMenu {
    Q_OBJECT
public:
    ColourMenu(Document& document, const ScaleMethod& method, QWidget* parent);

private:
    void fill();
    void choose(const QString& colour);  ///< "#rrggbb"; empty: the row's own
    void chooseAny();

    Document& m_document;
    const ScaleMethod& m_method;
};

}  // namespace attnscope

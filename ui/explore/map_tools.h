#pragma once
// The buttons and lists above the maps: which rows count, how cells are pooled and coloured, whether the difference map
// is shown. They
// show what the document says, and ask it to change.

#include <QWidget>

class QComboBox;
class QToolButton;

namespace attnscope {

class Document;

class MapTools : public QWidget {
    Q_OBJECT
public:
    explicit MapTools(Document& document, QWidget* parent = nullptr);

    QComboBox* rows() const { return m_rows; }

signals:
    void pinAsked(bool pinned);  ///< to the range that is shown, which the maps know
    void wholeAsked();

private:
    void fillLists();
    void showLook();

    Document& m_document;
    QComboBox* m_rows;
    QComboBox* m_pool;
    QComboBox* m_colours;
    QToolButton* m_log;
    QToolButton* m_pin;
    QToolButton* m_difference;
    QToolButton* m_loupe;
};

}  // namespace attnscope

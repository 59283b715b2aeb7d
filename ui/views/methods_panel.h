#pragma once
// The Methods dock: every scale method, one row each, and one more for every further variant that is compared.

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace attnscope {

class Analyser;
struct Choice;
class Document;
class MethodRow;
class Pointer;

class MethodsPanel : public QWidget {
    Q_OBJECT
public:
    static constexpr int most = 9;  ///< methods compared at once

    MethodsPanel(Document& document, Analyser& analyser, Pointer& pointer, QWidget* parent = nullptr);
    /// Whether rows show their formula with the scenario's numbers put in; they do unless told otherwise.
    void setWorkedShown(bool shown);
    /// With this it has room whatever is ticked and open: nothing is pushed aside by a click.
    int widthWhenOpen() const;
    /// From top to bottom.
    const std::vector<MethodRow*>& rows() const { return m_rows; }

signals:
    void sourceAsked(const QString& id);
    void refused(const QString& why);

private:
    void fitRows();
    MethodRow* addRow(std::size_t at, std::size_t method, int occurrence);

    Document& m_document;
    Analyser& m_analyser;
    Pointer& m_pointer;
    QVBoxLayout* m_layout;
    std::vector<MethodRow*> m_rows;
    bool m_workedShown = true;
};

}  // namespace attnscope

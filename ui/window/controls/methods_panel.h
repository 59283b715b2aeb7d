#pragma once
// The Methods dock: every scale method, one row each, with a tick to compare it, the colour and dash that it has in every
// view, its formula (with the current numbers put in once it is ticked), which n it counts, and its parameters in place.

#include <QWidget>

#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QToolButton;

namespace attnscope {

class Analyser;
class Document;
class ParameterFields;
struct Analysis;
struct Choice;
struct ScaleMethod;

/// A short piece of line in the style of the method at a position of the ticked list; blank at -1.
class LineSwatch : public QWidget {
public:
    explicit LineSwatch(QWidget* parent = nullptr);
    void setPosition(int position);
    int position() const { return m_position; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    int m_position = -1;
};

class MethodRow : public QWidget {
    Q_OBJECT
public:
    MethodRow(Document& document, const ScaleMethod& method, QWidget* parent = nullptr);
    void refresh();
    /// What only the analysis knows: a multiplier solved on the tensors, or why there is none.
    void show(const Analysis& analysis);
    QCheckBox* tick() const { return m_tick; }
    QString worked() const;
    const LineSwatch* swatch() const { return m_swatch; }

private:
    int tickedPosition() const;
    void setTicked(bool ticked);
    void setChoice(const Choice& choice);

    Document& m_document;
    const ScaleMethod& m_method;
    QCheckBox* m_tick;
    LineSwatch* m_swatch;
    QLabel* m_counts;
    QToolButton* m_tune;
    QLabel* m_worked;
    ParameterFields* m_fields;
    std::string m_answered;
};

class MethodsPanel : public QWidget {
    Q_OBJECT
public:
    static constexpr int most = 9;  ///< methods compared at once

    explicit MethodsPanel(Document& document, Analyser& analyser, QWidget* parent = nullptr);
    const std::vector<MethodRow*>& rows() const { return m_rows; }

private:
    std::vector<MethodRow*> m_rows;
};

}  // namespace attnscope

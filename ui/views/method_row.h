#pragma once
// One scale method in the Methods dock: a tick to compare it, the line that it has in every view, its formula (with the
// current numbers put in once it is ticked), which n it counts, and behind a button its parameters, a second variant of
// it, and where it comes from. A method that is ticked several times has as many rows.

#include <QWidget>

#include <string>

class QCheckBox;
class QLabel;
class QToolButton;

namespace attnscope {

class Analyser;
class Document;
class LineSwatch;
class WrappedLabel;
class ParameterFields;
struct Analysis;
struct Choice;
struct Scenario;
struct ScaleMethod;

class MethodRow : public QWidget {
    Q_OBJECT
public:
    /// `occurrence`: which of the ticked choices of this method, from 0.
    MethodRow(Document& document, const Analyser& analyser, const ScaleMethod& method, int occurrence,
              QWidget* parent = nullptr);
    void refresh();
    /// refresh(), where a change of the scenario can change anything.
    void follow();
    /// What only the analysis knows: a multiplier solved on the tensors, or why there is none.
    void show(const Analysis& analysis);
    void openParameters();
    /// Ticked, with its parameters open: what it takes at least.
    int widthWhenOpen() const;
    /// The formula of a ticked method with the scenario's numbers put in, or as it is.
    void setWorkedShown(bool shown);

    const ScaleMethod& method() const { return m_method; }
    QCheckBox* tick() const { return m_tick; }
    QToolButton* tune() const { return m_tune; }
    QToolButton* another() const { return m_another; }
    ParameterFields* fields() const { return m_fields; }
    QString worked() const;
    LineSwatch* swatch() const { return m_swatch; }
    /// The place in the ticked list of what is looked at, or -1.
    int position() const;

signals:
    void sourceAsked(const QString& id);
    void variantAdded();
    void refused(const QString& why);

private:
    QWidget* buildFoot();
    std::string workedNow(const Choice& choice) const;
    bool hasRoom();
    void setTicked(bool ticked);
    void setChoice(const Choice& choice);
    void addVariant();

    int placeIn(const Scenario& scenario) const;

    Document& m_document;
    const Analyser& m_analyser;
    const ScaleMethod& m_method;
    const int m_occurrence;
    QCheckBox* m_tick;
    LineSwatch* m_swatch;
    QLabel* m_counts;
    QToolButton* m_tune;
    QToolButton* m_another;
    WrappedLabel* m_worked;
    ParameterFields* m_fields;
    QWidget* m_foot;
    bool m_workedShown = true, m_ticked = false;  ///< as refresh() left it
    bool m_isTicking = false;
    std::string m_answered;
};

}  // namespace attnscope

#pragma once
// One pick from a registry, with its parameters in place: a list of the rows' labels, and below it a field or a switch
// for every parameter of the row picked. Works for every registry, because every registry is made of Entry.

#include "core/base/choice.h"

#include <QWidget>

#include <functional>
#include <string>
#include <utility>
#include <vector>

class QComboBox;
class QGridLayout;
class QToolButton;

namespace attnscope {

/// What a page puts in the place of the line that edits a choice's text.
class TextEditor : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// Shows its text, which is empty where it is the row's own; reports nothing.
    virtual void show(const Choice& choice) = 0;

signals:
    void edited(const std::string& text);
    void finished();
};
/// Null: a line does.
using MakeTextEditor = std::function<TextEditor*(const Entry&)>;

/// The presets of one row ("as in the paper"), and a field for each of its parameters; hides those whose ids are in
/// `hidden`.
class ParameterFields : public QWidget {
    Q_OBJECT
public:
    explicit ParameterFields(QWidget* parent = nullptr);
    /// Shows `choice`, a pick of `entry`; builds the fields anew only where the row is another one.
    void show(const Entry& entry, const Choice& choice, const std::vector<std::string>& hidden = {});
    /// Where presets stand in a list of their own.
    void leaveOutPresets() { m_listsPresets = false; }
    /// Before show().
    void editTextsBy(MakeTextEditor make) { m_makeTextEditor = std::move(make); }
    /// Before show(): what is wrong with a choice, which marks the field of its text; empty: nothing.
    void findFaultsBy(std::function<QString(const Choice&)> faultOf) { m_faultOf = std::move(faultOf); }
    /// N, for the parameters that follow it; takes effect with show().
    void setTrainLength(double nTrain) { m_nTrain = nTrain; }
    bool isEmpty() const { return m_wholes == 0 && m_halves.empty(); }
    /// Of fields that stand two in a line, a line of its own as two.
    int count() const { return 2 * m_wholes + static_cast<int>(m_halves.size()); }
    /// Lists the presets of the row; null where it has none.
    QComboBox* presets() const { return m_presets; }
    /// In one column; where there is room, the parameters stand in two.
    QSize minimumSizeHint() const override;

signals:
    void edited(const attnscope::Choice& choice);
    void finished();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build(const std::vector<std::string>& hidden);
    void arrange();
    void addWhole(QWidget* line);
    void addParameter(const Parameter& parameter);
    void addText();
    void addTextEditor(TextEditor* editor);
    void addPresets();
    double valueOf(const Parameter& parameter) const;
    QWidget* switchOf(const Parameter& parameter);
    QWidget* numberOf(const Parameter& parameter);
    void set(const Parameter& parameter, double value);
    void changed();

    const Entry* m_entry = nullptr;
    Choice m_choice;
    double m_nTrain = 0;
    QGridLayout* m_grid;
    int m_wholes = 0, m_columns = 0;  ///< lines of their own; columns of the others, 0: not arranged yet
    std::vector<QWidget*> m_halves;
    bool m_listsPresets = true;
    QComboBox* m_presets = nullptr;
    MakeTextEditor m_makeTextEditor;
    std::function<QString(const Choice&)> m_faultOf;
    std::vector<std::function<void()>> m_refresh;
};

class ChoiceControl : public QWidget {
    Q_OBJECT
public:
    ChoiceControl(const QString& caption, std::vector<const Entry*> rows, const QString& teaches,
                  QWidget* parent = nullptr);

    /// Shows the choice; reports nothing.
    void setChoice(const Choice& choice);
    const Choice& choice() const { return m_choice; }
    /// Before setChoice: N, for the parameters that follow it.
    void setTrainLength(double nTrain);
    /// Before setChoice: presets stand in this line, above the fields, and no more among them.
    void takePresets(QLayout* line);
    /// Before setChoice.
    void editTextsBy(MakeTextEditor make) { m_fields->editTextsBy(std::move(make)); }
    QComboBox* list() const { return m_list; }

signals:
    void edited(const attnscope::Choice& choice);
    void finished();

private:
    std::vector<const Entry*> m_rows;
    QString m_teaches;
    Choice m_choice;
    void showFields();

    QComboBox* m_list;
    QToolButton* m_tune;
    ParameterFields* m_fields;
};

/// Pointers to the rows of a registry.
template <class Row>
std::vector<const Entry*> entriesOf(std::span<const Row> rows)
{
    std::vector<const Entry*> entries;
    for (const Row& row : rows)
        entries.push_back(&row);
    return entries;
}

/// What keeps a scale method from being bound: an expression that does not read; empty: nothing does.
QString faultOfScale(const Choice& method);

/// What a tooltip or the reference says about a row: about, formula, source.
QString teach(const Entry& entry);

}  // namespace attnscope

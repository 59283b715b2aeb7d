#pragma once
// Several picks from a registry, in the order ticked: a row of the registry each, with a tick, and the parameters of
// what is ticked behind a button. One that is picked several times has as many rows; a text that is none of the
// registry's has a row too, so that what was typed by hand can be unticked.

#include "core/base/choice.h"
#include "ui/widgets/elided.h"

#include <QWidget>

#include <string>
#include <vector>

class QCheckBox;
class QToolButton;
class QVBoxLayout;

namespace attnscope {

class ParameterFields;

class TickedList : public QWidget {
    Q_OBJECT
public:
    /// `rows` outlive it. `keepsOne`: the last tick cannot be taken away.
    TickedList(const std::vector<Entry>& rows, bool keepsOne, QWidget* parent = nullptr);

    /// Of the rows, or any text; reports nothing.
    void setEntries(const std::vector<std::string>& entries);
    const std::vector<std::string>& entries() const { return m_entries; }
    /// What an entry is called: "Softmax Plus (B = 16)"; a text that is no row's by itself.
    QString labelOf(const std::string& entry) const;
    /// N, for the parameters that follow it; takes effect with setEntries().
    void setTrainLength(double nTrain) { m_nTrain = nTrain; }
    QCheckBox* tickOf(const std::string& id) const;
    QToolButton* tuneOf(const std::string& id) const;

signals:
    void edited();
    void finished();

private:
    struct Line {
        const Entry* entry = nullptr;  ///< null: a text that no row reads
        std::ptrdiff_t place = -1;     ///< among the entries; -1: not ticked
        bool operator==(const Line&) const = default;
    };
    struct Row {
        QWidget* whole;
        QCheckBox* tick;
        QToolButton* tune;
        ParameterFields* fields;
        QToolButton* another;
    };
    std::vector<Line> linesOfEntries() const;
    std::pair<const Entry*, Choice> read(const std::string& entry) const;
    Row addRow(std::size_t at);
    void refresh();
    void setTicked(std::size_t at, bool ticked);
    void setChoice(std::size_t at, const Choice& choice);
    void change(std::vector<std::string> entries);
    const Row* rowOf(const std::string& id) const;

    const std::vector<Entry>& m_registry;
    const bool m_keepsOne;
    double m_nTrain = 0;
    std::vector<std::string> m_entries;
    std::vector<Line> m_lines;
    std::vector<Row> m_rows;  ///< one a line
    QVBoxLayout* m_layout;
};

/// A drop-down list of ticks: says what is ticked, and stays open while it is changed.
class TickedField : public ElidedList {
    Q_OBJECT
public:
    TickedField(const std::vector<Entry>& rows, bool keepsOne, QWidget* parent = nullptr);
    void setEntries(const std::vector<std::string>& entries);
    TickedList& list() const { return *m_list; }
    QWidget* popup() const;
    void showPopup() override;

signals:
    void ticksChanged();
    void finished();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void say();
    TickedList* m_list;
    QWidget* m_popup;
};

}  // namespace attnscope

#pragma once
// What the search for a scale found, in the words of the programs that run models, and as a method of this one.

#include "core/base/choice.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTabBar;

namespace attnscope {

class Document;
class ModelRunner;
class ScaleFinder;

class TakeAway : public QWidget {
    Q_OBJECT
public:
    TakeAway(Document& document, ModelRunner& runner, ScaleFinder& finder, QWidget* parent = nullptr);
    /// What the finder has now.
    void show();
    /// What was found is one of the methods.
    bool isUsed() const;
    /// Of the exports, that for this program from now on.
    void chooseTarget(const QString& id);
    QTabBar* targets() const { return m_targets; }
    QPlainTextEdit* preview() const { return m_preview; }
    QPushButton* copyButton() const { return m_copy; }
    QPushButton* useButton() const { return m_use; }

signals:
    /// What was found is a method now; `takeBack` makes it none again.
    void used(const QString& said, const std::function<void()>& takeBack);

private:
    QString usualTarget() const;
    std::optional<Choice> found() const;
    bool isListed(const Choice& method) const;
    void useIt();

    Document& m_document;
    ModelRunner& m_runner;
    ScaleFinder& m_finder;
    QTabBar* m_targets;
    QPlainTextEdit* m_preview;
    QLabel *m_where, *m_notes;
    QString m_target;  ///< that was chosen; empty: none yet
    QString m_copied;  ///< what Copy copies: a command on one line
    QPushButton *m_copy, *m_use;
    QLabel* m_willUse;  ///< what Use it here does
};

}  // namespace attnscope

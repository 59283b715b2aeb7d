#pragma once
// The recipe of a figure as text that can be edited, with a line below that says what is wrong and where; the line
// meant is marked.

#include "ui/figure/figure.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace attnscope {

class RecipeEditor : public QWidget {
    Q_OBJECT
public:
    explicit RecipeEditor(QWidget* parent = nullptr);

    /// Shows it, without saying edited().
    void setRecipe(const Recipe& recipe);
    /// What the text says. Errors name the line and the field.
    Result<Recipe> recipe() const;
    /// Empty: nothing is wrong.
    void say(const QString& problem);
    QPlainTextEdit* text() const { return m_text; }
    QString problem() const;

signals:
    void edited();  ///< a short pause after the last key

protected:
    void changeEvent(QEvent* event) override;

private:
    void markLine();

    QPlainTextEdit* m_text;
    QLabel* m_problem;
};

}  // namespace attnscope

#include "ui/figures/recipe_editor.h"

#include "core/base/json_text.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/theme.h"

#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTimer>

namespace attnscope {

RecipeEditor::RecipeEditor(QWidget* parent)
    : QWidget(parent), m_text(described(new QPlainTextEdit, u"Recipe"_s,
                                        u"Everything about the figure, as JSON; the preview follows"_s)),
      m_problem(selectableParagraph(nullptr))
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(withText(12));
    m_text->setFont(font);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setTabChangesFocus(true);
    m_problem->setProperty("kind", "error");
    m_problem->setAccessibleDescription(u"What is wrong with the recipe"_s);
    m_problem->hide();
    inColumn(this, {{m_text, 1}, m_problem}, 4);
    auto* pause = new QTimer(this);
    pause->setSingleShot(true);
    pause->setInterval(250);
    connect(m_text, &QPlainTextEdit::textChanged, pause, qOverload<>(&QTimer::start));
    connect(pause, &QTimer::timeout, this, &RecipeEditor::edited);
}

void RecipeEditor::setRecipe(const Recipe& recipe)
{
    const QString text = QString::fromStdString(jsonText(toJson(recipe), 2));
    if (text == m_text->toPlainText())
        return;
    if (const auto written = this->recipe(); written && *written == recipe)
        return;  // in other words, and somebody may be writing them
    const QSignalBlocker quiet(m_text);
    m_text->setPlainText(text);
    say({});
}

Result<Recipe> RecipeEditor::recipe() const { return recipeFromText(m_text->toPlainText().toStdString(), "recipe"); }

QString RecipeEditor::problem() const { return m_problem->isHidden() ? QString() : m_problem->text(); }

void RecipeEditor::say(const QString& problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    markLine();
}

void RecipeEditor::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        markLine();
    QWidget::changeEvent(event);
}

/// The one that the problem names, if it names one.
void RecipeEditor::markLine()
{
    const auto named = QRegularExpression(u"\\bline (\\d+)"_s).match(problem());
    const int line = named.hasMatch() ? named.captured(1).toInt() : 0;
    QList<QTextEdit::ExtraSelection> marks;
    if (const QTextBlock block = m_text->document()->findBlockByNumber(line - 1); line > 0 && block.isValid()) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.format.setBackground(currentTheme().errorSurface);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
    }
    m_text->setExtraSelections(marks);
}

}  // namespace attnscope

#include "moc_recipe_editor.cpp"

#pragma once
// An answer in one sentence that can be copied (core/analysis/answer.h, core/analysis/model_answer.h). As high as a
// line of text whatever it says.

#include <QWidget>

namespace attnscope {

class Analyser;
class ElidedLabel;

class AnswerLine : public QWidget {
    Q_OBJECT
public:
    /// For screen readers, and as its tool tip.
    AnswerLine(const QString& description, const QString& teaches, QWidget* parent = nullptr);
    /// `inShort`: what stands there where all of it has no room.
    void say(const QString& words, const QString& inShort);
    /// All of it; empty while there is nothing to say.
    QString text() const;
    void copy() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void takeALine();
    ElidedLabel* m_words;
    QWidget* m_copy;
};

/// Of the ticked methods at this n, with the rows that it speaks of.
AnswerLine* answerLineOf(Analyser& analyser);

}  // namespace attnscope

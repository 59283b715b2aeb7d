#pragma once
// An answer in one sentence that can be copied (core/analysis/answer.h, core/analysis/model_answer.h). As high as a
// line of text whatever it says.

#include <QWidget>

class QToolButton;

namespace attnscope {

class Analyser;
class Document;
class ElidedLabel;
class FileOffers;

class AnswerLine : public QWidget {
    Q_OBJECT
public:
    /// For screen readers, and as its tool tip.
    AnswerLine(const QString& description, const QString& teaches, QWidget* parent = nullptr);
    /// `shorter`: what stands there where all of it has no room, the first that has.
    void say(const QString& words, const QStringList& shorter);
    /// What would show more than the sentence, one click away; without a label: nothing.
    void offer(const QString& label, const QString& teaches);
    QToolButton* offered() const { return m_offer; }
    /// All of it; empty while there is nothing to say.
    QString text() const;
    void copy() const;

signals:
    void taken();  ///< what is offered

protected:
    void changeEvent(QEvent* event) override;

private:
    void takeALine();
    ElidedLabel* m_words;
    QToolButton* m_offer;
    QWidget* m_copy;
};

/// Of the ticked methods at this n, with the rows that it speaks of; where they are alike, a length at which they
/// differ is offered.
AnswerLine* answerLineOf(Analyser& analyser, Document& document, const FileOffers& offers);

}  // namespace attnscope

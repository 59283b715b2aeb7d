#pragma once
// What the ticked methods come to at this n, in one sentence that can be copied: core/analysis/answer.h, with the rows
// that it speaks of. As high as a line of text whatever it says.

#include "ui/window/analyser.h"
#include "ui/window/throttle.h"

#include <QWidget>

namespace attnscope {

class ElidedLabel;

class AnswerLine : public QWidget {
    Q_OBJECT
public:
    explicit AnswerLine(Analyser& analyser, QWidget* parent = nullptr);
    /// All of it; empty while there is nothing to say.
    QString text() const;
    void copy() const;

private:
    void show(const Analysis& analysis);

    ElidedLabel* m_words;
    QWidget* m_copy;
    Throttle m_shows{this};
};

}  // namespace attnscope

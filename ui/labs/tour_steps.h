#pragma once
// How two tours are made: a slider through the decoder's choices, which can be played, and what each looks at, in
// words. The pictures are those of a view of the tours.

#include "core/labs/routing/redecoding.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QToolButton;

namespace attnscope {

class LabTourView;
class NumberControl;

class TourSteps : public QWidget {
    Q_OBJECT
public:
    explicit TourSteps(LabTourView& view, QWidget* parent = nullptr);

    /// Of these tours from now on, before the same choice as until now; the tours that are made stay made. Null: there
    /// are none.
    void show(std::shared_ptr<const Redecoded> found);
    /// Before which of the choices, from 0; as many as there are: made.
    Index choice() const { return m_choice; }
    bool isMade() const { return m_choice >= m_choices; }
    void setPlaying(bool playing);
    bool isPlaying() const { return m_clock.isActive(); }

    NumberControl& number() { return *m_number; }
    QToolButton& playButton() { return *m_play; }
    QString words() const;

private:
    void go(Index choice);
    void step();

    LabTourView& m_view;
    std::shared_ptr<const Redecoded> m_found;
    Index m_choice = 0, m_choices = 0;
    QToolButton* m_play;
    NumberControl* m_number;
    QLabel* m_words;
    QTimer m_clock;
};

}  // namespace attnscope

#include "ui/window/progress_line.h"

#include "ui/job/pace.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/analyser.h"
#include "ui/widgets/building.h"

#include <QProgressBar>

namespace attnscope {

namespace {

constexpr int refreshMilliseconds = 100;
constexpr qint64 withoutBar = 600;  // milliseconds of work
constexpr int barSteps = 1000;

}  // namespace

ProgressLine::ProgressLine(Analyser& analyser, QWidget* parent)
    : QWidget(parent), m_analyser(analyser), m_left(new QLabel), m_bar(new QProgressBar),
      m_cancel(iconButton(u"close"_s, u"Cancel"_s,
                          u"Stop computing; what is shown stays, and says that it is a preview"_s, 12))
{
    inRow(this, {m_left, m_bar, m_cancel}, 8);
    m_left->setAccessibleDescription(u"Time left"_s);
    m_bar->setFixedSize(120, 4);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(u"Computing"_s);
    m_cancel->setProperty("quiet", true);
    m_cancel->setFixedHeight(14);  // less than the line of text beside it: no pixel of the maps' height is the button's
    connect(m_cancel, &QToolButton::clicked, &analyser, &Analyser::cancel);
    m_timer.setInterval(refreshMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &ProgressLine::refresh);
    connect(&analyser, &Analyser::busyChanged, this, [this](bool busy) {
        if (busy) {
            m_timer.start();
        } else {
            m_timer.stop();
            hide();
        }
    });
    hide();
}

void ProgressLine::refresh()
{
    setVisible(m_analyser.milliseconds() > withoutBar);
    if (isHidden())
        return;
    const double done = m_analyser.fractionDone();
    m_bar->setRange(0, done > 0 ? barSteps : 0);
    m_bar->setValue(static_cast<int>(done * barSteps));
    m_left->setText(timeLeft(done, m_analyser.milliseconds()));
}

}  // namespace attnscope

#include "moc_progress_line.cpp"

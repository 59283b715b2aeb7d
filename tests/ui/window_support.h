#pragma once
// What the tests of the window share: a small scenario that is quick to compute, ways to find a control by its name,
// and waiting until the views show what was asked for.

#include "ui/plot/heatmap_plottable.h"
#include "ui/views/method_row.h"
#include "ui/views/methods_panel.h"
#include "ui/widgets/number_control.h"
#include "ui/explore/scenario_panel.h"
#include "ui/widgets/theme.h"
#include "ui/views/chart_view.h"
#include "ui/explore/dispersion_view.h"
#include "ui/explore/entropy_view.h"
#include "ui/explore/heatmap_panel.h"
#include "ui/views/heatmap_plot.h"
#include "ui/views/heatmap_tile.h"
#include "ui/window/window_app.h"
#include "tests/support/patience.h"
#include "tests/ui/whole_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QMouseEvent>
#include <QPushButton>
#include <QSettings>
#include <QSlider>
#include <QStandardPaths>
#include <QTest>
#include <QTimer>
#include <QUrl>
#include <QWheelEvent>

#include <memory>

namespace attnscope::testing {

/// Settings of the test's own.
inline void prepareApplication()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("attnscope-test"));
    applyTheme(*qApp, ThemeChoice::Light);
}

inline Scenario smallScenario()
{
    Scenario scenario = firstScenario();
    scenario.n = 64;
    scenario.nTrain = 16;
    scenario.view.curveLast = 256;
    scenario.view.curvePoints = 5;
    return scenario;
}

inline NumberControl* number(MainWindow& window, const QString& caption)
{
    for (auto* control : window.explore().scenario().findChildren<NumberControl*>())
        if (control->slider()->accessibleName() == caption)
            return control;
    return nullptr;
}

inline MethodRow* methodRow(MainWindow& window, const QString& label)
{
    for (MethodRow* row : window.explore().methods().rows())
        if (row->tick()->text() == label)
            return row;
    return nullptr;
}

/// A wheel over the middle.
inline bool turn(QWidget* at, int notches)
{
    const QPointF middle = QRectF(at->rect()).center();
    QWheelEvent wheel(middle, at->mapToGlobal(middle), {}, {0, 120 * notches}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    return QApplication::sendEvent(at, &wheel);
}

/// Files or addresses, let go over it. Was it ready to take them?
inline bool drop(QWidget* at, const QList<QUrl>& urls)
{
    QMimeData data;
    data.setUrls(urls);
    const QPoint place(20, 20);
    QDragEnterEvent enter(place, Qt::CopyAction, &data, Qt::LeftButton, {});
    enter.ignore();
    QApplication::sendEvent(at, &enter);
    if (!enter.isAccepted())
        return false;
    QDropEvent let(QPointF(place), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(at, &let);
    return true;
}

/// The pointer, without a button, on this widget and no other of its window.
inline void hover(QWidget* at, QPointF position)
{
    for (QWidget* other : at->window()->findChildren<QWidget*>())
        other->setAttribute(Qt::WA_UnderMouse, other == at || other->isAncestorOf(at));
    QMouseEvent move(QEvent::MouseMove, position, at->mapToGlobal(position), Qt::NoButton, Qt::NoButton,
                     Qt::NoModifier);
    QApplication::sendEvent(at, &move);
}

/// Siblings that lie over another or reach out of the widget that they stand in.
inline QStringList layoutFaults(const QWidget& window)
{
    QStringList faults;
    for (const QWidget* parent : window.findChildren<QWidget*>()) {
        if (!parent->isVisible() || !parent->layout() ||
            qobject_cast<const QMainWindow*>(parent))  // which keeps tab bars of docks that it has no use for
            continue;
        const auto children = parent->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
        for (const QWidget* child : children) {
            if (!child->isVisible() || child->isWindow())
                continue;
            const QString name =
                QStringLiteral("%1 '%2'").arg(child->metaObject()->className(), child->accessibleName());
            if (!parent->rect().contains(child->geometry()))
                faults << name + " reaches out";
            for (const QWidget* other : children)
                if (other != child && other->isVisible() && other->geometry().intersects(child->geometry()))
                    faults << name + " overlaps";
        }
    }
    return faults;
}

/// Buttons that do not show all of their text.
inline QStringList cutButtons(const QWidget& window)
{
    QStringList faults;
    for (const QPushButton* button : window.findChildren<QPushButton*>())
        if (button->isVisible() && button->sizeHint().width() > button->width())
            faults << button->text() + " is cut";
    return faults;
}

/// What the three views show.
struct Shown {
    std::vector<float> map;
    std::vector<ChartPoint> curve, dispersion;
};

inline Shown shown(MainWindow& window)
{
    Shown out;
    out.map = window.explore().heatmaps().tiles().front()->plot()->plottable().map()->values;
    for (const ChartSeries& series : window.explore().entropy().chart()->spec().series)
        if (series.style == 0 && series.shape != ChartSeries::Shape::Line)  // measured, not theory
            out.curve = series.points;
    out.dispersion = window.explore().dispersion().chart()->spec().series.front().points;
    return out;
}

inline bool settle(MainWindow& window)
{
    return QTest::qWaitFor([&] { return window.analyser().current() && window.analyser().isSettled(); }, patience);
}

/// What the file dialog that comes next is told.
inline void answerDialog(const std::string& path)
{
    QTimer::singleShot(0, qApp, [path] {
        if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
            dialog->selectFile(QString::fromStdString(path));
            static_cast<QDialog*>(dialog)->done(QDialog::Accepted);
        } else {
            answerDialog(path);
        }
    });
}

inline std::unique_ptr<MainWindow> smallWindow(QSize size = {1280, 720})
{
    auto window = std::make_unique<WholeWindow>(smallScenario());
    window->resize(size);
    window->resetLayout();
    window->show();
    return settle(*window) ? std::move(window) : nullptr;
}

}  // namespace attnscope::testing

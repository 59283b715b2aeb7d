#pragma once
// What is on the screen as a file: PDF, SVG or PNG of a view as it stands there, or its numbers as CSV. For maps,
// tables and whatever is no chart, which has a print of its own (ui/views/save_chart.h).

#include "core/base/error.h"

#include <QPicture>
#include <QSize>
#include <QString>

#include <functional>

class QWidget;

namespace attnscope {

/// Of a view as it was when it was asked for.
struct SeenPicture {
    QPicture picture;
    QSize size;       ///< in pixels that do not depend on the screen, 96 an inch
    QString numbers;  ///< columns separated by tabs; empty: none
};
SeenPicture seenPicture(QWidget& view, const QString& numbers);

/// The ending of `path` decides. Errors: UnknownFormat, NotWritable.
Result<void> savePicture(const SeenPicture& seen, const QString& path);

/// Asks for a file of that name and saves what was seen when it was asked for: while the dialog is open another may
/// come, or the view go. How it went is said in the window.
void askAndSave(QWidget& view, const QString& name, bool numbers,
                const std::function<Result<void>(const QString& path)>& save);
void askAndSavePicture(QWidget& view, const QString& numbers);

/// What the line of a menu says that does that.
QString savingWords(bool numbers);

}  // namespace attnscope

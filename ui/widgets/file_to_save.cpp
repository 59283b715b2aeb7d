#include "ui/widgets/file_to_save.h"

#include "ui/plot/qt_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QRegularExpression>
#include <QScopeGuard>

namespace attnscope {

namespace {

QStringList endingsIn(const QString& filters)
{
    static const QRegularExpression ending(u"\\*\\.(\\w+)"_s);
    QStringList endings;
    for (const QRegularExpressionMatch& match : ending.globalMatch(filters))
        endings << match.captured(1);
    return endings;
}

bool isToBeReplaced(QWidget& over, const QString& path)
{
    return QMessageBox::question(&over, u"Replace the file?"_s, u"%1 is there already."_s.arg(path),
                                 QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel) == QMessageBox::Save;
}

}  // namespace

/// The dialog itself asks of the name as it is typed, and of one without a dot with the ending; what is added to
/// "a.b" is asked about here.
QString fileToSave(QWidget& over, const QString& title, const QString& proposed, const QString& filters)
{
    const QPointer<QFileDialog> dialog(new QFileDialog(over.window(), title, proposed, filters));
    const auto end = qScopeGuard([&dialog] { delete dialog.data(); });
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    const auto follow = [shown = dialog.data()](const QString& filter) {
        shown->setDefaultSuffix(endingsIn(filter).value(0));
    };
    follow(dialog->selectedNameFilter());
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, follow);
    while (dialog->exec() == QDialog::Accepted && dialog) {
        const QString chosen = dialog->selectedFiles().value(0);
        if (chosen.isEmpty() || endingsIn(filters).contains(QFileInfo(chosen).suffix(), Qt::CaseInsensitive))
            return chosen;
        const QString whole = chosen + QLatin1Char('.') + dialog->defaultSuffix();
        if (!QFileInfo::exists(whole) || isToBeReplaced(*dialog, whole))
            return whole;
        if (!dialog)
            break;
    }
    return {};
}

}  // namespace attnscope

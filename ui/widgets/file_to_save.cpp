#include "ui/widgets/file_to_save.h"

#include "ui/plot/qt_text.h"

#include <QAbstractItemView>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemModel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSettings>

#include <utility>

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

QString settingOf(const QString& kind) { return u"folders/"_s + kind; }

QString kindOf(const char* verb, const QString& filters)
{
    return QLatin1String(verb) + endingsIn(filters).value(0, u"any"_s);
}

/// Where a dialog begins: at what it is told, else with that name where the last of its kind ended.
QString beginning(const QString& near, const QString& kind)
{
    const QString folder = QSettings().value(settingOf(kind)).toString();
    if (near.contains(u'/') || folder.isEmpty() || !QFileInfo(folder).isDir())
        return near;
    return near.isEmpty() ? folder : QDir(folder).filePath(near);
}

/// `path`, where the next of its kind begins.
QString chosenOf(const QString& kind, const QString& path)
{
    if (!path.isEmpty())
        QSettings().setValue(settingOf(kind), QFileInfo(path).absolutePath());
    return path;
}

bool isToBeReplaced(QWidget& over, const QString& path)
{
    return QMessageBox::question(&over, u"Replace the file?"_s, u"%1 is there already."_s.arg(path),
                                 QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel) == QMessageBox::Save;
}

constexpr QSize wideEnough(760, 460);  // for dates to be whole

/// Files, and folders of a kind: one that is typed, pasted or chosen in the list, or that one has gone into.
class OpenDialog : public QFileDialog {
public:
    OpenDialog(QWidget* over, const QString& title, const QString& begins, const QString& filters,
               std::function<bool(const QString&)> isWhole)
        : QFileDialog(over, title, begins, filters), m_isWhole(std::move(isWhole))
    {
        setOption(DontUseNativeDialog);  // those have no such field
        setFileMode(ExistingFile);
        resize(wideEnough);
        setLabelText(FileName, u"File or folder:"_s);
    }

    QString chosen() const { return m_folder.isEmpty() ? selectedFiles().value(0) : m_folder; }

protected:
    void accept() override
    {
        const QString folder = folderAsked();
        if (folder.isEmpty() || !m_isWhole(folder))
            return QFileDialog::accept();
        m_folder = folder;
        QDialog::accept();
    }

private:
    QString folderAsked() const
    {
        if (const auto* field = findChild<QLineEdit*>(u"fileNameEdit"_s); field && !field->text().trimmed().isEmpty()) {
            const QFileInfo typed(selectedFiles().value(0));
            return typed.isDir() ? QDir::cleanPath(typed.absoluteFilePath()) : QString();
        }
        for (const QAbstractItemView* list : findChildren<QAbstractItemView*>())
            if (const auto* files = qobject_cast<const QFileSystemModel*>(list->model());
                files && list->isVisible() && list->selectionModel()->hasSelection())
                return files->filePath(list->selectionModel()->selectedIndexes().front());
        return directory().absolutePath();
    }

    std::function<bool(const QString&)> m_isWhole;
    QString m_folder;
};

}  // namespace

/// The dialog itself asks of the name as it is typed, and of one without a dot with the ending; what is added to
/// "a.b" is asked about here.
QString fileToSave(QWidget& over, const QString& title, const QString& proposed, const QString& filters)
{
    const QString kind = kindOf("save-", filters);
    const QPointer<QFileDialog> dialog(new QFileDialog(over.window(), title, beginning(proposed, kind), filters));
    const auto end = qScopeGuard([&dialog] { delete dialog.data(); });
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->resize(wideEnough);
    const auto follow = [shown = dialog.data()](const QString& filter) {
        shown->setDefaultSuffix(endingsIn(filter).value(0));
    };
    follow(dialog->selectedNameFilter());
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, follow);
    while (dialog->exec() == QDialog::Accepted && dialog) {
        const QString chosen = dialog->selectedFiles().value(0);
        if (chosen.isEmpty() || endingsIn(filters).contains(QFileInfo(chosen).suffix(), Qt::CaseInsensitive))
            return chosenOf(kind, chosen);
        const QString whole = chosen + QLatin1Char('.') + dialog->defaultSuffix();
        if (!QFileInfo::exists(whole) || isToBeReplaced(*dialog, whole))
            return chosenOf(kind, whole);
        if (!dialog)
            break;
    }
    return {};
}

QString fileToOpen(QWidget& over, const QString& title, const QString& near, const QString& filters)
{
    const QString kind = kindOf("open-", filters);
    return chosenOf(kind, QFileDialog::getOpenFileName(&over, title, beginning(near, kind), filters));
}

QString fileOrFolderToOpen(QWidget& over, const QString& title, const QString& near, const QString& filters,
                           const std::function<bool(const QString& folder)>& isWhole)
{
    const QString kind = kindOf("open-", filters);
    const QPointer<OpenDialog> dialog(new OpenDialog(over.window(), title, beginning(near, kind), filters, isWhole));
    const auto end = qScopeGuard([&dialog] { delete dialog.data(); });
    return dialog->exec() == QDialog::Accepted && dialog ? chosenOf(kind, dialog->chosen()) : QString();
}

QString folderToChoose(QWidget& over, const QString& title, const QString& near, const QString& kind)
{
    return chosenOf(kind, QFileDialog::getExistingDirectory(&over, title, beginning(near, kind)));
}

}  // namespace attnscope

#include "ui/window/missing_tensors.h"

#include "core/model/shipped_heads.h"
#include "ui/window/controls/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/open_tensors.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace attnscope {

namespace {

void locate(MainWindow& window, const QString& missing)
{
    const QString path = QFileDialog::getOpenFileName(&window, MainWindow::tr("Where is %1 now?").arg(QFileInfo(missing).fileName()),
                                                      QFileInfo(missing).path(), MainWindow::tr("Tensors (*.safetensors *.npy *.npz);;All files (*)"));
    if (path.isEmpty())
        askForMissingTensors(window);
    else
        window.relocateTensors(path);
}

}  // namespace

bool askForMissingTensors(MainWindow& window)
{
    const Scenario& scenario = window.document().scenario();
    const QString path = QString::fromStdString(scenario.tensors.path);
    if (!scenario.ofFile() || path.isEmpty() || QFile::exists(path) || namesShippedHeads(scenario.tensors.path))
        return false;
    window.messages().say(
        MessageBar::Kind::Error, MainWindow::tr("This session looks at %1, which is not there any more.").arg(path),
        {{MainWindow::tr("Locate\u2026"), MainWindow::tr("Choose the file where it is now; layer, head and everything else stay"), [&window, path] { locate(window, path); }},
         {MainWindow::tr("Use without"), MainWindow::tr("Go on with made-up queries and keys of local structure; undo goes back"), [&window] {
              window.document().replaceOnce(MainWindow::tr("Source"), withSource(window.document().scenario(), {"local", {}, {}}));
          }}});
    return true;
}

void MainWindow::relocateTensors(const QString& path) { m_offers.locate(path); }

/// The same layer and head of the same tensors in another place; or what that file offers, where it has other tensors.
void MainWindow::takeLocated(const OfferedFilePtr& file)
{
    const std::string& query = m_document.scenario().tensors.query;
    if (std::none_of(file->offers.begin(), file->offers.end(), [&](const TensorOffer& offer) { return offer.candidate.query == query; }))
        return lookAt(file);
    m_document.editOnce(tr("Locate"), [&](Scenario& scenario) { scenario.tensors.path = file->file.path(); });
    m_messages->hide();
    emit fileOpened(QString::fromStdString(file->file.path()));
}

}  // namespace attnscope

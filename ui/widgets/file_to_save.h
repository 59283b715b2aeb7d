#pragma once
// Files that are asked of the user: where something is to be saved, who is also asked before a file that is there is
// replaced, and what is to be opened. A dialog begins where the last one of its kind ended, unless it is told where.

#include <QString>

#include <functional>

class QWidget;

namespace attnscope {

/// The path, which ends in one of the filters' endings ("PDF (*.pdf);;SVG (*.svg)"): a name without one has that of the
/// filter that is chosen. Empty: nothing is to be saved. `over` may be gone when this returns. A kind is what has the
/// first of the endings.
QString fileToSave(QWidget& over, const QString& title, const QString& proposed, const QString& filters);

/// A file that is there, or nothing. `near`: a file or a folder, or nothing; a kind is as of files to save.
QString fileToOpen(QWidget& over, const QString& title, const QString& near, const QString& filters);

/// The same in one field for files and for folders that are something to open: others are gone into. `isWhole`: is this
/// folder such a one?
QString fileOrFolderToOpen(QWidget& over, const QString& title, const QString& near, const QString& filters,
                           const std::function<bool(const QString& folder)>& isWhole);

/// A folder, or nothing. `kind`: "model", say.
QString folderToChoose(QWidget& over, const QString& title, const QString& near, const QString& kind);

}  // namespace attnscope

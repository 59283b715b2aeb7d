#pragma once
// The runs of labs that are kept: a folder each under one root, with a record, checkpoints and whatever was trained.

#include "core/labs/lab_record.h"

#include <QString>

#include <memory>
#include <vector>

class QWidget;

namespace attnscope {

/// What people read for the folder "recall 2": "Recall of far pairs 2". A folder that has been given another name keeps
/// that.
QString nameOfRun(const Choice& choice, const QString& folder);

/// In a list where parameters stand beside it: as wide as it is, within bounds.
int roomForName(const QString& name, const QWidget& list);

struct StoredRun {
    QString name;  ///< nameOfRun()
    QString folder;
    LabRecord record;
};

/// Copies share what they have read: a record is read again where its file is another one. Any number of threads.
class RunStore {
public:
    explicit RunStore(QString root);

    /// The newest first. Folders without a record that reads are left out.
    std::vector<StoredRun> runs() const;
    /// Is there a run at all? Without reading them.
    bool isEmpty() const;
    /// A folder that is not there yet and never was: ROOT/eie 3. The highest number that a lab was ever given is kept
    /// in the root, so that what remembers a run by its folder never means another one.
    QString newFolder(const Choice& choice) const;
    /// To the desktop's trash; the result is where it lies there. Errors: NotWritable.
    Result<QString> remove(const StoredRun& run) const;
    /// From the trash to where it was. Errors: NotWritable.
    Result<void> putBack(const StoredRun& run, const QString& inTrash) const;
    /// Copies the run's folder into another one. Errors: NotWritable.
    Result<void> copy(const StoredRun& run, const QString& into) const;

private:
    struct Known;
    int highestOf(const QString& lab) const;
    void keepHighest(const QString& lab, int number) const;

    QString m_root;
    std::shared_ptr<Known> m_known;
};

/// A word in a column of a lab's rows: methods, positions, policies and places by their names, any other as it is.
QString cellLabel(const std::string& column, const QString& word);

/// "steps = 5000, L2 = 0, methods: Vanilla; Log n": what differs from the lab's defaults; "defaults" where nothing
/// does.
QString parametersOf(const Choice& choice);

/// By run, what tells it from the others of its lab: the parameters that are not the same in all of them, first those
/// that it takes, of most values (a seed) before others; of one alone, and where nothing differs, parametersOf().
QStringList whatDiffers(const std::vector<Choice>& runs);

}  // namespace attnscope

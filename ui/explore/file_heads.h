#pragma once
// The numbers of every head of every layer of the file that is looked at (core/analysis/head_numbers.h), computed
// beside the window a layer after another while somebody looks, and again when the scenario asks for others.

#include "core/analysis/head_numbers.h"
#include "core/model/evaluation.h"
#include "ui/job/derived.h"
#include "ui/workbench/file_offers.h"

#include <QObject>
#include <QStringList>

#include <string>
#include <vector>

namespace attnscope {

class Document;

/// Every head of a file as a scenario asks for it. A file that was written again is another one.
struct EveryHead {
    OfferedFilePtr file;
    Scenario scenario;
    std::vector<HeadCandidate> layers;
    bool operator==(const EveryHead& other) const
    {
        return file->file.path() == other.file->file.path() && file->asRead == other.file->asRead &&
               scenario == other.scenario;
    }
    /// Another writing of the same file: its numbers stay until those of this one come.
    bool sameInput(const EveryHead& other) const { return scenario == other.scenario; }
};
struct EveryHeadNumbers {
    std::vector<std::vector<HeadNumbers>> layers;
    std::string error;
};

/// Every head of a file, as a line goes through them.
struct HeadWriting {
    int number = 1;                   ///< of the writing, from 1
    std::optional<double> step = {};  ///< as the file's metadata says
    /// [layer][head][place of the measure among modelHeadMeasures(), any of which a session may name]; NaN: none.
    std::vector<std::vector<std::vector<float>>> layers = {};
    NumberedFile file = {};  ///< of a run
};

/// The files of a run that were read, in their order.
struct RunOfHeads {
    std::vector<HeadWriting> writings;
    std::vector<NumberedFile> without;  ///< those that have no such heads
    std::string error;
};

/// Every head of every file of a run. The scenario is without the name of a file.
struct EveryFile {
    std::vector<NumberedFile> files;
    Scenario scenario;
    bool operator==(const EveryFile&) const = default;
    /// Files that have come since: those that were read stay.
    bool sameInput(const EveryFile& other) const { return scenario == other.scenario; }
};

class HeadHistory;

class FileHeads : public QObject {
    Q_OBJECT
public:
    FileHeads(Document& document, FileOffers& offers, QObject* parent = nullptr);
    ~FileHeads() override;

    /// Computes from now on, or no longer.
    void setActive(bool active);
    /// [layer][head], layers alike in the order of the file; those still to come are empty.
    const std::vector<std::vector<HeadNumbers>>& layers() const;
    /// The place of a layer among the file's offers, which hold other tensors too; and the layer of such a place. -1:
    /// there is none.
    int offerOf(int layer) const;
    int layerOf(int offer) const;
    /// Of each head; NaN where it has none.
    HeadValues values(const HeadMeasure& measure) const;
    /// Of the layers, as the file names them, without what all of them end in (", before RoPE").
    QStringList names() const;
    bool isComplete() const { return m_numbers.value() && !m_numbers.isComputing(); }
    /// Of every file of its run, computed from when it is asked for; of a file that is of none at each of its writings,
    /// as far as somebody looked.
    const std::vector<HeadWriting>& writings() const;
    void setOverTime(bool wanted);
    bool isOfRun() const { return m_isOfRun; }
    /// How many files of the run are still to come, and how many have no such heads.
    int filesToCome() const;
    int filesWithout() const;
    /// What went wrong, or empty.
    QString error() const;

signals:
    void changed();

private:
    void follow();
    void remember();

    Document& m_document;
    FileOffers& m_offers;
    std::unique_ptr<HeadHistory> m_history;
    Derived<EveryHead, EveryHeadNumbers> m_numbers;
    bool m_active = false, m_overTime = false, m_isOfRun = false;
    Derived<EveryFile, RunOfHeads> m_run;
};

}  // namespace attnscope

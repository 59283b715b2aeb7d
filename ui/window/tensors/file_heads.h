#pragma once
// The numbers of every head of every layer of the file that is looked at (core/analysis/head_numbers.h), computed
// beside the window a layer after another while somebody looks, and again when the scenario asks for others.

#include "core/analysis/head_numbers.h"
#include "core/model/evaluation.h"
#include "ui/job/latest_job.h"
#include "ui/window/file_offers.h"

#include <QObject>
#include <QStringList>

#include <string>
#include <vector>

namespace attnscope {

class Document;

class FileHeads : public QObject {
    Q_OBJECT
public:
    FileHeads(Document& document, FileOffers& offers, QObject* parent = nullptr);

    /// Computes from now on, or no longer.
    void setActive(bool active);
    /// [layer][head], layers in the order of the file's offers; those still to come are empty.
    const std::vector<std::vector<HeadNumbers>>& layers() const { return m_layers; }
    /// Of each head; NaN where it has none.
    HeadValues values(const HeadMeasure& measure) const;
    /// Of the layers, as the file names them.
    const QStringList& names() const { return m_names; }
    bool isComplete() const { return m_complete; }
    /// What went wrong, or empty.
    const QString& error() const { return m_error; }

signals:
    void changed();

private:
    struct Answer {
        std::vector<std::vector<HeadNumbers>> layers;
        bool complete = false;
        std::string error;
    };
    void follow();

    Document& m_document;
    FileOffers& m_offers;
    bool m_active = false, m_complete = false;
    Scenario m_asked;
    OfferedFilePtr m_file;
    std::vector<std::vector<HeadNumbers>> m_layers;
    QStringList m_names;
    QString m_error;
    LatestJob<Answer> m_job;
};

}  // namespace attnscope

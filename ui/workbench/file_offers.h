#pragma once
// The file of tensors that the document looks at: what is in it, read on a thread of its own, header only, once a file.

#include "ui/job/derived.h"
#include "ui/job/latest_job.h"
#include "ui/workbench/open_tensors.h"

#include <QObject>
#include <QString>
#include <QTime>

#include <memory>

namespace attnscope {

class Document;

using OfferedFilePtr = std::shared_ptr<const OfferedFile>;

class FileOffers : public QObject {
    Q_OBJECT
public:
    explicit FileOffers(Document& document, QObject* parent = nullptr);

    /// Reads a file that the document does not look at yet; opened() or failed() follow, and the document is left as it
    /// is.
    void open(const QString& path);
    /// The same for a file that may be where the document's tensors are now; located() or failed() follow.
    void locate(const QString& path);

    /// The document's file from the disk, though it names the same: it may have been mended. What was known of it stays
    /// until then.
    void readAgain();
    /// Which files its run has by now; the file itself is not read. changed() follows where they are others.
    void listRunAgain();
    /// When that was asked for last of the document's file; null: it is as it was opened.
    const QTime& readAgainAt() const { return m_readAgainAt; }

    /// Of the document's file, as it could be read last; null where there is none, where it is still being read, or
    /// where it could not be.
    const OfferedFilePtr& current() const { return m_current; }
    /// What is wrong with the document's file, in one line; empty: nothing.
    const QString& fault() const { return m_fault; }

signals:
    void opened(const attnscope::OfferedFilePtr& file);
    void located(const attnscope::OfferedFilePtr& file);
    void failed(const attnscope::Error& error);
    void changed();  ///< current() or fault()

private:
    /// A file is read anew when it is asked for anew.
    struct Asked {
        std::string path;
        int time = 0;
        bool operator==(const Asked&) const = default;
        bool sameInput(const Asked& other) const { return path == other.path; }
    };
    using Offered = Result<OfferedFilePtr>;
    enum class Purpose { Open, Locate };
    struct Answer {
        std::string path;
        Offered file;
        Purpose purpose = Purpose::Open;
    };
    std::string path() const;  ///< of the document's file, or empty
    bool isLast() const;
    void follow();
    void show();
    void read(const std::string& path, Purpose purpose);
    void take(const Answer& answer);
    void takeRun(const std::string& path, std::vector<NumberedFile> run);

    Document& m_document;
    int m_time = 0;
    QTime m_readAgainAt;
    std::string m_readAgain;  ///< the file of that time
    OfferedFilePtr m_last;    ///< that was opened, for when the document turns to it
    bool m_lastIsOld = false;
    OfferedFilePtr m_good;  ///< that could be read last
    OfferedFilePtr m_current;
    QString m_fault;
    Derived<Asked, Offered> m_ofDocument;
    LatestJob<Answer> m_job;
    LatestJob<std::pair<std::string, std::vector<NumberedFile>>> m_runJob;
};

}  // namespace attnscope

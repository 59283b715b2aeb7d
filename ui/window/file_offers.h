#pragma once
// The file of tensors that the document looks at: what is in it, read on a thread of its own, header only, once a file.

#include "ui/job/latest_job.h"
#include "ui/window/open_tensors.h"

#include <QObject>
#include <QString>

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

    /// Of the document's file; null where there is none, where it is still being read, or where it cannot be.
    const OfferedFilePtr& current() const { return m_current; }
    /// What is wrong with the document's file, in one line; empty: nothing.
    const QString& fault() const { return m_fault; }

signals:
    void opened(const attnscope::OfferedFilePtr& file);
    void located(const attnscope::OfferedFilePtr& file);
    void failed(const attnscope::Error& error);
    void changed();  ///< current() or fault()

private:
    enum class Asked { ByDocument, ToOpen, ToLocate };
    struct Answer {
        std::string path;
        Result<OfferedFile> file;
        Asked asked = Asked::ByDocument;
    };
    void follow();
    void read(const std::string& path, Asked asked);
    void take(Answer answer);
    void show(OfferedFilePtr file, const QString& fault);

    Document& m_document;
    std::string m_path;  ///< that current() and fault() are of
    OfferedFilePtr m_current;
    OfferedFilePtr m_last;  ///< the last that was opened, for when the document turns to it
    QString m_fault;
    LatestJob<Answer> m_job;
};

}  // namespace attnscope

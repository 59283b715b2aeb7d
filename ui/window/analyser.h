#pragma once
// Between the document and the views: every change of the scenario becomes an analysis on a worker thread, the latest wins,
// and views hear arrived(). Large scenarios are answered twice, by a sampled preview at once and exactly after it. The first
// answer to a request is let finish (it is quick) before the next is asked for, so that dragging shows motion rather than
// nothing; refinement is dropped as soon as something newer is wanted.

#include "core/analysis/analysis.h"
#include "ui/job/latest_job.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace attnscope {

class Document;

using AnalysisPtr = std::shared_ptr<const Analysis>;

class Analyser : public QObject {
    Q_OBJECT
public:
    explicit Analyser(Document& document, QObject* parent = nullptr);
    ~Analyser() override;

    /// What is shown now; null before the first answer.
    const AnalysisPtr& current() const { return m_current; }
    bool isBusy() const { return m_busy; }
    /// Is anything newer than current() still to come?
    bool isSettled() const { return !m_busy && !m_wanted; }

    /// Looks at this query row, and this region of the heatmap, without changing the document; empty: as the document says.
    void probeRow(std::optional<std::int64_t> row);

    void request();
    /// Stops what runs; what is shown stays.
    void cancel();

signals:
    void arrived(const attnscope::AnalysisPtr& analysis);
    void failed(const attnscope::Error& error);
    void busyChanged(bool busy);

private:
    struct Answer {
        Result<AnalysisPtr> analysis;
        bool last = false;
    };
    void start();
    void take(Answer answer);
    void setBusy(bool busy);

    Document& m_document;
    AnalysisPtr m_current;
    std::optional<std::int64_t> m_probedRow;
    bool m_busy = false;
    bool m_firstAnswerDue = false;
    bool m_wanted = false;
    QElapsedTimer m_sinceStart;
    QTimer m_patience;
    std::shared_ptr<AnalysisCache> m_cache;  ///< used on the job's thread only
    LatestJob<Answer> m_job;
};

}  // namespace attnscope

Q_DECLARE_METATYPE(attnscope::AnalysisPtr)

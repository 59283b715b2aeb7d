#pragma once
// Between the document and the views: every change of the scenario becomes an analysis on a worker thread, the latest
// wins, and views hear arrived(). Large scenarios are answered twice, by a sampled preview at once and exactly after
// it. The first answer to a request is let finish (it is quick) before the next is asked for, so that dragging shows
// motion rather than nothing; refinement begins once the window has painted that answer and is dropped as soon as
// something newer is wanted. Pictures do not wait for theory: if its curves take longer, they follow in an answer of
// their own. What only tables show comes last, after a pause.

#include "core/analysis/analysis.h"
#include "ui/figure/map_pictures.h"
#include "ui/job/latest_job.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <atomic>
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

    /// What is shown now; null before the first answer. Of what failed it is an empty analysis that says why: the one
    /// before would stand under another scenario's name.
    const AnalysisPtr& current() const { return m_instead ? m_instead : m_current; }
    /// The last answer to the document, whatever is shown in its place.
    const AnalysisPtr& answer() const { return m_current; }
    /// Shows this in place of the answers, until it is null; they go on being computed.
    void showInstead(AnalysisPtr other);
    /// The scenario of what is shown: the document's, but for what is shown instead. Fields stand at it.
    const Scenario& lookedAt() const;
    /// The same with the head size that counts: a file's, as soon as it was read, whatever the scenario says.
    Scenario inForce() const;
    /// Of its maps, as the look was when the answer was asked for; null: nobody has made them.
    std::shared_ptr<const MapPictures> pictures() const { return m_instead ? nullptr : m_pictures; }
    bool isFlipped() const { return m_instead != nullptr; }
    bool isBusy() const { return m_busy; }
    /// Is anything newer than current() still to come?
    bool isSettled() const { return !m_busy && !m_wanted; }

    /// Looks at this query row without changing the document; empty: as the document says. Long work is not stopped for
    /// it.
    void probeRow(std::optional<std::int64_t> row);
    /// Maps of at most this many cells in each direction, in place of the document's: as many as the screen shows.
    void setPixels(int pixels);
    int pixels() const { return m_pixels; }  ///< 0: as the document says
    /// Also the weights of this region, a cell a weight, of the same scenario; empty: none is wanted. They follow the
    /// first answer.
    void setLoupe(const std::optional<Region>& region);
    /// An analysis of that region alone, as wide as it was when it was computed; null before there is one.
    const AnalysisPtr& loupe() const { return m_loupe; }

    void request();
    /// Stops what runs; what is shown stays, and is not refined until the document changes.
    void cancel();

    /// Of what runs now: how much is done, in [0, 1], and for how long it has run.
    double fractionDone() const { return *m_fraction; }
    qint64 milliseconds() const { return m_busy ? m_sinceStart.elapsed() : 0; }

signals:
    void arrived(const attnscope::AnalysisPtr& analysis);
    void lookedElsewhere();  ///< at other answers than the document's, or back at them: lookedAt()
    void loupeArrived();
    void failed(const attnscope::Error& error);
    void busyChanged(bool busy);
    void cancelled();

protected:
    void customEvent(QEvent* event) override;

private:
    class Painted;
    class PaintedEvent;
    struct Answer {
        Result<AnalysisPtr> analysis;
        bool last = false;
        std::shared_ptr<const MapPictures> pictures;
        std::shared_ptr<Painted>
            painted;         ///< told once the window has painted this answer; mostly nobody waits for that
        bool loupe = false;  ///< it is of the loupe's region
    };
    void start();
    void startLoupe();
    static Answer loupeAnswer(const Scenario& scenario, const std::stop_token& stop, AnalysisCache& cache);
    Scenario wanted() const;
    std::optional<Scenario> loupeWanted() const;
    void answerNothing(const std::string& why);
    void take(Answer answer);
    void setBusy(bool busy);

    Document& m_document;
    AnalysisPtr m_current, m_instead, m_loupe;
    std::optional<Region> m_loupeRegion;
    std::shared_ptr<const MapPictures> m_pictures;
    std::optional<std::int64_t> m_probedRow;
    bool m_busy = false;
    bool m_firstAnswerDue = false;
    bool m_wanted = false;
    bool m_refine = true;
    int m_pixels = 0;  ///< 0: as the document says
    std::shared_ptr<std::atomic<double>> m_fraction = std::make_shared<std::atomic<double>>(0);
    QElapsedTimer m_sinceStart;
    QTimer m_patience;
    std::shared_ptr<AnalysisCache> m_cache;  ///< used on the job's thread only
    LatestJob<Answer> m_job;
};

}  // namespace attnscope

Q_DECLARE_METATYPE(attnscope::AnalysisPtr)

#pragma once
// What the Model workspace computes, off the window's thread: the document says what (its methods, and ModelLook), and
// whatever has changed is derived again (model_values.h). One follows from the other: the model and its text; the
// study, which publishes after every window; the head that is looked at; the multipliers that keep the entropy of N;
// the text that the model writes.

#include "ui/job/derived.h"
#include "ui/job/latest_job.h"
#include "ui/job/save_queue.h"
#include "ui/workbench/document.h"
#include "ui/workbench/model_values.h"
#include "ui/workbench/opened_model.h"

#include <QString>

#include <memory>
#include <optional>

namespace attnscope {

/// Of the two combinations that are looked at: the one that is chosen, and the one beside it.
enum class Side { A, B };

class ModelRunner : public QObject {
    Q_OBJECT
public:
    ModelRunner(Document& document, SaveQueue& saves, QObject* parent = nullptr);

    /// Nothing is computed while the workspace is not looked at; what was begun goes on.
    void setActive(bool active);
    bool isActive() const { return m_active; }
    /// Runs end where they are; what they have found stays. changed() of the document begins again only what it
    /// changes.
    void stop();
    /// All that was stopped, and the study from its beginning, of the text as it is in its file now.
    void again();
    /// The model and its text from their files, though the document names the same: they may have been mended.
    void openAgain();
    void readTextAgain();

    std::shared_ptr<const Model> model() const;
    /// With its tokens; nothing where there are none.
    ModelAndText opens() const;
    /// The model, or another text for it, is on its way.
    bool isOpening() const { return m_opened.isComputing(); }
    QString about() const;                 ///< what the model is, a line each; known while it opens
    std::vector<FileStamp> files() const;  ///< that it was opened from
    QString error() const;                 ///< of the model, its text or the study; empty: none
    /// What the document names, or the model that comes with the program.
    std::string folder() const;
    std::int64_t tokens() const;
    /// "own" or a position, as a person reads it.
    QString positionLabel(const std::string& position) const;
    /// "Log n", and with more than one position scheme "Log n (ReRoPE)".
    QString combinationLabel(const ShownHead& of) const;
    /// The lengths asked for, or those of the model.
    std::vector<std::int64_t> lengths() const;
    /// Every method under every position scheme, positions outermost.
    std::vector<Policy> policies() const;
    const StudyRequest& request() const { return m_request; }
    std::shared_ptr<const StudyResult> study() const;
    /// What the document names is what is open: not while nobody looks and it has come to name something else.
    bool isOfNow() const;
    /// The study, if it is of all that the document asks for now; else null.
    std::shared_ptr<const StudyResult> studyOfNow() const;
    /// Of the text, where that is made; else 0.
    std::int64_t madeTokens() const;
    bool isRunning() const { return m_study.isComputing(); }
    double progress() const;
    QString stage() const;
    /// "n = 8192 takes about 4 min a run", where one takes more than a minute. Shorter runs and beginnings come first:
    /// so it is said before.
    QString costOfLongest() const;
    /// What a pass over n tokens takes, by the runs of the study so far; 0: not known.
    double secondsFor(std::int64_t n) const;
    ShownHead shown() const;
    /// B; nothing: none is asked for, or it is A itself.
    std::optional<ShownHead> beside() const;
    const StudyCell* shownCell(Side side = Side::A) const;
    /// What was run of it; null: nothing.
    const StudyCell* cellOf(const ShownHead& of) const;

    /// Of every layer and head, by ModelLook::measure; not a number where there is none (yet).
    HeadValues measured(Side side = Side::A) const;
    /// Why the measure says nothing here; empty: it does.
    QString nothingMeasured() const;
    /// Over what the measure is a mean, or how gradients were obtained.
    QString howMeasured() const;

    const Picture& picture() const;
    /// A part of the map with at most so many cells a side; an empty region: all of it.
    void lookAt(const Region& region, int pixels);
    /// The part that was asked for, of the map that is there or comes: another matrix is looked at whole.
    const Region& region() const { return m_region; }

    const Written& written(Side side = Side::A) const;
    /// Why there is no text; empty: there is.
    QString nothingWritten(Side side = Side::A) const;

    /// Keeps the queries and keys of the window that is looked at in a file of the folder (kept_heads.h); kept()
    /// follows.
    void keepHeads(const QString& folder, const QStringList& mentions);

signals:
    void opened();   ///< the model, its text, or why not
    void studied();  ///< it began, has a further result, or ended
    void progressed();
    void measuredHeads();
    void pictured();
    void wrote();
    void kept(const QString& path, const attnscope::ShownHead& of, const QString& error);

private:
    void refresh();
    void dropWhatFollows();
    void openWhatIsAsked();
    void studyWhatIsAsked();
    void pictureWhatIsAsked();
    void measureWhatIsAsked();
    void askAfterTheStudy();
    /// What the document asks for, whatever is open by now. Its lengths are those that it names.
    struct Asked {
        ModelSource source;
        StudyRequest request;
        bool operator==(const Asked&) const = default;
    };
    Asked asked() const;
    ModelSource source() const;
    StudyRequest wanted() const;
    ShownHead headUnder(const Combination& combination) const;
    std::optional<HeadInRun> shownRun(Side side) const;
    /// What is derived from one side alone.
    struct OfSide {
        explicit OfSide(ModelRunner& runner);
        Derived<KeepsKey, Kept> keeps;
        Derived<FirstRun, Gradients> gradients;
        Derived<FirstRun, Written> written;
    };
    OfSide& of(Side side) { return side == Side::A ? m_a : m_b; }
    const OfSide& of(Side side) const { return side == Side::A ? m_a : m_b; }
    template <class Key, class Value>
    void askUnlessStopped(Derived<Key, Value>& derived, const std::optional<Key>& key, bool now);

    Document& m_document;
    SaveQueue& m_saves;
    bool m_active = false;
    int m_openings = 0, m_readings = 0;
    StudyRequest m_request;
    std::optional<Asked> m_stopped;                              ///< and not asked for again
    std::pair<std::shared_ptr<const StudyResult>, bool> m_told;  ///< with studied(): the result, and whether it ran on
    Region m_region;
    int m_pixels = 512;
    Derived<ModelSource, OpenedModel> m_opened;
    Derived<StudyKey, StudyNews> m_study;
    Derived<PictureKey, Picture> m_picture;
    OfSide m_a, m_b;
};

}  // namespace attnscope

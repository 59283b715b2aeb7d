#pragma once
// What the Model workspace computes, off the window's thread: the document says what (its methods, and ModelLook), and
// whatever has changed is done again. Five jobs, each of which shows its latest answer: the model and its text; the
// study, which publishes after every window; the head that is looked at; the multipliers that keep the entropy of N;
// the text that the model writes.

#include "core/analysis/model_heads.h"
#include "ui/job/latest_job.h"
#include "ui/window/document.h"
#include "ui/window/model/opened_model.h"

#include <QElapsedTimer>
#include <QString>

#include <memory>
#include <optional>

namespace attnscope {

/// One combination of the study and one head of the model.
struct ShownHead {
    std::int64_t n = 0;
    size_t policy = 0;  ///< of the study: position * methods + method
    int position = 0, method = 0, layer = 0, head = 0;
    bool operator==(const ShownHead&) const = default;
};

class ModelRunner : public QObject {
    Q_OBJECT
public:
    explicit ModelRunner(Document& document, QObject* parent = nullptr);

    /// Nothing is computed while the workspace is not looked at; what was begun goes on.
    void setActive(bool active);
    /// Runs end where they are; what they have found stays. changed() of the document begins again only what it
    /// changes.
    void stop();
    /// The study from its beginning.
    void again();

    const std::shared_ptr<const Model>& model() const { return m_model; }
    const QString& error() const { return m_error; }  ///< of the model or its text; empty: none
    /// What the document names, or the model that comes with the program.
    std::string folder() const;
    std::int64_t tokens() const { return m_ids ? std::ssize(*m_ids) : 0; }
    /// "own" or a position, as a person reads it.
    QString positionLabel(const std::string& position) const;
    /// The lengths asked for, or those of the model.
    std::vector<std::int64_t> lengths() const;
    const StudyRequest& request() const { return m_request; }
    const std::shared_ptr<const StudyResult>& study() const { return m_study; }
    bool isRunning() const { return m_running; }
    double progress() const { return m_progress; }
    QString stage() const;
    ShownHead shown() const;
    const StudyCell* shownCell() const;

    /// Of every layer and head, by ModelLook::measure; not a number where there is none (yet).
    HeadValues measured() const;
    /// Why the measure says nothing here; empty: it does.
    QString nothingMeasured() const;

    struct Picture {
        ShownHead of;
        std::shared_ptr<const CapturedHeads> heads;
        std::shared_ptr<const PreparedHead> prepared;
        std::shared_ptr<const Analysis> analysis;  ///< of that one head under one method: what maps are drawn from
        Region region;
        QString error;
    };
    const Picture& picture() const { return m_picture; }
    /// A part of the map with at most so many cells a side; an empty region: all of it.
    void lookAt(const Region& region, int pixels);

    struct Written {
        QString before, text, error;
        std::int64_t tokens = 0;
    };
    const Written& written() const { return m_written; }

    /// Keeps the queries and keys of the window that is looked at in a file of tensors; kept() follows.
    void keepHeads(const QString& path);

signals:
    void opened();   ///< the model, its text, or why not
    void studied();  ///< a result, a stage, or the end
    void measuredHeads();
    void pictured();
    void wrote();
    void kept(const QString& path, const QString& error);

private:
    struct StudyNews {
        std::shared_ptr<const StudyResult> result;
        double progress = 0;
        bool over = false;
        QString error;
    };
    struct Kept {
        std::weak_ptr<const CapturedHeads> of;
        std::vector<std::vector<std::optional<double>>>
            multipliers;  ///< [layer][head]; of a layer that was not kept none
    };
    struct Saved {
        QString path, error;
    };
    void refresh();
    void openWhatIsAsked();
    void studyWhatIsAsked();
    void pictureWhatIsAsked();
    void measureWhatIsAsked();
    void writeWhatIsAsked();
    StudyRequest wanted() const;
    Result<Window> firstWindow(std::int64_t n) const;

    Document& m_document;
    bool m_active = false;
    ModelSource m_asked;
    std::shared_ptr<const Model> m_model;
    std::optional<std::string> m_folder;  ///< of the model
    std::shared_ptr<const std::vector<int>> m_ids;
    QString m_error;
    StudyRequest m_request;
    std::shared_ptr<const std::vector<int>> m_studied;  ///< the ids of the study
    std::shared_ptr<const StudyResult> m_study;
    bool m_running = false;
    double m_progress = 0;
    Picture m_picture;
    Region m_region;
    int m_pixels = 512;
    struct PictureKey {
        ShownHead of;
        Policy policy;
        bool captured = false;
        Region region;
        int pixels = 0;
        std::shared_ptr<const std::vector<int>> ids;
        bool operator==(const PictureKey&) const = default;
        bool sameRun(const PictureKey& other) const
        {
            return of.n == other.of.n && policy == other.policy && captured == other.captured && ids == other.ids;
        }
    };
    std::optional<PictureKey> m_pictureAsked, m_writtenAsked;
    Kept m_keeps;
    std::weak_ptr<const CapturedHeads> m_keepsAsked;
    Written m_written;
    LatestJob<OpenedModel> m_opening;
    LatestJob<StudyNews> m_studying;
    LatestJob<Picture> m_picturing;
    LatestJob<Kept> m_measuring;
    LatestJob<Written> m_writing;
    LatestJob<Saved> m_saving;
};

}  // namespace attnscope

#pragma once
// Probes in the Model workspace (core/model/probes.h), off the window's thread: begun when somebody asks for them, of
// the model and text that are open and of what the document says (ModelLook: lengths, positions, probe; the scenario's
// methods). Both tasks keep what they found while all that it is of stays as it is, after a stop too; of another model,
// text or question nothing is to be seen, and what was found comes back with its question: also after the program was
// closed, once its model is open (known_probes.h).

#include "core/model/probes.h"
#include "ui/job/derived.h"
#include "ui/workbench/model_runner.h"

#include <QObject>

#include <memory>
#include <utility>
#include <vector>

namespace attnscope {

struct ProbeKey {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const std::vector<int>> ids;  ///< null: the text is made, or none is needed
    ModelText made = ModelText::Generated;        ///< which, then
    ProbeRequest request;
    std::vector<FileStamp> files = {};  ///< of the model, as it was opened
    bool operator==(const ProbeKey&) const = default;
};

struct ProbeNews {
    std::vector<ProbeCell> cells;  ///< so far, in the order of runProbe()
    double fraction = 0;
    bool complete = false;
    QString left;     ///< as RunningPace::left()
    QString leftOut;  ///< which lengths are not asked, and why
    QString error;
};

/// The filler text. Errors: those of making one.
Result<std::vector<int>> fillerOf(const ProbeKey& key);

/// Lengths that leave no room for the question, or that the text does not fill, are left out, unless all are. Nothing
/// where it was stopped.
std::optional<ProbeNews> probed(const ProbeKey& key, const std::stop_token& stop,
                                const std::function<void(ProbeNews)>& publish);

class ProbeRunner : public QObject {
    Q_OBJECT
public:
    /// What is found is kept in the state folder.
    ProbeRunner(Document& document, ModelRunner& runner, QObject* parent = nullptr);
    static QString folder();

    /// What would be asked now, of the task that the document names; nothing without a model and its text, or where
    /// nothing can be asked.
    std::optional<ProbeKey> wanted() const { return wantedOf(task()); }
    /// Why nothing can be asked, and what to do; empty: it can.
    QString whyNot() const;
    /// It is the model that cannot be asked, whatever the task; and one that comes with the program and can.
    bool needsAnotherModel() const;
    QString suggestedModel() const;

    /// From the beginning; while another text is read, as soon as that is there.
    void run();
    void stop();
    bool isRunning() const { return of(task()).isComputing() || isWaiting(); }
    bool isWaiting() const { return m_waiting && m_waiting->task == task(); }
    /// The model can be asked, once its text is there.
    bool canRun() const { return m_runner.model() && (wanted() || (m_runner.isOpening() && whyNotModel().isEmpty())); }
    /// Null: nothing was found yet.
    const std::shared_ptr<const ProbeNews>& news() const { return of(task()).value(); }
    /// What was asked of these; while there are any.
    const ProbeRequest& request() const { return of(task()).of()->request; }

signals:
    void found();  ///< something else than before: begun, further, ended, or dropped

private:
    using Probed = Derived<ProbeKey, ProbeNews>;
    ProbeTask task() const { return m_document.look().model.probe.task; }
    std::optional<ProbeKey> wantedOf(ProbeTask task) const;
    Probed& of(ProbeTask task) { return task == ProbeTask::Needle ? m_needle : m_repeat; }
    const Probed& of(ProbeTask task) const { return task == ProbeTask::Needle ? m_needle : m_repeat; }
    QString whyNotModel() const;
    void dropWhatIsOld();
    void keep(const Probed& found);
    void bringBack(Probed& of, const ProbeKey& key);
    void runWhatWaits();
    void recall();
    void takeRecalled();

    Document& m_document;
    ModelRunner& m_runner;
    Probed m_repeat, m_needle, m_recall;
    std::vector<std::pair<ProbeKey, std::shared_ptr<const ProbeNews>>> m_kept;  ///< of the open model, the latest last
    struct Waiting {
        ProbeTask task;
        std::shared_ptr<const Model> model;
    };
    std::optional<Waiting> m_waiting;  ///< to be asked once the text is there that is being read
};

}  // namespace attnscope

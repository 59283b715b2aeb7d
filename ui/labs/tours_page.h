#pragma once
// Tours in the Labs workspace: a network, an instance, and its tour with the scale that was trained with beside the
// tour under another, as the document's look asks for them. The tour is made anew while the slider is dragged, on a
// thread of its own: when one is made, the question as it stands then is the next. A question about another network or
// instance does not wait for one that takes long. Another slider goes through the choices that made them.

#include "core/document/recipe.h"
#include "core/labs/routing/redecoding.h"
#include "ui/job/derived.h"
#include "ui/job/latest_job.h"
#include "ui/workbench/run_store.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QScrollArea;

namespace attnscope {

class ChoiceControl;
class Document;
class LabTourView;
class LengthScrubber;
class NumberControl;
class TourSteps;

class ToursPage : public QWidget {
    Q_OBJECT
public:
    /// Networks of the user's own are kept.
    ToursPage(Document& document, RunStore store, QWidget* parent = nullptr);

    QWidget* controls() const { return m_side; }
    const RedecodingRequest& request() const;
    void setRequest(const RedecodingRequest& request);
    /// Shown is what is asked for.
    bool isSettled() const { return m_settled; }
    const Redecoded* shown() const { return m_shown.get(); }
    QString words() const;
    LabTourView& tours() { return *m_tours; }
    NumberControl& factor() { return *m_factor; }
    NumberControl& trainLength() { return *m_trained; }
    LengthScrubber& scrubber() { return *m_scrubber; }
    TourSteps& steps() { return *m_steps; }
    /// What is shown now: the tours, or both before a choice.
    Recipe figure() const;

signals:
    void settled();
    void figureAsked(const attnscope::Recipe& recipe);

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Answer {
        std::optional<RedecodingRequest> nearest;     ///< of a file of instances one that it has
        std::map<std::int64_t, std::int64_t> counts;  ///< of that file's instances, by size
        std::shared_ptr<const Redecoded> found;
        double milliseconds = 0;
        std::string error;
    };
    void fitTours();
    void buildSide();
    void listPlaces(Index layers);
    void listNetworks();
    void listInstances();
    void listSizes();
    void showSizes();
    void chooseNetwork(int index);
    void chooseInstances(int index);
    void follow();
    void showRequest();
    void ask();
    void begin();
    void hurry();
    void take(const Answer& answer);
    static Answer madeOf(Redecoder& redecoder, const RedecodingRequest& request, const std::stop_token& stop);
    void choose(const RedecodingRequest& request);
    QString trainedWords() const;

    Document& m_document;
    RunStore m_store;
    std::vector<StoredRun> m_runs;  ///< of which networks are offered, as they were when the page was last shown
    RedecodingRequest m_request;    ///< the document's, as it is shown by the controls
    std::shared_ptr<const Redecoded> m_shown;
    std::map<std::int64_t, std::int64_t> m_counts;
    bool m_settled = false, m_begun = false;
    QWidget *m_side, *m_sizeLine;
    QComboBox *m_network, *m_instances, *m_sizes, *m_where;
    NumberControl *m_trained, *m_size, *m_number, *m_factor;
    ChoiceControl* m_method;
    LengthScrubber* m_scrubber;
    QLabel* m_answer;
    QLabel* m_words;
    LabTourView* m_tours;
    QScrollArea* m_scroll;
    TourSteps* m_steps;
    QTimer m_patience;
    Derived<RedecodingRequest, Answer> m_made;
    LatestJob<std::vector<StoredRun>> m_reading;
};

}  // namespace attnscope

#pragma once
// The search for the scale in the Model workspace, off the window's thread: begun when somebody asks for it, of the
// model and text that are open and of what the document says (ModelLook: over, tunedAt). What was found stays while all
// of that stays as it is, after a stop too; of another model, text, length or question nothing is left to be seen, and
// who comes back to what was searched to its end finds its answer again. What was found is there again after the
// program was closed, once its model is open: the losses that it is a function of are kept (known_losses.h).

#include "ui/job/derived.h"
#include "ui/workbench/model_runner.h"
#include "ui/workbench/scale_search.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

class ScaleFinder : public QObject {
    Q_OBJECT
public:
    /// Losses are kept in the state folder.
    ScaleFinder(Document& document, ModelRunner& runner, QObject* parent = nullptr);
    static QString folder();

    /// What would be searched now; nothing without a model and its text.
    std::optional<ScaleKey> wanted() const;
    /// n that is searched at.
    std::int64_t length() const;

    /// Begins, or goes on after stop().
    void find();
    void stop() { m_search.cancel(); }
    bool isFinding() const { return m_search.isComputing(); }
    /// Is what was found before being made again?
    bool isRecalling() const { return m_recall.isComputing(); }
    /// Null: nothing was found yet.
    const std::shared_ptr<const ScaleNews>& news() const { return m_search.value(); }
    /// Stopped before the end, and something was found.
    bool canGoOn() const;

signals:
    void found();  ///< something else than before: begun, further, ended, or dropped

private:
    /// The answer to a question, without the model in memory.
    struct Answer {
        std::string folder;
        std::vector<FileStamp> files;
        ScaleKey key;
        std::shared_ptr<const ScaleNews> news;
    };
    void follow();
    void takeRecalled();
    void remember();
    bool isAnswerTo(const ScaleKey& key, const Answer& answer) const;

    Document& m_document;
    ModelRunner& m_runner;
    std::vector<Answer> m_answers;  ///< the last ones
    Derived<ScaleKey, ScaleNews> m_search, m_recall;
};

}  // namespace attnscope

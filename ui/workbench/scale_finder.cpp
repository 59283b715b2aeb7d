#include "ui/workbench/scale_finder.h"

#include "ui/plot/qt_text.h"
#include "ui/workbench/session_file.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr std::size_t mostAnswers = 32;

}  // namespace

ScaleFinder::ScaleFinder(Document& document, ModelRunner& runner, QObject* parent)
    : QObject(parent), m_document(document), m_runner(runner),
      m_search([known = std::make_shared<KnownLosses>(folder().toStdString())](
                   const ScaleKey& key, const auto&, const std::stop_token& stop,
                   const auto& publish) { return searched(key, *known, stop, publish); },
               failedWith<ScaleNews>,
               [this] {
                   remember();
                   emit found();
               }),
      m_recall(
          [known = std::make_shared<KnownLosses>(folder().toStdString())](const ScaleKey& key, const auto&,
                                                                          const std::stop_token& stop, const auto&) {
              known->forget();  // another thread's search has written since
              return recalled(key, *known, stop);
          },
          failedWith<ScaleNews>, [this] { takeRecalled(); })
{
    connect(&runner, &ModelRunner::opened, this, &ScaleFinder::follow);
    connect(&document, &Document::lookChanged, this, &ScaleFinder::follow);
    connect(&document, &Document::changed, this, &ScaleFinder::follow);
}

QString ScaleFinder::folder() { return stateFolder() + u"/searches"_s; }

std::int64_t ScaleFinder::length() const
{
    const ModelLook& look = m_document.look().model;
    if (look.tunedAt > 0 || !m_runner.model())
        return look.tunedAt;
    const Architecture& model = m_runner.model()->architecture;
    return usualTuneLength(m_runner.shown().n, model.trainLength, isMade(look.text) ? 0 : m_runner.tokens(),
                           model.learnedPositions);
}

std::optional<ScaleKey> ScaleFinder::wanted() const
{
    const ModelAndText of = m_runner.opens();
    if (!of.ids)
        return {};
    const ModelLook& look = m_document.look().model;
    ScaleKey key;
    key.model = of.model;
    if (isMade(look.text))
        key.made = look.text;
    else
        key.ids = of.ids;
    key.request.n = length();
    key.request.over = look.over;
    key.windows.engine = m_document.scenario().engine;
    key.files = m_runner.files();
    return key;
}

/// From now on n is what it is now, wherever else one looks meanwhile.
void ScaleFinder::find()
{
    if (m_document.look().model.tunedAt == 0)
        m_document.editLook([n = length()](Look& look) { look.model.tunedAt = n; });
    m_recall.drop();
    m_search.ask(wanted());
}

bool ScaleFinder::canGoOn() const { return news() && !isFinding() && !news()->report && news()->error.isEmpty(); }

void ScaleFinder::follow()
{
    const auto now = wanted();
    const auto isOld = [&](const std::optional<ScaleKey>& key) { return key && key != now; };
    if (isOld(m_search.asked()) || isOld(m_search.of()))
        m_search.drop();
    if (isOld(m_recall.asked()))
        m_recall.drop();
    if (!now || m_search.of() || isFinding())
        return;
    const auto known = std::ranges::find_if(m_answers, [&](const Answer& answer) { return isAnswerTo(*now, answer); });
    if (known != m_answers.end())
        m_search.put(*now, known->news);
    else
        m_recall.ask(now);
}

/// As if it had been searched now, and stopped where its end is not known.
void ScaleFinder::takeRecalled()
{
    if (m_recall.isComputing() || !m_recall.value())
        return emit found();
    m_search.put(*m_recall.of(), m_recall.value());
    if (!news()->report)
        m_search.cancel();
}

/// What was searched to its end.
void ScaleFinder::remember()
{
    if (!news() || !news()->report || isFinding() || !m_search.of())
        return;
    const ScaleKey& of = *m_search.of();
    std::erase_if(m_answers, [&](const Answer& answer) { return isAnswerTo(of, answer); });
    m_answers.push_back({of.model->folder, m_runner.files(), of, news()});
    m_answers.back().key.model = nullptr;
    if (m_answers.size() > mostAnswers)
        m_answers.erase(m_answers.begin());
}

/// A model that was opened anew, and its text, are others in memory.
bool ScaleFinder::isAnswerTo(const ScaleKey& key, const Answer& answer) const
{
    const auto &text = key.ids, &its = answer.key.ids;
    ScaleKey same = answer.key;
    same.model = key.model;
    same.ids = key.ids;
    return key.model->folder == answer.folder && key == same && m_runner.files() == answer.files &&
           (text == its || (text && its && *text == *its));  // last, since a text may be of 256 MB
}

}  // namespace attnscope

#include "moc_scale_finder.cpp"

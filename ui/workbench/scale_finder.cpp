#include "ui/workbench/scale_finder.h"

namespace attnscope {

ScaleFinder::ScaleFinder(Document& document, ModelRunner& runner, QObject* parent)
    : QObject(parent), m_document(document), m_runner(runner),
      m_search([known = std::make_shared<KnownLosses>()](
                   const ScaleKey& key, const auto&, const std::stop_token& stop,
                   const auto& publish) { return searched(key, *known, stop, publish); },
               [](const Error& error) {
                   ScaleNews news;
                   news.error = QString::fromStdString(error.message);
                   return news;
               },
               [this] { emit found(); })
{
    connect(&runner, &ModelRunner::opened, this, &ScaleFinder::dropWhatIsOld);
    connect(&document, &Document::lookChanged, this, &ScaleFinder::dropWhatIsOld);
    connect(&document, &Document::changed, this, &ScaleFinder::dropWhatIsOld);
}

std::int64_t ScaleFinder::length() const
{
    const ModelLook& look = m_document.look().model;
    if (look.tunedAt > 0 || !m_runner.model())
        return look.tunedAt;
    return usualTuneLength(m_runner.shown().n, m_runner.model()->architecture.trainLength,
                           isMade(look.text) ? 0 : m_runner.tokens());
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
    return key;
}

/// From now on n is what it is now, wherever else one looks meanwhile.
void ScaleFinder::find()
{
    if (m_document.look().model.tunedAt == 0)
        m_document.editLook([n = length()](Look& look) { look.model.tunedAt = n; });
    m_search.ask(wanted());
}

bool ScaleFinder::canGoOn() const { return news() && !isFinding() && !news()->report && news()->error.isEmpty(); }

void ScaleFinder::dropWhatIsOld()
{
    const auto now = wanted();
    const auto isOld = [&](const std::optional<ScaleKey>& key) { return key && key != now; };
    if (isOld(m_search.asked()) || isOld(m_search.of()))
        m_search.drop();
}

}  // namespace attnscope

#include "moc_scale_finder.cpp"

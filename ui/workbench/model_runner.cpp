#include "ui/workbench/model_runner.h"

#include "core/attention/positions.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/theme.h"
#include "ui/workbench/kept_heads.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr Side bothSides[] = {Side::A, Side::B};
constexpr std::int64_t tokensOfBeginning = 512;
constexpr qint64 mostKept = 2LL << 30;  // bytes of heads that were looked at in Explore

QString said(const Error& error) { return text(error.message); }

}  // namespace

ModelRunner::OfSide::OfSide(ModelRunner& runner)
    : keeps([](const KeepsKey& key, const auto&, const std::stop_token& stop,
               const auto& publish) { return keptOf(key, stop, publish); },
            failedWith<Kept>, [&runner] { emit runner.measuredHeads(); }),
      gradients([](const FirstRun& key, const auto&, const std::stop_token& stop,
                   const auto& publish) { return gradientsOf(key, stop, publish); },
                failedWith<Gradients>, [&runner] { emit runner.measuredHeads(); }),
      written([](const FirstRun& key, const auto&, const std::stop_token& stop,
                 const auto&) { return writtenAfter(key, stop); },
              failedWith<Written>, [&runner] { emit runner.wrote(); })
{
}

ModelRunner::ModelRunner(Document& document, SaveQueue& saves, QObject* parent)
    : QObject(parent), m_document(document), m_saves(saves),
      m_opened([](const ModelSource& source, const auto& before, const std::stop_token& stop,
                  const auto& publish) { return std::optional(openModelAndText(source, before, stop, publish)); },
               failedWith<OpenedModel>,
               [this] {
                   if (!opens().ids)
                       dropWhatFollows();
                   refresh();
                   emit opened();
               }),
      m_study([](const StudyKey& key, const auto&, const std::stop_token& stop,
                 const auto& publish) { return studyOf(key, stop, publish); },
              [](const Error& error) { return StudyNews{.result = {}, .progress = 1, .error = said(error)}; },
              [this] {
                  if (m_told == std::pair(study(), isRunning()))
                      return emit progressed();
                  m_told = {study(), isRunning()};
                  emit studied();
                  askAfterTheStudy();
              }),
      m_picture([](const PictureKey& key, const auto& before, const std::stop_token& stop,
                   const auto&) { return pictureOf(key, before, stop); },
                failedWith<Picture>,
                [this] {
                    emit pictured();
                    measureWhatIsAsked();
                }),
      m_a(*this), m_b(*this)
{
    connect(&document, &Document::changed, this, &ModelRunner::refresh);
    connect(&document, &Document::lookChanged, this, &ModelRunner::refresh);
}

void ModelRunner::setActive(bool active)
{
    m_active = active;
    refresh();
}

void ModelRunner::stop()
{
    m_stopped = asked();
    m_study.cancel();
    for (const Side side : bothSides) {
        of(side).keeps.cancel();
        of(side).gradients.cancel();
        of(side).written.cancel();
    }
    emit studied();
}

void ModelRunner::again()
{
    m_stopped.reset();
    m_study.cancel();
    readTextAgain();
}

void ModelRunner::openAgain()
{
    ++m_openings;
    refresh();
}

void ModelRunner::readTextAgain()
{
    ++m_readings;
    refresh();
}

std::shared_ptr<const Model> ModelRunner::model() const { return m_opened.value() ? m_opened.value()->model : nullptr; }

std::int64_t ModelRunner::tokens() const
{
    return m_opened.value() && m_opened.value()->ids ? std::ssize(*m_opened.value()->ids) : 0;
}

std::vector<FileStamp> ModelRunner::files() const
{
    return m_opened.value() ? m_opened.value()->files : std::vector<FileStamp>();
}

QString ModelRunner::error() const
{
    if (m_opened.value() && !m_opened.value()->error.isEmpty())
        return m_opened.value()->error;
    return m_study.value() ? m_study.value()->error : QString();
}

QString ModelRunner::about() const { return m_opened.value() ? m_opened.value()->about : QString(); }

/// Only of what is open: while one part of what follows from a model is dropped, another may be there still.
std::shared_ptr<const StudyResult> ModelRunner::study() const
{
    return m_study.value() && m_study.of()->of.model == model() ? m_study.value()->result : nullptr;
}

bool ModelRunner::isOfNow() const { return m_opened.value() && m_opened.of() == source() && !isOpening(); }

std::shared_ptr<const StudyResult> ModelRunner::studyOfNow() const
{
    return isOfNow() && m_study.of() && *m_study.of() == StudyKey{opens(), wanted()} ? study() : nullptr;
}

std::int64_t ModelRunner::madeTokens() const
{
    return isMade(m_document.look().model.text) && model() ? madeTokensFor(source(), model()->architecture) : 0;
}

double ModelRunner::progress() const { return m_study.value() ? m_study.value()->progress : 0; }

const Picture& ModelRunner::picture() const
{
    static const Picture none;
    return m_picture.value() && m_picture.of()->a.run.of.model == model() ? *m_picture.value() : none;
}

const Written& ModelRunner::written(Side side) const
{
    static const Written none;
    return of(side).written.value() ? *of(side).written.value() : none;
}

std::string ModelRunner::folder() const { return sourceOf(m_document.look().model).folder; }

std::vector<std::int64_t> ModelRunner::lengths() const
{
    const ModelLook& look = m_document.look().model;
    if (!look.lengths.empty() || !model())
        return look.lengths;
    const std::int64_t trained = model()->architecture.trainLength > 0 ? model()->architecture.trainLength : 512;
    std::vector<std::int64_t> all;
    std::int64_t most =
        tokens() > 0 ? std::max<std::int64_t>(
                           1, tokens() - (model()->architecture.beginToken || !model()->architecture.causal ? 0 : 1))
                     : trained;  // a shorter text is looked at whole
    const bool own = std::ranges::all_of(look.positions, [](const std::string& word) { return word == ownPositions; });
    if (own && model()->architecture.learnedPositions > 0)
        most = std::min(most, model()->architecture.learnedPositions);  // there are no others
    const double shift =
        model()->says == TrainedToSay::Text ? 1 : 4;  // what these are asked has its answer at N; how far beyond?
    for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0})
        if (const auto n = std::max<std::int64_t>(8, std::llround(shift * factor * static_cast<double>(trained)));
            n <= most || all.empty())
            all.push_back(std::min(n, most));
    return all;
}

/// Whatever the document says anew. Each step looks for itself whether it has something to do.
void ModelRunner::refresh()
{
    if (!m_active)
        return;
    openWhatIsAsked();
    studyWhatIsAsked();
    pictureWhatIsAsked();
    measureWhatIsAsked();
    askAfterTheStudy();
}

void ModelRunner::openWhatIsAsked() { m_opened.ask(source()); }

ModelSource ModelRunner::source() const
{
    ModelSource source = sourceOf(m_document.look().model);
    source.openings = m_openings;
    source.readings = m_readings;
    return source;
}

ModelRunner::Asked ModelRunner::asked() const
{
    StudyRequest request = wanted();
    request.lengths = m_document.look().model.lengths;
    return {source(), std::move(request)};
}

/// Nothing is left of another model's.
void ModelRunner::dropWhatFollows()
{
    m_study.drop();
    m_picture.drop();
    for (const Side side : bothSides) {
        of(side).keeps.drop();
        of(side).gradients.drop();
        of(side).written.drop();
    }
}

/// Both, or nothing: without tokens nothing follows.
ModelAndText ModelRunner::opens() const
{
    return model() && tokens() > 0 ? ModelAndText{model(), m_opened.value()->ids} : ModelAndText{};
}

StudyRequest ModelRunner::wanted() const
{
    const ModelLook& look = m_document.look().model;
    return {.lengths = lengths(),
            .policies = policies(),
            .captured = look.captured,
            .windows = look.windows,
            .last = look.last,
            .beginning = tokensOfBeginning,
            .engine = m_document.scenario().engine};
}

std::vector<Policy> ModelRunner::policies() const
{
    std::vector<Policy> all;
    for (const std::string& word : m_document.look().model.positions)
        for (const Choice& method : m_document.scenario().methods)
            all.push_back(
                {.method = method, .position = parsePositions(word).value_or(std::nullopt), .mask = {}, .layers = {}});
    return all;
}

/// While another text is read for the model nothing begins: it would be of a text that goes. What was stopped stays so
/// until the document asks for something else, whatever comes of what it has asked for.
void ModelRunner::studyWhatIsAsked()
{
    const ModelAndText of = opens();
    m_request = wanted();
    std::optional<StudyKey> key;
    if (of.ids && !m_request.lengths.empty() && !m_request.policies.empty())
        key = StudyKey{of, m_request};
    if (m_stopped && m_stopped == asked())
        return;
    m_stopped.reset();
    if (m_opened.isComputing() && m_study.asked() != key)
        return m_study.drop();
    m_study.ask(std::move(key));
}

void ModelRunner::lookAt(const Region& region, int pixels)
{
    m_region = region;
    m_pixels = pixels;
    if (m_active)
        pictureWhatIsAsked();
}

/// Of a combination that is looked at.
std::optional<HeadInRun> ModelRunner::shownRun(Side side) const
{
    const ModelAndText of = opens();
    const std::optional<ShownHead> shows = side == Side::A ? shown() : beside();
    if (!of.ids || !shows || shows->policy >= m_request.policies.size() || shows->n < 1)
        return {};
    return HeadInRun{.run = {.of = of,
                             .n = shows->n,
                             .policy = m_request.policies[shows->policy],
                             .captured = m_request.captured,
                             .last = m_request.last,
                             .engine = m_request.engine},
                     .head = *shows};
}

void ModelRunner::pictureWhatIsAsked()
{
    const std::optional<HeadInRun> shows = shownRun(Side::A);
    const std::optional<PictureKey>& before = m_picture.asked();
    if (!shows || !before || before->a.run.of != shows->run.of || before->a.run.n != shows->run.n)
        m_region = {};  // a part of another matrix
    if (!shows)
        return m_picture.drop();
    MapLook colours = m_document.look().maps;
    colours.pinned.reset();  // those ranges are of other maps
    colours.pinnedDifference.reset();
    colours.loupe = false;  // it is no part of them
    colours.sides.reset();  // B minus A
    colours.difference = true;
    m_picture.ask(PictureKey{*shows, shownRun(Side::B), m_region, m_pixels, std::move(colours), currentTheme().dark});
}

/// The key's value, asked for now or later; nothing is left of another key's.
template <class Key, class Value>
void ModelRunner::askUnlessStopped(Derived<Key, Value>& derived, const std::optional<Key>& key, bool now)
{
    if (now && !m_stopped)
        derived.ask(key);
    else if (derived.asked() != key && derived.of() != key)
        derived.drop();
}

/// The multiplier that keeps the entropy of the first N tokens, head by head, on the queries and keys that are looked
/// at.
void ModelRunner::measureWhatIsAsked()
{
    for (const Side side : bothSides) {
        const PicturedHead* head = side == Side::A ? &picture().a : picture().b ? &*picture().b : nullptr;
        std::optional<KeepsKey> key;
        if (head && head->heads && head->of.n > model()->architecture.trainLength)
            key = KeepsKey{head->heads, static_cast<double>(model()->architecture.trainLength), m_request.engine};
        askUnlessStopped(of(side).keeps, key, headMeasure(m_document.look().model.measure).solved);
    }
}

/// What is left to the processor once the study is done: the gradients of the heads, and what the model writes after
/// the window that is looked at.
void ModelRunner::askAfterTheStudy()
{
    const bool now = m_active && !isRunning();
    for (const Side side : bothSides) {
        const std::optional<HeadInRun> shows = shownRun(side);
        std::optional<FirstRun> run, text;
        if (shows)
            run = shows->run;
        if (run && run->captured)
            run->policy = {};
        askUnlessStopped(of(side).gradients, run, now && headMeasure(m_document.look().model.measure).ofLosses);
        if (run && run->of.model->tokenizer)
            text = run;
        if (text) {  // which say nothing here
            text->last = 0;
            text->engine.clear();
        }
        askUnlessStopped(of(side).written, text, now);
    }
}

void ModelRunner::keepHeads(const QString& folder, const QStringList& mentions)
{
    if (!picture().a.heads)
        return;
    m_saves.add(
        u"the heads"_s, this,
        [folder, mentions, heads = picture().a.heads, model = model()]() -> Result<QString> {
            const auto path = keepHeadsIn(folder, *model, *heads);
            pruneKeptHeads(folder, mostKept, mentions);
            return path;
        },
        [this, of = picture().a.of](const Result<QString>& path) {
            emit kept(path.value_or(QString()), of, path ? QString() : said(path.error()));
        });
}

}  // namespace attnscope

#include "moc_model_runner.cpp"

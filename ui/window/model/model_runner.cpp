#include "ui/window/model/model_runner.h"

#include "core/attention/positions.h"
#include "core/base/replace_file.h"
#include "core/model/generation.h"
#include "core/model/head_recorder.h"
#include "ui/plot/qt_text.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr std::int64_t writtenTokens = 48, textBefore = 24, tokensOfBeginning = 512;
constexpr qint64 progressEvery = 60;  // ms
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

QString said(const Error& error) { return QString::fromStdString(error.message); }

}  // namespace

ModelRunner::ModelRunner(Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_opening(
                                                 [this](OpenedModel made) {
                                                     m_model = std::move(made.model);
                                                     m_folder = m_asked.folder;
                                                     m_ids = std::move(made.ids);
                                                     m_error = made.error;
                                                     if (!m_ids) {
                                                         m_studying.cancel();
                                                         m_running = false;
                                                         m_study.reset();
                                                         m_studied.reset();
                                                         m_picture = {};
                                                         m_pictureAsked.reset();
                                                     }
                                                     emit opened();
                                                     refresh();
                                                 },
                                                 [](const Error& error) {
                                                     return OpenedModel{nullptr, nullptr, said(error)};
                                                 }),
      m_studying(
          [this](StudyNews news) {
              if (news.result)
                  m_study = news.result;
              m_progress = news.progress;
              if (news.over) {
                  m_running = false;
                  if (!news.error.isEmpty())
                      m_error = news.error;
              }
              emit studied();
              if (news.over)
                  writeWhatIsAsked();
          },
          [](const Error& error) {
              return StudyNews{nullptr, 0, true, said(error)};
          }),
      m_picturing(
          [this](Picture made) {
              m_picture = std::move(made);
              emit pictured();
              measureWhatIsAsked();
          },
          [](const Error& error) {
              return Picture{.of = {}, .heads = {}, .prepared = {}, .analysis = {}, .region = {}, .error = said(error)};
          }),
      m_measuring(
          [this](Kept made) {
              m_keeps = std::move(made);
              emit measuredHeads();
          },
          [](const Error&) { return Kept{}; }),
      m_writing(
          [this](Written made) {
              m_written = std::move(made);
              emit wrote();
          },
          [](const Error& error) { return Written{.before = {}, .text = {}, .error = said(error)}; }),
      m_saving([this](const Saved& saved) { emit kept(saved.path, saved.error); },
               [](const Error& error) {
                   return Saved{{}, said(error)};
               })
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
    m_studying.cancel();
    m_measuring.cancel();
    m_writing.cancel();
    m_running = false;
    emit studied();
}

void ModelRunner::again()
{
    m_request = {};
    refresh();
}

std::string ModelRunner::folder() const { return sourceOf(m_document.look().model).folder; }

QString ModelRunner::positionLabel(const std::string& position) const
{
    const auto choice = parsePositions(position).value_or(std::nullopt);
    if (!choice) {
        if (!m_model)
            return tr("The model's own");
        if (m_model->architecture.learnedPositions > 0)
            return tr("Its own: learned");
        return tr("Its own: %1").arg(text(describeChoice(positions(), {m_model->architecture.position.id, {}, {}})));
    }
    return text(describeChoice(positions(), *choice));
}

std::vector<std::int64_t> ModelRunner::lengths() const
{
    const ModelLook& look = m_document.look().model;
    if (!look.lengths.empty() || !m_model)
        return look.lengths;
    const std::int64_t trained = m_model->architecture.trainLength > 0 ? m_model->architecture.trainLength : 512;
    std::vector<std::int64_t> all;
    const std::int64_t most =
        m_ids ? std::max<std::int64_t>(
                    1, tokens() - (m_model->architecture.beginToken || m_model->architecture.maskToken ? 0 : 1))
              : trained;  // a shorter text is looked at whole
    for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0})
        if (const auto n = std::max<std::int64_t>(8, std::llround(factor * static_cast<double>(trained)));
            n <= most || all.empty())
            all.push_back(std::min(n, most));
    return all;
}

QString ModelRunner::stage() const
{
    if (!m_study || m_study->runs == 0)
        return m_running ? tr("starting") : QString();
    if (m_running)
        return tr("%1 of %2 runs").arg(m_study->done).arg(m_study->runs);
    return m_study->complete() ? tr("all %1 runs are done").arg(m_study->runs)
                               : tr("stopped after %1 of %2 runs").arg(m_study->done).arg(m_study->runs);
}

ShownHead ModelRunner::shown() const
{
    const ModelLook& look = m_document.look().model;
    const std::vector<std::int64_t> all = lengths();
    const auto methods = static_cast<int>(m_document.scenario().methods.size());
    ShownHead of;
    of.position = std::clamp(look.position, 0, std::max(0, static_cast<int>(look.positions.size()) - 1));
    of.method = std::clamp(look.method, 0, std::max(0, methods - 1));
    of.policy = static_cast<size_t>(of.position * methods + of.method);
    of.n = look.n;
    if (std::find(all.begin(), all.end(), look.n) == all.end() && !all.empty()) {
        const std::int64_t trained = m_model ? m_model->architecture.trainLength : 0;
        of.n = *std::max_element(all.begin(), all.end());
        for (const std::int64_t n : all)
            if (n > trained)
                of.n = std::min(of.n, n);
    }
    if (m_model) {
        of.layer = std::clamp(look.layer, 0, m_model->architecture.layers - 1);
        of.head = std::clamp(look.head, 0, m_model->architecture.heads - 1);
    }
    return of;
}

const StudyCell* ModelRunner::shownCell() const
{
    const ShownHead of = shown();
    if (m_study)
        for (const StudyCell& cell : m_study->cells)
            if (cell.n == of.n && cell.policy == of.policy)
                return &cell;
    return nullptr;
}

HeadValues ModelRunner::measured() const
{
    if (!m_model)
        return {};
    const HeadMeasure& measure = headMeasure(m_document.look().model.measure);
    const ShownHead of = shown();
    auto numbers = headNumbers(m_model->architecture, m_study ? *m_study : StudyResult{}, of.n, of.policy);
    const bool solved = m_picture.heads && m_keeps.of.lock() == m_picture.heads;
    HeadValues values(numbers.size());
    for (size_t layer = 0; layer < numbers.size(); ++layer)
        for (size_t head = 0; head < numbers[layer].size(); ++head) {
            if (solved && layer < m_keeps.multipliers.size() && head < m_keeps.multipliers[layer].size())
                numbers[layer][head].keepsEntropy = m_keeps.multipliers[layer][head];
            values[layer].push_back(measure.value(numbers[layer][head]).value_or(unknown));
        }
    return values;
}

QString ModelRunner::nothingMeasured() const
{
    if (!m_model)
        return {};
    const ShownHead of = shown();
    const HeadMeasure& measure = headMeasure(m_document.look().model.measure);
    if (measure.solved && of.n <= m_model->architecture.trainLength)
        return tr("At n \u2264 N = %1 every head keeps its entropy with m = 1; choose a longer n")
            .arg(m_model->architecture.trainLength);
    if (std::ssize(lengths()) < measure.lengths)
        return tr("A slope needs two lengths");
    if (const StudyCell* cell = shownCell(); cell && !cell->absent.empty())
        return QString::fromStdString(cell->absent);
    return {};
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
    if (!m_running)
        writeWhatIsAsked();
}

void ModelRunner::openWhatIsAsked()
{
    const ModelSource source = sourceOf(m_document.look().model);
    if (source == m_asked)
        return;
    const auto known = source.folder == m_folder ? m_model : nullptr;
    m_asked = source;
    m_error.clear();
    m_opening.start(
        [source, known](std::stop_token stop, const auto& publish) { publish(openModelAndText(source, known, stop)); });
}

StudyRequest ModelRunner::wanted() const
{
    const ModelLook& look = m_document.look().model;
    const Scenario& scenario = m_document.scenario();
    StudyRequest request{.lengths = lengths(),
                         .captured = look.captured,
                         .windows = look.windows,
                         .last = look.last,
                         .beginning = tokensOfBeginning,
                         .engine = scenario.engine};
    for (const std::string& word : look.positions) {
        const std::optional<Choice> position = parsePositions(word).value_or(std::nullopt);
        for (const Choice& method : scenario.methods)
            request.policies.push_back({.method = method, .position = position, .mask = {}, .layers = {}});
    }
    return request;
}

void ModelRunner::studyWhatIsAsked()
{
    if (!m_model || !m_ids)
        return;
    StudyRequest request = wanted();
    if (request == m_request && m_studied == m_ids)
        return;
    m_request = request;
    m_studied = m_ids;
    m_progress = 0;
    m_running = !request.lengths.empty() && !request.policies.empty();
    m_study.reset();
    m_error.clear();
    if (!m_running) {
        m_studying.cancel();
        emit studied();
        return;
    }
    m_studying.start([request = std::move(request), model = m_model, ids = m_ids](std::stop_token stop,
                                                                                  const auto& publish) {
        std::shared_ptr<const StudyResult> last;
        QElapsedTimer sinceProgress;
        sinceProgress.start();
        const auto onResult = [&](const StudyResult& so) {
            last = std::make_shared<const StudyResult>(so);
            publish({last, so.runs > 0 ? static_cast<double>(so.done) / so.runs : 0, false, {}});
            sinceProgress.restart();
        };
        const auto progress = [&](double fraction) {
            if (sinceProgress.elapsed() < progressEvery)
                return;
            publish({nullptr, fraction, false, {}});
            sinceProgress.restart();
        };
        const auto result = runStudy(*model, *ids, request, {.onResult = onResult, .progress = progress, .stop = stop});
        publish(
            {last, 1, true, result || result.error().kind == ErrorKind::Cancelled ? QString() : said(result.error())});
    });
    emit studied();
}

Result<Window> ModelRunner::firstWindow(std::int64_t n) const
{
    return spreadWindows(m_model->architecture, *m_ids, n, 1).and_then([&](const std::vector<std::int64_t>& starts) {
        return windowOf(m_model->architecture, *m_ids, starts.front(), n);
    });
}

void ModelRunner::lookAt(const Region& region, int pixels)
{
    m_region = region;
    m_pixels = pixels;
    if (m_active)
        pictureWhatIsAsked();
}

void ModelRunner::pictureWhatIsAsked()
{
    if (!m_model || !m_ids || m_request.policies.empty())
        return;
    const ShownHead of = shown();
    if (of.policy >= m_request.policies.size() || of.n < 1)
        return;
    if (m_pictureAsked && m_pictureAsked->of.n != of.n)
        m_region = {};
    const PictureKey key{of, m_request.policies[of.policy], m_request.captured, m_region, m_pixels, m_ids};
    if (m_pictureAsked == key)
        return;
    const auto known =
        m_pictureAsked && m_pictureAsked->sameRun(key) && m_picture.heads && m_picture.heads->has(of.layer)
            ? m_picture.heads
            : nullptr;
    m_pictureAsked = key;
    m_picturing.start([key, known, model = m_model, ids = m_ids, window = firstWindow(of.n), engine = m_request.engine,
                       last = m_request.last](std::stop_token stop, const auto& publish) {
        Picture made{.of = key.of, .heads = known, .prepared = {}, .analysis = {}, .region = key.region, .error = {}};
        const auto without = [&](const Error& error) {
            if (error.kind != ErrorKind::Cancelled)
                publish(Picture{.of = key.of,
                                .heads = made.heads,
                                .prepared = {},
                                .analysis = {},
                                .region = {},
                                .error = said(error)});
        };
        if (!window)
            return without(window.error());
        if (!made.heads) {
            const auto policy =
                withMeasuredHeads(*model, key.policy, *ids, key.of.n, {.last = last, .engine = engine, .stop = stop});
            if (!policy)
                return without(policy.error());
            auto heads = captureHeads(
                *model, *window,
                {.policy = *policy, .captured = key.captured, .layer = key.of.layer, .engine = engine, .stop = stop});
            if (!heads)
                return without(heads.error());
            made.heads = std::make_shared<const CapturedHeads>(std::move(*heads));
        }
        auto prepared = prepareCaptured(*made.heads, key.of.layer, key.of.head);
        if (!prepared)
            return without(prepared.error());
        ModelHeadView view{.method = key.policy.method, .region = key.region, .pixels = key.pixels, .engine = engine};
        for (const int id : made.heads->window.inputs)
            view.tokens.push_back(shownToken(*model, id).toStdString());
        auto analysis = analyseModelHead(*prepared, std::move(view), stop);
        if (!analysis)
            return without(analysis.error());
        made.region = analysis->methods.front().map.region;
        made.analysis = std::make_shared<const Analysis>(std::move(*analysis));
        made.prepared = std::make_shared<const PreparedHead>(std::move(*prepared));
        publish(std::move(made));
    });
}

/// The multiplier that keeps the entropy of the first N tokens, head by head, on the queries and keys that are looked
/// at.
void ModelRunner::measureWhatIsAsked()
{
    if (!headMeasure(m_document.look().model.measure).solved || !m_picture.heads ||
        m_keepsAsked.lock() == m_picture.heads)
        return;
    const auto trained = static_cast<double>(m_model->architecture.trainLength);
    if (static_cast<double>(m_picture.of.n) <= trained)
        return;
    m_keepsAsked = m_picture.heads;
    m_measuring.start(
        [heads = m_picture.heads, trained, engine = m_request.engine](std::stop_token stop, const auto& publish) {
            Kept made{heads, {}};
            for (int layer = 0; layer < std::ssize(heads->layers); ++layer) {
                auto multipliers = keepsEntropy(*heads, layer, trained, engine, stop);
                if (!multipliers)
                    return;
                made.multipliers.push_back(std::move(*multipliers));
                publish(made);
            }
        });
}

/// What the model writes after the window that is looked at.
void ModelRunner::writeWhatIsAsked()
{
    if (!m_model || !m_ids || !m_model->tokenizer || m_request.policies.empty() || !m_active)
        return;
    const ShownHead of = shown();
    if (of.policy >= m_request.policies.size())
        return;
    const PictureKey key{
        {.n = of.n}, m_request.captured ? Policy{} : m_request.policies[of.policy], m_request.captured, {}, 0, m_ids};
    if (m_writtenAsked == key)
        return;
    m_writtenAsked = key;
    m_written = {};
    emit wrote();
    m_writing.start([key, model = m_model, ids = m_ids, window = firstWindow(of.n)](std::stop_token stop,
                                                                                    const auto& publish) {
        Written made;
        if (!window)
            return publish(Written{.before = {}, .text = {}, .error = said(window.error())});
        const std::vector<int>& prompt = window->inputs;
        const auto tokens = continueText(*model, key.policy, prompt, {.count = writtenTokens}, {}, stop);
        if (!tokens && tokens.error().kind == ErrorKind::Cancelled)
            return;
        if (!tokens)
            return publish(Written{.before = {}, .text = {}, .error = said(tokens.error())});
        std::vector<int> tail(prompt.end() - std::min<std::ptrdiff_t>(textBefore, std::ssize(prompt)), prompt.end());
        made.before = QString::fromStdString(model->tokenizer->decode(tail));
        tail.insert(tail.end(), tokens->begin(),
                    tokens->end());  // together: spaces between words belong to their neighbours
        made.text = QString::fromStdString(model->tokenizer->decode(tail)).mid(made.before.size());
        made.tokens = std::ssize(*tokens);
        publish(std::move(made));
    });
}

void ModelRunner::keepHeads(const QString& path)
{
    if (!m_picture.heads)
        return;
    m_saving.start([path, heads = m_picture.heads, model = m_model](std::stop_token, const auto& publish) {
        Result<void> done = makeFolder(QFileInfo(path).path().toStdString());
        HeadRecorder recorder(*model);
        for (int layer = 0; done && layer < std::ssize(heads->layers); ++layer)
            if (heads->has(layer))
                done = recorder.take({layer, heads->layers[static_cast<size_t>(layer)], 0});
        if (done)
            done = recorder.save(path.toStdString(), heads->window.inputs);
        publish({path, done ? QString() : said(done.error())});
    });
}

}  // namespace attnscope

#include "moc_model_runner.cpp"

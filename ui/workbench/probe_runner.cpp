#include "ui/workbench/probe_runner.h"

#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/job/pace.h"
#include "ui/workbench/known_probes.h"
#include "ui/workbench/session_file.h"

#include <algorithm>
#include <chrono>

namespace attnscope {

namespace {

/// Of all windows of n tokens.
Result<void> canBeAsked(const ProbeKey& key, std::span<const int> filler, std::int64_t n)
{
    const ProbeRequest& request = key.request;
    for (int sample = 0; sample < request.samples; ++sample)
        if (request.task == ProbeTask::Needle)
            TRY(needleIn(*key.model, filler, request, n, 0, sample));
        else
            TRY(repeatedIn(key.model->architecture, n, request.seed, sample));
    return {};
}

}  // namespace

Result<std::vector<int>> fillerOf(const ProbeKey& key)
{
    if (key.request.task == ProbeTask::Repeat)
        return std::vector<int>();
    return key.ids ? *key.ids : madeTokens(*key.model, key.made, fillerTokens(key.request));
}

std::optional<ProbeNews> probed(const ProbeKey& key, const std::stop_token& stop,
                                const std::function<void(ProbeNews)>& publish)
{
    const auto filler = fillerOf(key);
    if (!filler)
        return failedWith<ProbeNews>(filler.error());
    ProbeNews news;
    ProbeRequest request = key.request;
    request.lengths.clear();
    QStringList left;
    std::optional<Error> why;
    for (const std::int64_t n : key.request.lengths) {
        if (stop.stop_requested())
            return {};
        if (const auto can = canBeAsked(key, *filler, n)) {
            request.lengths.push_back(n);
        } else {
            left << lengthText(static_cast<double>(n));
            why = can.error();
        }
    }
    if (request.lengths.empty())
        return failedWith<ProbeNews>(why.value_or(Error{ErrorKind::InvalidArgument, "no length is asked for"}));
    if (why)
        news.leftOut = u"n = %1 left out: %2"_s.arg(left.join(u", "_s), text(why->message));

    RunningPace pace;
    const auto cells = runProbe(
        *key.model, *filler, request,
        [&](double fraction) {
            news.fraction = fraction;
            news.left = pace.left(fraction);
            if (pace.hasNews())
                publish(news);
        },
        stop, [&](const ProbeCell& cell) { news.cells.push_back(cell); });
    if (stop.stop_requested())
        return {};
    if (!cells) {
        news.error = text(cells.error().message);
        return news;
    }
    news.cells = *cells;
    news.fraction = 1;
    news.complete = true;
    return news;
}

namespace {

/// And kept on the way, every few seconds, and where it was stopped.
std::optional<ProbeNews> probedAndKept(const ProbeKey& key, const std::stop_token& stop,
                                       const std::function<void(ProbeNews)>& publish)
{
    constexpr std::chrono::seconds betweenFiles{5};
    KnownProbe known(ProbeRunner::folder().toStdString(), key);
    auto written = std::chrono::steady_clock::now();
    ProbeNews last;
    auto news = probed(key, stop, [&](const ProbeNews& less) {
        last = less;
        if (std::chrono::steady_clock::now() - written >= betweenFiles) {
            known.write(less);
            written = std::chrono::steady_clock::now();
        }
        publish(less);
    });
    known.write(news ? *news : last);
    return news;
}

}  // namespace

QString ProbeRunner::folder() { return stateFolder() + u"/probes"_s; }

ProbeRunner::ProbeRunner(Document& document, ModelRunner& runner, QObject* parent)
    : QObject(parent), m_document(document), m_runner(runner),
      m_repeat([](const ProbeKey& key, const auto&, const std::stop_token& stop,
                  const auto& publish) { return probedAndKept(key, stop, publish); },
               failedWith<ProbeNews>, [this] { emit found(); }),
      m_needle([](const ProbeKey& key, const auto&, const std::stop_token& stop,
                  const auto& publish) { return probedAndKept(key, stop, publish); },
               failedWith<ProbeNews>, [this] { emit found(); }),
      m_recall([](const ProbeKey& key, const auto&, const std::stop_token&,
                  const auto&) { return KnownProbe(folder().toStdString(), key).read(); },
               failedWith<ProbeNews>, [this] { takeRecalled(); })
{
    connect(&runner, &ModelRunner::opened, this, &ProbeRunner::dropWhatIsOld);
    connect(&runner, &ModelRunner::opened, this, &ProbeRunner::runWhatWaits);
    connect(&document, &Document::lookChanged, this, &ProbeRunner::dropWhatIsOld);
    connect(&document, &Document::changed, this, &ProbeRunner::dropWhatIsOld);
}

bool ProbeRunner::needsAnotherModel() const { return m_runner.opens().model && !m_runner.model()->architecture.causal; }

QString ProbeRunner::suggestedModel() const
{
    return task() == ProbeTask::Needle ? u"recall1"_s : QString::fromLatin1(shippedModel);
}

QString ProbeRunner::whyNot() const
{
    if (!m_runner.opens().model)
        return m_runner.error().isEmpty() ? u"The model is opening."_s : m_runner.error();
    return whyNotModel();
}

QString ProbeRunner::whyNotModel() const
{
    const Model& model = *m_runner.model();
    if (model.head.outputs() == 0)
        return u"Probes ask for what follows, and this model says no tokens. Open one that predicts the next token, "
               "such as %1, which comes with the program."_s.arg(suggestedModel());
    if (!model.architecture.causal)
        return u"Probes ask for what follows, and this model finds hidden tokens. Open a model that predicts the "
               "next token, such as %1, which comes with the program."_s.arg(suggestedModel());
    if (task() == ProbeTask::Needle && !model.tokenizer)
        return u"A needle is told in words, and here are none: %1. Repeated tokens need none: choose them as the "
               "task."_s.arg(text(model.withoutTokenizer));
    if (m_document.scenario().methods.empty())
        return u"No method is ticked: tick one at the left."_s;
    return {};
}

std::optional<ProbeKey> ProbeRunner::wantedOf(ProbeTask task) const
{
    const ModelAndText of = m_runner.opens();
    const ModelLook& look = m_document.look().model;
    const Scenario& scenario = m_document.scenario();
    if (!of.ids || !of.model->architecture.causal || scenario.methods.empty())
        return {};
    const bool needle = task == ProbeTask::Needle;
    if (needle && !of.model->tokenizer)
        return {};
    ProbeKey key;
    key.model = of.model;
    key.files = m_runner.files();
    ProbeRequest& request = key.request;
    request.task = task;
    request.lengths = m_runner.lengths();
    request.samples = look.probe.samples;
    request.engine = scenario.engine;
    request.policies = m_runner.policies();
    if (!needle)
        return key;
    if (isMade(look.text))
        key.made = look.text;
    else
        key.ids = of.ids;
    request.depths = look.probe.depths;
    request.keys = look.probe.keys;
    request.words = needleWordsFor(*of.model, look.text == ModelText::Generated);
    return key;
}

void ProbeRunner::run()
{
    keep(of(task()));
    of(task()).cancel();  // else the same question again changes nothing
    m_waiting.reset();
    m_recall.drop();
    if (m_runner.isOpening() && m_runner.model())
        m_waiting = Waiting{task(), m_runner.model()};
    else
        of(task()).ask(wanted());
    emit found();
}

void ProbeRunner::stop()
{
    m_waiting.reset();
    Probed& asked = of(task());
    const std::optional<ProbeKey> key = asked.asked();
    asked.cancel();
    if (key)
        bringBack(asked, *key);  // asked again and stopped, what was whole is so still
    emit found();
}

/// The fuller of two results of one question is kept, of some questions.
void ProbeRunner::keep(const Probed& found)
{
    constexpr std::size_t most = 16;
    std::erase_if(m_kept, [&](const auto& one) { return one.first.model != m_runner.model(); });
    if (!found.of() || !found.value() || found.value()->cells.empty() || found.of()->model != m_runner.model())
        return;
    const auto before = std::ranges::find(m_kept, *found.of(), [](const auto& one) { return one.first; });
    if (before == m_kept.end())
        m_kept.emplace_back(*found.of(), found.value());
    else if (found.value()->fraction >= before->second->fraction)
        before->second = found.value();
    if (m_kept.size() > most)
        m_kept.erase(m_kept.begin());
}

/// What was found of this question before, where it is more.
void ProbeRunner::bringBack(Probed& of, const ProbeKey& key)
{
    const auto kept = std::ranges::find(m_kept, key, [](const auto& one) { return one.first; });
    if (kept != m_kept.end() && (!of.value() || of.value()->fraction < kept->second->fraction))
        of.put(key, kept->second);
}

void ProbeRunner::runWhatWaits()
{
    if (m_waiting && m_waiting->model != m_runner.model()) {
        m_waiting.reset();
        emit found();
    }
    if (!m_waiting || m_runner.isOpening())
        return;
    const ProbeTask task = std::exchange(m_waiting, std::nullopt)->task;
    of(task).ask(wantedOf(task));
    emit found();
}

void ProbeRunner::dropWhatIsOld()
{
    for (const ProbeTask task : {ProbeTask::Repeat, ProbeTask::Needle}) {
        const auto now = wantedOf(task);
        const auto isOld = [&](const std::optional<ProbeKey>& key) { return key && key != now; };
        if (isOld(of(task).asked()) || isOld(of(task).of())) {
            keep(of(task));
            of(task).drop();
        }
        if (now && !of(task).value() && !of(task).isComputing())
            bringBack(of(task), *now);
    }
    recall();
}

/// Of the question that stands there, what was found before the program was closed.
void ProbeRunner::recall()
{
    const Probed& asked = of(task());
    m_recall.ask(asked.value() || asked.isComputing() || isWaiting() ? std::nullopt : wanted());
}

void ProbeRunner::takeRecalled()
{
    if (!m_recall.value() || !m_recall.value()->error.isEmpty() || m_recall.of() != wanted())
        return;
    Probed& asked = of(task());
    if (!asked.value() && !asked.isComputing() && !isWaiting())
        asked.put(*m_recall.of(), m_recall.value());
}

}  // namespace attnscope

#include "moc_probe_runner.cpp"

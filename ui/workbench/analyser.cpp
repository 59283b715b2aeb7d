#include "ui/workbench/analyser.h"

#include "core/analysis/analysis_cache.h"
#include "ui/widgets/theme.h"
#include "ui/workbench/document.h"

#include <QCoreApplication>
#include <QEvent>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace attnscope {

namespace {

constexpr int patienceMilliseconds = 250;    // after which a first answer is given up for a newer request
constexpr int longMilliseconds = 1000;       // of work that a pointer passing by does not stop
constexpr std::int64_t previewAbove = 1024;  // keys
constexpr std::int64_t previewPairs =
    1 << 24;  // of queries and keys that a preview looks at, so that it keeps up with a drag,
constexpr int fewestRows = 64, mostRows = 256;   // but not fewer queries, nor more
constexpr std::chrono::milliseconds pause{150};  // longer than between two steps of a drag
constexpr std::chrono::milliseconds breath{30};  // at most, for the window to paint a preview on a core of its own

}  // namespace

/// Whether the window has painted the preview that one request was answered by.
class Analyser::Painted {
public:
    void tell()
    {
        const std::lock_guard lock(m_mutex);
        m_told = true;
        m_wake.notify_all();
    }
    /// False where something newer was wanted meanwhile.
    bool waitFor(std::chrono::milliseconds time, std::stop_token stop)
    {
        std::unique_lock lock(m_mutex);
        m_wake.wait_for(lock, stop, time, [this] { return m_told; });
        return !stop.stop_requested();
    }

private:
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    bool m_told = false;
};

/// Whose preview has been painted: when it comes, a newer request may have begun that has shown nothing yet.
class Analyser::PaintedEvent : public QEvent {
public:
    explicit PaintedEvent(std::shared_ptr<Painted> whose) : QEvent(QEvent::User), painted(std::move(whose)) {}
    std::shared_ptr<Painted> painted;
};

Analyser::Analyser(Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_cache(std::make_shared<AnalysisCache>()),
      m_job([this](Answer answer) { take(std::move(answer)); },
            [](const Error& error) {
                return Answer{tl::unexpected<Error>(error), true, nullptr, nullptr, false};
            })
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &Analyser::start);
    connect(&document, &Document::changed, this, [this] {
        m_refine = true;
        request();
    });
}

Analyser::~Analyser() = default;

void Analyser::probeRow(std::optional<std::int64_t> row)
{
    if (row == m_probedRow)
        return;
    m_probedRow = row;
    if (m_busy && !m_firstAnswerDue && m_sinceStart.elapsed() > longMilliseconds)
        m_wanted = true;
    else
        request();
}

void Analyser::setPixels(int pixels)
{
    if (pixels == m_pixels)
        return;
    m_pixels = pixels;
    request();
}

void Analyser::setLoupe(const std::optional<Region>& region)
{
    if (region == m_loupeRegion)
        return;
    m_loupeRegion = region;
    if (!region)
        m_loupe.reset();
    else if (!m_busy)
        startLoupe();
    else if (!m_firstAnswerDue && m_sinceStart.elapsed() > longMilliseconds)
        m_wanted = true;
    else
        request();
}

void Analyser::showInstead(AnalysisPtr other)
{
    if (other == m_instead)
        return;
    m_instead = std::move(other);
    emit lookedElsewhere();
    if (current())
        emit arrived(current());
}

const Scenario& Analyser::lookedAt() const { return m_instead ? m_instead->scenario : m_document.scenario(); }

Scenario Analyser::inForce() const
{
    Scenario scenario = lookedAt();
    const auto isOfThatFile = [&](const Analysis& read) {  // one that failed has read nothing
        return read.failed.empty() && read.scenario.ofFile() && read.scenario.tensors.path == scenario.tensors.path &&
               read.scenario.tensors.query == scenario.tensors.query;
    };
    if (scenario.ofFile() && current() && isOfThatFile(*current()))
        scenario.d = current()->scenario.d;
    return scenario;
}

void Analyser::request()
{
    if (m_firstAnswerDue) {
        m_wanted = true;
        if (!m_patience.isActive())
            m_patience.start(static_cast<int>(std::max<qint64>(0, patienceMilliseconds - m_sinceStart.elapsed())));
    } else {
        start();
    }
}

void Analyser::cancel()
{
    m_job.cancel();
    m_patience.stop();
    m_wanted = m_firstAnswerDue = m_refine = false;
    setBusy(false);
    emit cancelled();
}

/// Nothing is ticked, or what was asked for failed: every view shows that.
void Analyser::answerNothing(const std::string& why)
{
    m_job.cancel();
    m_firstAnswerDue = false;
    auto nothing = std::make_shared<Analysis>();
    nothing->scenario = m_document.scenario();
    nothing->failed = why;
    take({AnalysisPtr(std::move(nothing)), true, nullptr, nullptr, false});
}

/// The document's, as the window looks at it.
Scenario Analyser::wanted() const
{
    Scenario scenario = m_document.scenario();
    if (m_probedRow)
        scenario.view.row = *m_probedRow;
    if (m_pixels > 0)
        scenario.view.pixels = m_pixels;
    return scenario;
}

/// A preview whose pixels are the cells of the region: it looks at these rows alone.
std::optional<Scenario> Analyser::loupeWanted() const
{
    if (!m_loupeRegion || m_document.scenario().ofTheory())
        return {};
    Scenario scenario = wanted();
    View& view = scenario.view;
    view.region = *m_loupeRegion;
    view.pixels = static_cast<int>(std::max(
        {view.region.rowEnd - view.region.rowBegin, view.region.columnEnd - view.region.columnBegin, std::int64_t{1}}));
    view.preview = true;
    view.table = false;
    view.curvePoints = 0;
    return scenario;
}

/// Nothing else is wanted: everything that is shown stays.
void Analyser::startLoupe()
{
    const auto scenario = loupeWanted();
    if (!scenario || scenario->methods.empty())
        return;
    m_job.start([scenario = *scenario, cache = m_cache](std::stop_token stop, const auto& publish) {
        publish(loupeAnswer(scenario, stop, *cache));
    });
}

Analyser::Answer Analyser::loupeAnswer(const Scenario& scenario, const std::stop_token& stop, AnalysisCache& cache)
{
    return {analyseWhatCan(scenario, stop, cache).map([](Analysis analysis) -> AnalysisPtr {
                return std::make_shared<const Analysis>(std::move(analysis));
            }),
            false, nullptr, nullptr, true};
}

void Analyser::start()
{
    m_patience.stop();
    m_wanted = false;
    if (m_document.scenario().methods.empty())
        return answerNothing({});
    m_firstAnswerDue = true;
    m_sinceStart.start();
    setBusy(true);
    Scenario scenario = wanted();
    m_fraction = std::make_shared<std::atomic<double>>(0);
    m_job.start([scenario = std::move(scenario), maps = m_document.look().maps, dark = currentTheme().dark,
                 cache = m_cache, fraction = m_fraction, refine = m_refine,
                 close = loupeWanted()](std::stop_token stop, const auto& publish) mutable {
        const auto say = [&](const Result<AnalysisPtr>& analysis, bool last, std::shared_ptr<Painted> painted) {
            publish({analysis, last, analysis && !stop.stop_requested() ? mapPictures(*analysis, maps, dark) : nullptr,
                     std::move(painted), false});
        };
        const auto lookCloser = [&] {
            if (const auto region = std::exchange(close, {}); region && !stop.stop_requested())
                publish(loupeAnswer(*region, stop, *cache));
        };
        const auto withoutTheory = [&](const Analysis& early) {
            say(std::make_shared<const Analysis>(early), false, nullptr);
        };
        const int pixels = scenario.view.pixels;
        const auto answer = [&](bool preview, bool table) {
            scenario.view.preview = preview;
            scenario.view.table = table;
            scenario.view.pixels = preview ? std::min(pixels, static_cast<int>(std::clamp<std::int64_t>(
                                                                  previewPairs / scenario.n, fewestRows, mostRows)))
                                           : pixels;
            *fraction = 0;  // of this answer
            return analyseWhatCan(
                       scenario, stop, *cache, [&](double done) { *fraction = done; }, withoutTheory)
                .map([](Analysis analysis) -> AnalysisPtr {
                    return std::make_shared<const Analysis>(std::move(analysis));
                });
        };
        const bool table = scenario.view.table, rows = !scenario.ofTheory();
        if (rows && scenario.n > previewAbove) {
            const auto painted = std::make_shared<Painted>();
            say(answer(true, false), !refine, painted);
            lookCloser();
            if (!refine || !painted->waitFor(breath, stop))
                return;
        }
        if (rows && table) {
            say(answer(false, false), false, nullptr);
            lookCloser();
            if (!Painted().waitFor(pause, stop))
                return;
        }
        say(answer(false, table), true, nullptr);
        lookCloser();
    });
}

void Analyser::take(Answer answer)
{
    if (answer.loupe) {
        if (answer.analysis && m_loupeRegion)
            m_loupe = *answer.analysis;
        emit loupeArrived();
        return;
    }
    m_firstAnswerDue = false;
    if (answer.analysis) {
        m_current = *answer.analysis;
        m_pictures = std::move(answer.pictures);
        if (!m_instead)
            emit arrived(m_current);
        // Replots are on their way, and will ask for paint events, which come after everything else but this.
        if (answer.painted)
            QTimer::singleShot(0, this, [this, painted = answer.painted] {
                QCoreApplication::postEvent(this, new PaintedEvent(painted), Qt::LowEventPriority - 1);
            });
    } else if (answer.analysis.error().kind != ErrorKind::Cancelled &&
               !m_wanted) {  // what failed is what is still asked for
        answerNothing(answer.analysis.error().message);
        emit failed(answer.analysis.error());
        return;
    }
    if (m_wanted)
        start();
    else if (answer.last && !m_firstAnswerDue)  // else those who saw it have asked for another
        setBusy(false);
}

void Analyser::customEvent(QEvent* event) { static_cast<PaintedEvent*>(event)->painted->tell(); }

void Analyser::setBusy(bool busy)
{
    if (m_busy == busy)
        return;
    m_busy = busy;
    emit busyChanged(busy);
}

}  // namespace attnscope

#include "moc_analyser.cpp"

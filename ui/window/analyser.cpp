#include "ui/window/analyser.h"

#include "core/analysis/analysis_cache.h"
#include "ui/window/document.h"

namespace attnscope {

namespace {

constexpr int patienceMilliseconds = 250;     // after which a first answer is given up for a newer request
constexpr std::int64_t previewAbove = 1024;   // keys

}  // namespace

Analyser::Analyser(Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_cache(std::make_shared<AnalysisCache>()),
      m_job([this](Answer answer) { take(std::move(answer)); })
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &Analyser::start);
    connect(&document, &Document::changed, this, &Analyser::request);
}

Analyser::~Analyser() = default;

void Analyser::probeRow(std::optional<std::int64_t> row)
{
    if (row == m_probedRow)
        return;
    m_probedRow = row;
    request();
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
    m_wanted = m_firstAnswerDue = false;
    setBusy(false);
}

void Analyser::start()
{
    m_patience.stop();
    m_wanted = false;
    m_firstAnswerDue = true;
    m_sinceStart.start();
    setBusy(true);
    Scenario scenario = m_document.scenario();
    if (m_probedRow)
        scenario.view.row = *m_probedRow;
    m_job.start([scenario = std::move(scenario), cache = m_cache](std::stop_token stop, const auto& publish) mutable {
        const auto answer = [&](bool preview) {
            scenario.view.preview = preview;
            return analyse(scenario, stop, *cache).map([](Analysis analysis) -> AnalysisPtr {
                return std::make_shared<const Analysis>(std::move(analysis));
            });
        };
        if (scenario.n > previewAbove && scenario.source.id != "theory") {
            publish({answer(true), false});
            if (stop.stop_requested())
                return;
        }
        publish({answer(false), true});
    });
}

void Analyser::take(Answer answer)
{
    m_firstAnswerDue = false;
    if (answer.analysis) {
        m_current = *answer.analysis;
        emit arrived(m_current);
    } else if (answer.analysis.error().kind != ErrorKind::Cancelled) {
        emit failed(answer.analysis.error());
    }
    if (m_wanted)
        start();
    else if (answer.last)
        setBusy(false);
}

void Analyser::setBusy(bool busy)
{
    if (m_busy == busy)
        return;
    m_busy = busy;
    emit busyChanged(busy);
}

}  // namespace attnscope

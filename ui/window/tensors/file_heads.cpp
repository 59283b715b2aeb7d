#include "ui/window/tensors/file_heads.h"

#include "core/analysis/source.h"
#include "ui/window/document.h"

#include <limits>
#include <utility>

namespace attnscope {

namespace {

/// What of a scenario decides the numbers of all heads.
Scenario ofEveryHead(const Scenario& now)
{
    Scenario asked;
    asked.source = now.source;
    asked.tensors.path = now.tensors.path;
    asked.n = now.n;
    asked.nTrain = now.nTrain;
    asked.temperature = now.temperature;
    asked.attention = now.attention;
    asked.methods.clear();
    if (!now.methods.empty())
        asked.methods.push_back(now.methods.front());
    asked.engine = now.engine;
    return asked;
}

Result<std::vector<HeadNumbers>> numbersOfLayer(const Scenario& layer, std::stop_token stop)
{
    const auto source = TRY(openSource(layer, layer.n, layer.n));
    return headNumbers(source.heads,
                       {.attention = trainedAt(layer.attention, layer.nTrain),
                        .method = layer.methods.front(),
                        .n = std::min(layer.n, source.heads.keyCount()),
                        .nTrain = layer.nTrain,
                        .temperature = layer.temperature,
                        .engine = layer.engine},
                       stop);
}

}  // namespace

FileHeads::FileHeads(Document& document, FileOffers& offers, QObject* parent)
    : QObject(parent), m_document(document), m_offers(offers), m_job(
                                                                   [this](Answer answer) {
                                                                       m_layers = std::move(answer.layers);
                                                                       m_complete = answer.complete;
                                                                       m_error = QString::fromStdString(answer.error);
                                                                       emit changed();
                                                                   },
                                                                   [](const Error& error) {
                                                                       return Answer{{}, true, error.message};
                                                                   })
{
    connect(&document, &Document::changed, this, &FileHeads::follow);
    connect(&offers, &FileOffers::changed, this, &FileHeads::follow);
}

void FileHeads::setActive(bool active)
{
    if (!std::exchange(m_active, active) && active)
        follow();  // and not as the window goes, when the document is gone
}

HeadValues FileHeads::values(const HeadMeasure& measure) const
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    HeadValues values(m_layers.size());
    std::size_t heads = 0;
    for (const auto& layer : m_layers)
        heads = std::max(heads, layer.size());
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer) {
        values[layer].assign(heads, none);
        for (std::size_t head = 0; head < m_layers[layer].size(); ++head)
            values[layer][head] = measure.value(m_layers[layer][head]).value_or(none);
    }
    return values;
}

void FileHeads::follow()
{
    if (!m_active)
        return;
    const Scenario& now = m_document.scenario();
    const OfferedFilePtr& file = m_offers.current();
    const Scenario asked = ofEveryHead(now);
    if (!now.ofFile() || !file || file->offers.empty() || asked.methods.empty() || (asked == m_asked && file == m_file))
        return;
    m_asked = asked;
    m_file = file;
    std::vector<HeadCandidate> candidates;
    for (const TensorOffer& offer : file->offers)
        candidates.push_back(offer.candidate);
    QStringList names;
    std::vector<Scenario> layers;
    for (const HeadCandidate& candidate : layersAmong(std::move(candidates))) {
        Scenario layer = asked;
        layer.tensors = now.tensors;
        layer.tensors.query = candidate.query;
        layer.tensors.key = candidate.key;
        layer.tensors.holds = candidate.holds;
        layer.tensors.layout.clear();
        layer.tensors.head = 0;
        layer.tensors.mean.clear();
        names << QString::fromStdString(candidate.label);
        layers.push_back(std::move(layer));
    }
    m_complete = false;
    m_names = names;
    m_job.start([layers = std::move(layers)](std::stop_token stop, const auto& publish) {
        Answer answer;
        answer.layers.resize(layers.size());
        for (std::size_t i = 0; i < layers.size(); ++i) {
            auto numbers = numbersOfLayer(layers[i], stop);
            if (!numbers && numbers.error().kind == ErrorKind::Cancelled)
                return;
            if (numbers)
                answer.layers[i] = std::move(*numbers);
            else if (answer.error.empty())
                answer.error = numbers.error().message;
            answer.complete = i + 1 == layers.size();
            publish(answer);
        }
    });
}

}  // namespace attnscope

#include "moc_file_heads.cpp"

#include "ui/explore/file_heads.h"

#include "core/analysis/source.h"
#include "core/model/shipped_heads.h"
#include "ui/explore/head_history.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/document.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

namespace attnscope {

namespace {

constexpr const char* stackedLayers = "layers_batch_heads_tokens_dim";
constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

/// What of a scenario decides the numbers of all heads.
Scenario ofEveryHead(const Scenario& now, const TensorFile& file)
{
    Scenario asked;
    asked.source = now.source;
    asked.tensors = now.tensors;
    asked.tensors.query.clear();
    asked.tensors.key.clear();
    // axes that were chosen by hand are those of every layer; guessed ones are each layer's own
    TensorSelection open = now.tensors;
    open.layout.clear();
    if (const auto guess = layoutOf(file, open); !guess || (*guess)->id == now.tensors.layout)
        asked.tensors.layout.clear();
    if (now.tensors.layout == stackedLayers)
        asked.tensors.batch = 0;
    asked.tensors.head = 0;
    asked.tensors.mean.clear();
    asked.n = now.n;
    asked.nTrain = now.nTrain;
    asked.temperature = now.temperature;
    asked.attention = now.attention;
    asked.methods.clear();
    if (!now.methods.empty())
        asked.methods.push_back(now.methods.front());
    asked.engine = now.engine;
    asked.view.rows = now.view.rows;
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
                        .engine = layer.engine,
                        .rows = {layer.view.rows}},
                       stop);
}

std::vector<Scenario> layersOf(const Scenario& scenario, const TensorFile& file,
                               const std::vector<HeadCandidate>& candidates)
{
    std::vector<Scenario> layers;
    for (const HeadCandidate& candidate : candidates) {
        Scenario layer = scenario;
        layer.tensors.query = candidate.query;
        layer.tensors.key = candidate.key;
        layer.tensors.holds = candidate.holds;
        if (candidate.layout == stackedLayers)
            layer.tensors.batch = candidate.batch;
        const auto layout = findRow(layouts(), layer.tensors.layout, "layout");
        if (const auto tensor = file.find(candidate.query);
            layout && tensor && (*layout)->axes.size() != (*tensor)->shape.size())
            layer.tensors.layout.clear();
        layers.push_back(std::move(layer));
    }
    return layers;
}

std::optional<EveryHeadNumbers> numbersOfAll(const EveryHead& key,
                                             const std::shared_ptr<const EveryHeadNumbers>& before,
                                             const std::stop_token& stop,
                                             const std::function<void(EveryHeadNumbers)>& publish)
{
    const std::vector<Scenario> layers = layersOf(key.scenario, key.file->file, key.layers);
    EveryHeadNumbers all;
    if (before)  // those of the writing before
        all.layers = before->layers;
    all.layers.resize(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        auto numbers = numbersOfLayer(layers[i], stop);
        if (!numbers && numbers.error().kind == ErrorKind::Cancelled)
            return {};
        if (numbers)
            all.layers[i] = std::move(*numbers);
        else
            all.layers[i].clear();
        if (!numbers && all.error.empty())
            all.error = numbers.error().message;
        publish(all);
    }
    return all;
}

/// Those of one file of a run. Errors: those of its first layer that has none.
Result<HeadWriting> writingOf(const NumberedFile& of, Scenario scenario, const std::stop_token& stop)
{
    const TensorFile file = TRY(openHeadSource(of.path));
    scenario.tensors.path = of.path;
    const std::vector<HeadCandidate> candidates = layersAmong(findCandidates(file));
    EveryHeadNumbers all;
    for (const Scenario& layer : layersOf(scenario, file, candidates)) {
        if (const auto sizes = TRY(sizesOf(file, layer.tensors)); sizes.keys < layer.n)
            return failure(ErrorKind::DataError, "{} has {} tokens, not {}", of.path, sizes.keys, layer.n);
        all.layers.push_back(TRY(numbersOfLayer(layer, stop)));
    }
    if (all.layers.empty())
        return failure(ErrorKind::DataError, "{} has no queries and keys", of.path);
    HeadWriting writing = writingOf(file, all);
    writing.file = of;
    return writing;
}

/// First both ends, then what is in the middle of what is there: the lines have their course early.
std::vector<std::size_t> coarseToFine(std::size_t count)
{
    std::vector<std::size_t> order;
    std::vector<bool> taken(count);
    const auto take = [&](std::size_t at) {
        if (!taken[at])
            order.push_back(at);
        taken[at] = true;
    };
    take(count - 1);
    for (std::size_t stride = std::bit_ceil(count); stride > 0; stride /= 2)
        for (std::size_t at = 0; at < count; at += stride)
            take(at);
    return order;
}

std::optional<RunOfHeads> headsOfRun(const EveryFile& key, const std::shared_ptr<const RunOfHeads>& before,
                                     const std::stop_token& stop, const std::function<void(RunOfHeads)>& publish)
{
    RunOfHeads run;
    const auto isOfRun = [&](const NumberedFile& file) {
        return std::ranges::find(key.files, file) != key.files.end();
    };
    if (before) {
        std::ranges::copy_if(before->writings, std::back_inserter(run.writings), isOfRun, &HeadWriting::file);
        std::ranges::copy_if(before->without, std::back_inserter(run.without), isOfRun);
    }
    const auto number = [](const HeadWriting& one) { return std::pair(one.file.number, one.file.path); };
    for (const std::size_t at : coarseToFine(key.files.size())) {
        const NumberedFile& file = key.files[at];
        if (std::ranges::find(run.writings, file, &HeadWriting::file) != run.writings.end() ||
            std::ranges::find(run.without, file) != run.without.end())
            continue;
        auto writing = writingOf(file, key.scenario, stop);
        if (!writing && writing.error().kind == ErrorKind::Cancelled)
            return {};
        if (!writing) {
            run.without.push_back(file);
            run.error = writing.error().message;
        } else {
            run.writings.insert(std::ranges::upper_bound(run.writings, number(*writing), {}, number),
                                std::move(*writing));
        }
        publish(run);
    }
    return run;
}

}  // namespace

FileHeads::FileHeads(Document& document, FileOffers& offers, QObject* parent)
    : QObject(parent), m_document(document), m_offers(offers), m_history(std::make_unique<HeadHistory>()),
      m_numbers([](const EveryHead& key, const auto& before, const std::stop_token& stop,
                   const auto& publish) { return numbersOfAll(key, before, stop, publish); },
                [](const Error& error) {
                    return EveryHeadNumbers{{}, error.message};
                },
                [this] {
                    remember();
                    emit changed();
                }),
      m_run([](const EveryFile& key, const auto& before, const std::stop_token& stop,
               const auto& publish) { return headsOfRun(key, before, stop, publish); },
            [](const Error& error) {
                return RunOfHeads{{}, {}, error.message};
            },
            [this] { emit changed(); })
{
    m_numbers.setAwake(false);
    m_run.setAwake(false);
    connect(&document, &Document::changed, this, &FileHeads::follow);
    connect(&offers, &FileOffers::changed, this, &FileHeads::follow);
    follow();
}

FileHeads::~FileHeads() = default;

void FileHeads::remember()
{
    if (isComplete() && m_numbers.of())
        m_history->add(*m_numbers.of(), *m_numbers.value());
}

void FileHeads::setActive(bool active)
{
    m_active = active;
    m_numbers.setAwake(active);
    m_run.setAwake(m_active && m_overTime);
}

void FileHeads::setOverTime(bool wanted)
{
    m_overTime = wanted;
    m_run.setAwake(m_active && m_overTime);
}

const std::vector<HeadWriting>& FileHeads::writings() const
{
    static const std::vector<HeadWriting> none;
    if (!m_isOfRun)
        return m_history->writings();
    return m_run.value() ? m_run.value()->writings : none;
}

int FileHeads::filesToCome() const
{
    const auto& asked = m_run.asked();
    const auto& run = m_run.value();
    return asked ? static_cast<int>(asked->files.size() - (run ? run->writings.size() + run->without.size() : 0)) : 0;
}

int FileHeads::filesWithout() const { return m_run.value() ? static_cast<int>(m_run.value()->without.size()) : 0; }

const std::vector<std::vector<HeadNumbers>>& FileHeads::layers() const
{
    static const std::vector<std::vector<HeadNumbers>> none;
    return m_numbers.value() ? m_numbers.value()->layers : none;
}

QStringList FileHeads::names() const
{
    QStringList names;
    if (m_numbers.asked())
        for (const HeadCandidate& candidate : m_numbers.asked()->layers)
            names << labelInWords(candidate.label);
    const qsizetype comma = names.size() > 1 ? names.front().indexOf(u", "_s) : -1;
    const QString tail = comma > 0 ? names.front().sliced(comma) : QString();
    if (std::ranges::all_of(names, [&](const QString& name) { return name.endsWith(tail); }))
        for (QString& name : names)
            name.chop(tail.size());
    return names;
}

int FileHeads::offerOf(int layer) const
{
    const auto& asked = m_numbers.asked();
    if (!asked || layer < 0 || layer >= std::ssize(asked->layers))
        return -1;
    const HeadCandidate& one = asked->layers[static_cast<std::size_t>(layer)];
    const auto found = std::ranges::find_if(asked->file->offers, [&](const TensorOffer& offer) {
        return std::tie(offer.candidate.query, offer.candidate.key, offer.candidate.holds, offer.candidate.batch) ==
               std::tie(one.query, one.key, one.holds, one.batch);
    });
    return found == asked->file->offers.end() ? -1 : static_cast<int>(found - asked->file->offers.begin());
}

int FileHeads::layerOf(int offer) const
{
    for (int layer = 0; offer >= 0 && layer < names().size(); ++layer)
        if (offerOf(layer) == offer)
            return layer;
    return -1;
}

QString FileHeads::error() const
{
    if (const auto& run = m_run.value(); m_overTime && run && run->writings.empty() && !run->error.empty())
        return text(run->error);
    return m_numbers.value() ? text(m_numbers.value()->error) : QString();
}

HeadValues FileHeads::values(const HeadMeasure& measure) const
{
    const auto& numbers = layers();
    HeadValues values(numbers.size());
    std::size_t heads = 0;
    for (const auto& layer : numbers)
        heads = std::max(heads, layer.size());
    for (std::size_t layer = 0; layer < numbers.size(); ++layer) {
        values[layer].assign(heads, noNumber);
        for (std::size_t head = 0; head < numbers[layer].size(); ++head)
            values[layer][head] = measure.value(numbers[layer][head]).value_or(noNumber);
    }
    return values;
}

void FileHeads::follow()
{
    const Scenario& now = m_document.scenario();
    const OfferedFilePtr& file = m_offers.current();
    if (now.ofFile() && !file)
        return m_numbers.ask({});  // it is being read, and may be of the same run
    m_isOfRun = file && !file->run.empty();
    if (!file || file->offers.empty() || now.methods.empty()) {
        m_run.ask({});
        return m_numbers.ask({});
    }
    Scenario ofRun = ofEveryHead(now, file->file);
    ofRun.tensors.path.clear();
    m_run.ask(m_isOfRun ? std::optional(EveryFile{file->run, std::move(ofRun)}) : std::nullopt);
    std::vector<HeadCandidate> candidates;
    for (const TensorOffer& offer : file->offers)
        candidates.push_back(offer.candidate);
    m_numbers.ask(EveryHead{file, ofEveryHead(now, file->file), layersAmong(std::move(candidates))});
}

}  // namespace attnscope

#include "moc_file_heads.cpp"

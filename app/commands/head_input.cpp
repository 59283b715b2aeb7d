#include "app/commands/head_input.h"

#include "app/commands/command.h"
#include "core/attention/engines.h"
#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/attention/suggested_view.h"
#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "core/model/shipped_heads.h"
#include "core/tensor/head_names.h"

#include <algorithm>
#include <cstring>
#include <iostream>
#include <set>

namespace attnscope {

namespace {

/// Which tensors, when the user did not say: the first pair; and which others there are.
Result<void> completeSelection(const TensorFile& file, TensorSelection& selection, std::vector<std::string>& notes)
{
    if (!selection.query.empty() && (!selection.key.empty() || !selection.holds.empty()))
        return {};
    const std::vector<HeadCandidate> candidates = findCandidates(file);
    const auto found = std::find_if(candidates.begin(), candidates.end(), [&](const HeadCandidate& c) {
        return (selection.query.empty() || c.query == selection.query) &&
               (selection.key.empty() || c.key == selection.key) &&
               (selection.holds.empty() || c.holds == selection.holds);
    });
    if (const Error* unreadable = file.firstUnreadable(); unreadable && candidates.empty())
        return tl::unexpected<Error>(*unreadable);
    if (found == candidates.end())
        if (auto weights = weightsOfModel(file))
            return tl::unexpected<Error>(std::move(*weights));
    const auto couldBeHeads = [](const TensorInfo& tensor) {
        return tensor.shape.size() >= 2 && std::ranges::find(tensor.shape, 0) == tensor.shape.end();
    };
    if (found == candidates.end() && selection.query.empty() && std::ranges::none_of(file.tensors(), couldBeHeads))
        return failure(ErrorKind::DataError,
                       "{}: no tensor of it has two axes and values, as queries, keys, logits or weights have",
                       file.path());
    if (found == candidates.end() && selection.query.empty() && !selection.holds.empty()) {
        if (file.tensors().size() == 1) {  // nothing else can be meant
            selection.query = file.tensors().front().name;
            return {};
        }
        return failure(ErrorKind::InvalidArgument,
                       "{}: no tensor is named like {}; name it with --q (attnscope inspect lists the tensors)",
                       file.path(), selection.holds);
    }
    const std::string& named = selection.query.empty() ? selection.key : selection.query;
    if (!named.empty())
        TRY(file.find(named));
    if (found == candidates.end())
        return failure(ErrorKind::InvalidArgument,
                       "{}: no pair of queries and keys is found by name{}; name them with --q and --k (attnscope "
                       "inspect lists the tensors)",
                       file.path(), named.empty() ? "" : " for '" + named + "'");
    const bool chosen = !selection.query.empty();
    selection.query = found->query;
    selection.key = found->key;
    selection.holds = found->holds;
    if (!chosen && candidates.size() > 1)
        notes.push_back(fmt::format("taking {}{}, the first of {} pairs in the file; choose with --q and --k",
                                    found->query, found->key.empty() ? "" : " and " + found->key, candidates.size()));
    return {};
}

/// What was asked for, else what the file suggests; notes say what it leaves open and what was done about it.
void apply(const AttentionOptions& asked, const AttentionSpec& suggested, double nTrain, OpenedHeads& opened)
{
    opened.attention = asked.spec;
    opened.attention.mask = asked.mask.value_or(suggested.mask);
    opened.attention.position = asked.position.value_or(suggested.position);
    opened.attention.normaliser = asked.normaliser.value_or(suggested.normaliser);
    opened.attention.softCap = asked.softCap.value_or(suggested.softCap);
    opened.nTrain = asked.nTrain.value_or(nTrain);
    opened.attention = trainedAt(std::move(opened.attention), opened.nTrain);
}

void addFileNotes(const AttentionOptions& asked, const HeadFacts& facts, bool projection, OpenedHeads& opened)
{
    const std::string& query = opened.selection.query;
    if (!facts.position.empty())
        opened.notes.push_back(
            "the file says what its model does: --positions " + formatChoice(opened.attention.position) + " --mask " +
            formatChoice(opened.attention.mask) +
            (opened.attention.softCap > 0 ? " --soft-cap " + formatNumber(opened.attention.softCap) : ""));
    if (!facts.sinks.empty())
        opened.notes.push_back("the file has a sink a head, which --normaliser softmax1 stands for (softmax leaves "
                               "them out, sink:s=0 is Softmax one itself)");
    if (!asked.mask && !facts.causal)
        opened.notes.push_back("the file does not say whether attention is causal; taking --mask " +
                               opened.attention.mask.id);
    if (!asked.normaliser && facts.rowsSumToOne == false)
        opened.notes.push_back("the rows of '" + query +
                               "' do not sum to 1; taking --normaliser as_given, which keeps what they sum to (softmax "
                               "stretches them to 1)");
    if (projection)
        opened.notes.push_back(
            "'" + query +
            "' looks like the weights of a layer, not what it makes of tokens: a row is a dimension of the model");
    if (!asked.position && facts.position.empty() && hasPositions(opened.attention.position))
        opened.notes.push_back("the file says that '" + query +
                               "' is before its rotary positions; taking --positions " +
                               formatChoice(opened.attention.position) + " (none leaves queries and keys as they are)");
}

Result<std::vector<std::byte>> readStandardInput()
{
    constexpr size_t most = size_t{8} << 30;
    std::vector<std::byte> bytes;
    std::vector<char> block(1 << 20);
    while (std::cin.read(block.data(), static_cast<std::streamsize>(block.size())), std::cin.gcount() > 0) {
        const auto count = static_cast<size_t>(std::cin.gcount());
        if (bytes.size() + count > most)
            return failure(ErrorKind::NotReadable,
                           "standard input: more than 8 GiB; save it as a file, which is read in parts");
        const size_t at = bytes.size();
        bytes.resize(at + count);
        std::memcpy(bytes.data() + at, block.data(), count);
    }
    return bytes;
}

}  // namespace

void addAttention(CLI::App& app, AttentionOptions& target)
{
    addChoice(app, "--kernel", target.spec.kernel, kernels(), "kernel",
              "How a query and a key become a number: an id of `attnscope kernels`");
    addChoice(app, "--mask", target.mask, masks(), "mask",
              "Which keys a query sees: causal, full, window:64, ... (`attnscope masks`); without it what the file "
              "says, else causal");
    addChoice(app, "--positions", target.position, positions(), "position",
              "Positions to apply to the queries and keys: an id of `attnscope positions`; without it RoPE where the "
              "file says that they are from before it, else none");
    addChoice(app, "--normaliser", target.normaliser, normalisers(), "normaliser",
              "How logits become weights: an id of `attnscope normalisers`; without it softmax, with the sinks that "
              "the file has, or as_given for finished weights that do not sum to 1");
    addNumber(app, "--soft-cap", target.softCap, {.minimum = 0, .maximum = 1e6},
              "Soft-cap c of the logits, c tanh(z/c); 0: none; without it what the file says, else none");
}

CLI::Option* addTensors(CLI::App& app, TensorSelection& target)
{
    CLI::Option* file = app.add_option("FILE", target.path,
                                       "Tensors: .safetensors, .npy or .npz; - for standard input; or the heads of a "
                                       "model that comes with the program: " +
                                           joined(shippedModels(), ", ", &ShippedModel::id))
                            ->type_name("");
    app.add_option("--q", target.query, "Name of the queries; without it the first pair found by name")
        ->type_name("NAME");
    app.add_option("--k", target.key, "Name of the keys")->type_name("NAME");
    addWord(app, "--layout", target.layout, idsOf(layouts()),
            "Which axis is what, where the guess of `attnscope inspect` is wrong");
    addWord(app, "--holds", target.holds, {"logits", "weights"},
            "--q names finished logits or weights, (n, n) or (heads, n, n)");
    addNumber(app, "--head-count", target.headCount, {.minimum = 0, .maximum = 16384, .whole = true},
              "Heads of the queries that lie side by side in the last axis, as q_proj gives them; 0: as the "
              "config.json beside the file says, else none");
    addNumber(app, "--batch", target.batch, {.minimum = 0, .maximum = 1e9, .whole = true},
              "Which element of the batch axis; of (layers, batch, heads, n, n) counted through layers and batch");
    return file;
}

Result<TensorFile> openTensors(const std::string& path)
{
    if (path != "-")
        return openHeadSource(path);
    return readStandardInput().and_then(
        [](std::vector<std::byte> bytes) { return TensorFile::fromBytes(std::move(bytes), "standard input"); });
}

Result<OpenedHeads> openHeads(const TensorSelection& asked, const AttentionOptions& attention)
{
    const TensorFile file = TRY(openTensors(asked.path));
    OpenedHeads opened;
    opened.selection = asked;
    opened.paths.assign(file.paths().begin(), file.paths().end());
    const TensorSelection& selection = opened.selection;
    TRY(completeSelection(file, opened.selection, opened.notes));
    const auto asAsked = [&](Error error) {
        if (error.kind == ErrorKind::DataError && (!asked.layout.empty() || asked.headCount > 0))
            error.kind = ErrorKind::InvalidArgument;  // of --layout or --head-count, which do not suit the shapes
        return error;
    };
    if (const LayoutReading reading = TRY(readLayout(file, selection).map_error(asAsked)); !reading.doubts.empty())
        opened.notes.push_back(reading.doubts);
    const HeadSizes sizes = TRY(sizesOf(file, selection).map_error(asAsked));
    opened.heads = TRY(loadHeads(file, selection));
    opened.layer = layerNamed(selection.query);
    const std::vector<HeadCandidate> candidates = findCandidates(file);
    const bool projection = std::any_of(candidates.begin(), candidates.end(), [&](const HeadCandidate& c) {
        return c.projection && c.query == selection.query;
    });
    const HeadFacts facts = factsOf(file, selection);
    apply(attention, suggestedAttention(facts, sizes), suggestedTrainLength(facts, sizes), opened);
    addFileNotes(attention, facts, projection, opened);
    return opened;
}

OpenedHeads withoutFile(const AttentionOptions& attention)
{
    OpenedHeads opened;
    apply(attention, {}, usualTrainLength, opened);
    return opened;
}

Result<void> checkOutput(const OpenedHeads& opened, const std::string& output)
{
    for (const std::string& path : opened.paths)
        TRY(checkApart(path, "FILE", output, "--output"));
    return {};
}

CLI::Option* addHeads(CLI::App& app, std::string& target)
{
    return app.add_option("--head", target, "Heads: all, or numbers from 0 as in 0,3")
        ->type_name("H")
        ->default_str(target);
}

Result<std::vector<int>> readHeads(const std::string& text, int headCount)
{
    std::vector<int> heads;
    if (text == "all") {
        for (int head = 0; head < headCount; ++head)
            heads.push_back(head);
        return heads;
    }
    for (const std::string_view part : split(text, ',')) {
        const int head = numberFrom<int>(part).value_or(-1);
        if (head < 0 || head >= headCount)
            return failure(ErrorKind::InvalidArgument, "--head: expected all or numbers from 0 to {}, got '{}'",
                           headCount - 1, text);
        if (std::ranges::find(heads, head) == heads.end())
            heads.push_back(head);
    }
    return heads;
}

void addWhatRan(std::vector<std::string>& notes, const std::string& engine, const AttentionHead& head,
                const Choice& normaliser, const SummaryExtras& extras)
{
    if (std::string note = whatRuns(engine, head, normaliser, extras).note; !note.empty())
        notes.push_back(std::move(note));
}

void writeNotes(const Console& console, const std::vector<std::string>& notes)
{
    std::set<std::string> written;
    for (const std::string& note : notes)
        if (written.insert(note).second)
            console.err << "note: " << oneLine(note) << '\n';
}

}  // namespace attnscope

// inspect: what is in a file of tensors, which of them are queries and keys, and how their axes are read; or what a
// model's folder holds and what of it is run here.

#include "app/commands/command_table.h"
#include "app/commands/head_input.h"
#include "app/commands/progress.h"
#include "core/model/model.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace attnscope {

namespace {

constexpr std::uint64_t elementsAtOnce = 1 << 22;         // 32 MiB of doubles
constexpr std::uint64_t bytesWithoutAsking = 1ULL << 30;  // per file: more waits for --values all

struct InspectSettings {
    std::string path;
    std::string values = "auto";
    bool progress = false, tensors = false;
    std::optional<Format> format;
    CLI::Option* ofTensors = nullptr;  ///< --values
};

struct ValueRange {
    double minimum = INFINITY, maximum = -INFINITY;
    bool finite = true;

    void take(std::span<const double> values)
    {
        for (const double value : values) {
            if (!std::isfinite(value)) {
                finite = false;
                continue;
            }
            minimum = std::min(minimum, value);
            maximum = std::max(maximum, value);
        }
    }
};

/// Calls visit with boxes of at most elementsAtOnce elements that cover the tensor.
Result<void> forEachBox(const std::vector<std::int64_t>& shape, const std::function<Result<void>(const Box&)>& visit)
{
    if (std::find(shape.begin(), shape.end(), 0) != shape.end())
        return {};
    // axes before `split` are walked index by index, `split` in slabs, those after it are taken whole
    size_t split = shape.size();
    std::uint64_t inner = 1;
    while (split > 0 && inner * static_cast<std::uint64_t>(shape[split - 1]) <= elementsAtOnce)
        inner *= static_cast<std::uint64_t>(shape[--split]);
    Box box{std::vector<std::int64_t>(shape.size(), 0), shape};
    if (split == 0)
        return visit(box);
    --split;
    const std::int64_t slab = std::max<std::int64_t>(1, static_cast<std::int64_t>(elementsAtOnce / inner));
    std::fill(box.count.begin(), box.count.begin() + static_cast<std::ptrdiff_t>(split), 1);
    for (bool more = true; more;) {
        for (std::int64_t at = 0; at < shape[split]; at += slab) {
            box.begin[split] = at;
            box.count[split] = std::min(slab, shape[split] - at);
            TRY(visit(box));
        }
        more = false;
        for (size_t axis = split; axis-- > 0 && !more;) {  // the next index of the outer axes, as an odometer counts
            more = ++box.begin[axis] < shape[axis];
            if (!more)
                box.begin[axis] = 0;
        }
    }
    return {};
}

Result<ValueRange> rangeOf(const TensorFile& file, const TensorInfo& tensor)
{
    ValueRange range;
    const Result<void> done = forEachBox(tensor.shape, [&](const Box& box) -> Result<void> {
        const std::vector<double> values = TRY(file.read<double>(tensor, box));
        range.take(values);
        return {};
    });
    if (!done)
        return tl::unexpected(done.error());
    return range;
}

/// "queries of layer2" and the layout, for tensors that belong to a pair.
std::pair<Cell, Cell> roleOf(const TensorInfo& tensor, const std::vector<HeadCandidate>& candidates)
{
    for (const HeadCandidate& candidate : candidates) {
        const bool query = tensor.name == candidate.query;
        if (!query && tensor.name != candidate.key)
            continue;
        const std::string what = !candidate.holds.empty() ? candidate.holds : query ? "queries" : "keys";
        return {what + " of " + candidate.label, textCell(candidate.layout)};
    }
    return {};
}

/// A row for everything that a folder's config says of the computation.
Result<void> inspectModel(const std::string& folder, ResultWriter& writer)
{
    const Model model = TRY(openModel(folder));
    const Architecture& a = model.architecture;
    const auto add = [&](const char* what, const Cell& value, const Cell& note = {}) {
        writer.add({std::string(what), value, note});
    };
    add("architecture", describe(a));
    add("parameters", model.parameters);
    add("weights", model.files->dtypes(), Cell{fmt::format("{} bytes", model.files->bytes())});
    add("positions", describePositions(a));
    add("trained_length", a.trainLength,
        a.largestLength != a.trainLength ? Cell{fmt::format("stretched to {}", a.largestLength)} : Cell{});
    add("masks", describeMasks(a));
    add("tokenizer", model.tokenizer ? Cell{model.tokenizer->describe()} : Cell{},
        model.tokenizer ? Cell{} : Cell{model.withoutTokenizer});
    add("begin_token", a.beginToken ? Cell{std::int64_t{*a.beginToken}} : Cell{});
    if (a.maskToken)
        add("mask_token", std::int64_t{*a.maskToken});
    for (const std::string& field : model.unknownFields)
        add("unknown", field, Cell{"a field of config.json that is not known here, and was passed over"});
    for (const std::string& tensor : model.unreadTensors)
        add("unread", tensor, Cell{"a tensor that config.json does not ask for, and was passed over"});
    for (const std::string& remark : model.remarks)
        add("remark", remark);
    return {};
}

class InspectRun {
public:
    InspectRun(const InspectSettings& settings, const Console& console) : m_settings(settings), m_console(console) {}

    Result<void> operator()()
    {
        if (!m_settings.tensors && (isModel(m_settings.path) || shippedModelAt(m_settings.path))) {
            TRY(unused({m_settings.ofTensors}, "what model a folder or a file holds is read from its headers"));
            ResultWriter writer(m_console.out, formatFor(m_settings.format, m_console),
                                {"name", "value", ifAny("note")});
            return inspectModel(m_settings.path, writer).map([&] { writer.finish(); });
        }
        const TensorFile file = TRY(openTensors(m_settings.path));
        const std::vector<HeadCandidate> candidates = findCandidates(file);
        ResultWriter writer(
            m_console.out, formatFor(m_settings.format, m_console),
            {"name", "dtype", "shape", "role", "layout", "min", "max", "finite", neverInTable("bytes"), ifAny("note")});
        {
            Progress progress(m_console, "inspect", m_settings.progress);
            const auto tensors = file.tensors();
            for (size_t t = 0; t < tensors.size(); ++t) {
                writeTensor(writer, file, tensors[t], candidates);
                progress.update(static_cast<double>(t + 1) / static_cast<double>(tensors.size()));
            }
        }
        writer.finish();
        if (m_console.outIsTerminal)
            for (const auto& [key, value] : file.metadata())
                m_console.err << "metadata: " << oneLine(key + ": " + value) << '\n';
        return {};
    }

private:
    /// One that cannot be read has the reason for its note.
    void writeTensor(ResultWriter& writer, const TensorFile& file, const TensorInfo& tensor,
                     const std::vector<HeadCandidate>& candidates)
    {
        if (tensor.unreadable) {
            const bool known = !tensor.otherDtype.empty();
            return writer.add({tensor.name, known ? Cell{tensor.otherDtype} : Cell{},
                               known ? Cell{describeShape(tensor.shape)} : Cell{}, Cell{}, Cell{}, Cell{}, Cell{},
                               Cell{}, Cell{}, cannotRead(*tensor.unreadable)});
        }
        const std::uint64_t bytes = tensor.byteCount();
        const auto [role, layout] = roleOf(tensor, candidates);
        std::vector<Cell> cells{tensor.name, std::string(dtypeName(tensor.dtype)), describeShape(tensor.shape), role,
                                layout};
        const bool read =
            m_settings.values == "all" || (m_settings.values == "auto" && m_bytes + bytes <= bytesWithoutAsking);
        if (!read) {
            const Cell note = m_settings.values == "none" ? Cell{} : Cell{"values not read; --values all reads them"};
            cells.insert(cells.end(), {Cell{}, Cell{}, Cell{}, static_cast<std::int64_t>(bytes), note});
            return writer.add(std::move(cells));
        }
        m_bytes += bytes;
        const Result<ValueRange> range = rangeOf(file, tensor);
        if (range)
            cells.insert(cells.end(), {range->minimum, range->maximum, range->finite, static_cast<std::int64_t>(bytes),
                                       range->finite ? Cell{} : Cell{"holds NaN or infinite values"}});
        else
            cells.insert(cells.end(),
                         {Cell{}, Cell{}, Cell{}, static_cast<std::int64_t>(bytes), cannotRead(range.error())});
        writer.add(std::move(cells));
    }

    static Cell cannotRead(const Error& error) { return "cannot be read: " + error.message; }

    const InspectSettings& m_settings;
    const Console& m_console;
    std::uint64_t m_bytes = 0;
};

}  // namespace

Command inspectCommand()
{
    return commandWith<InspectSettings>(
        "inspect",
        "The tensors of a file, with the queries and keys that are found by name; or what model a folder or a .gguf "
        "file holds",
        {"inspect model.safetensors", "inspect q.npy --format json", "inspect TinyLlama",
         "inspect model.gguf --tensors"},
        [](CLI::App& app, InspectSettings& settings) {
            app.add_option(
                   "FILE", settings.path,
                   "Tensors: .safetensors, .npy or .npz; - for standard input; or a model: its folder, or a .gguf file")
                ->type_name("")
                ->required();
            settings.ofTensors =
                addWord(app, "--values", settings.values, {"auto", "all", "none"},
                        "Which tensors to read for min, max and finite; auto: the first GiB of the file");
            addFormat(app, settings.format);
            app.add_flag("--tensors", settings.tensors, "Of a .gguf file: its tensors, not what model it holds");
            addProgress(app, settings.progress);
        },
        [](const InspectSettings& settings, const Console& console) { return InspectRun(settings, console)(); });
}

}  // namespace attnscope

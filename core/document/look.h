#pragma once
// How the window shows its scenario: one value, which the document holds beside the scenario. Views read it and ask the
// document to change it; sessions and figures take it whole. Of it undo goes back through the annotations and pins
// alone.

#include "core/analysis/scenario.h"
#include "core/document/method_names.h"
#include "core/document/redecoding_request.h"
#include "core/model/probe_task.h"
#include "core/tuning/tune_over.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope {

struct MapLook {
    std::string colourMap = "viridis";
    bool log = true;
    std::optional<std::pair<double, double>> pinned;            ///< the range of the colours; empty: what the maps need
    std::optional<std::pair<double, double>> pinnedDifference;  ///< likewise of the difference map's
    bool difference = true;
    std::optional<MethodPair> sides;  ///< of the difference; none chosen, or one not ticked: the second minus the first
    std::string large;                ///< the map beside which the others are a strip, named as in Annotation; or none
    bool loupe = false;               ///< cells beside the pointer, with their weights
    bool operator==(const MapLook&) const = default;
};

/// What a model predicts: made-up stories, the program's own manual, a file, what was typed, or random tokens again and
/// again.
enum class ModelText { Generated, Manual, File, Typed, Repeated };

/// What is asked of a model that stands far back (core/model/probes.h), and how it is looked at.
struct ProbeLook {
    static constexpr std::size_t mostDepths = 50;
    static constexpr int mostSamples = 10000;

    ProbeTask task = ProbeTask::Repeat;
    int samples = 8, keys = 1;
    std::vector<double> depths{0, 0.25, 0.5, 0.75, 1};
    bool probability = false;  ///< what the answer and its map are of: exact answers, or their probability
    bool difference = false;   ///< maps are coloured by the difference from the first
    bool operator==(const ProbeLook&) const = default;
};

/// One of the policies that a model is run under: a place in ModelLook::positions, and one in the scenario's methods.
struct Combination {
    int position = 0, method = 0;
    bool operator==(const Combination&) const = default;
};

/// What the Model workspace runs, beside the scenario's methods, and what of it is looked at.
struct ModelLook {
    static constexpr std::size_t mostLengths = 100;
    static constexpr int mostTyped = 200000;   ///< letters
    static constexpr int mostCounted = 10000;  ///< windows of a length, predictions of a window that are asked for

    std::string folder;  ///< UTF-8; empty: the model that comes with the program
    ModelText text = ModelText::Generated;
    std::string file, typed;                    ///< the file's path, and what was typed
    std::vector<std::int64_t> lengths;          ///< empty: N/4 to 4 N
    std::vector<std::string> positions{"own"};  ///< what parsePositions() reads
    bool captured = false;                      ///< policies as captured, not in force
    int windows = 4;
    std::int64_t last = 128;          ///< predictions of a window that count; 0: all
    bool perplexity = true;           ///< or the loss in nats
    std::string measure = "entropy";  ///< what colours the heads: entropy, ... of modelHeadMeasures()
    // The combination looked at: a length, a place in `positions`, a place in the scenario's methods; and the head.
    std::int64_t n = 0;  ///< 0: the longest of a model that ships; of others the shortest above N, else the longest
    int position = 0, method = 0, layer = 0, head = 0;
    std::optional<Combination> beside;  ///< B: another one at that length, of which all is shown beside the first's, A
    std::int64_t row = -1;              ///< of their maps; -1: none
    // Find the scale.
    bool finding = false;  ///< it is shown, in place of the heads and the quality
    TuneOver over = TuneOver::Scale;
    std::int64_t tunedAt = 0;  ///< n; 0: what is looked at where that is beyond N, else 4 N
    // Probes.
    bool probing = false;  ///< they are shown, in place of all that
    ProbeLook probe;
    bool operator==(const ModelLook&) const = default;
};

/// What the Labs workspace shows, and what its controls are set to.
struct LabLook {
    std::string page;  ///< of labPageIds; empty: none was chosen yet
    std::string lab;   ///< what Start runs, a choice of labs() as text; empty: none was chosen yet
    RedecodingRequest tours;
    bool operator==(const LabLook&) const = default;
};

/// A text with an arrow to a place of a chart or a map. They are told apart by what they show: "entropy:" and a
/// measure, "dispersion:" and a kind, "map:" and a scale method's id or "difference"; the second variant of a method
/// has "#2" after it.
struct Annotation {
    static constexpr int mostLetters = 500;  ///< of the text
    static constexpr double farthest = 100;  ///< of `right` and `up`

    std::string chart;
    double x = 0, y = 0;       ///< where the arrow points, in the chart's units; on a map a key and a query
    double right = 2, up = 2;  ///< from there to the middle of the text, in heights of its letters
    std::string text;          ///< with $...$ for mathematics
    bool operator==(const Annotation&) const = default;
};

/// The part of a chart that is looked at.
struct ChartZoom {
    std::pair<double, double> x, y;
    bool operator==(const ChartZoom&) const = default;
};

/// "#rrggbb" by the id of a scale method, in place of the colour of its row.
using MethodColours = std::map<std::string, std::string>;

// The window's workspaces, one line each, in the order of its tabs. Each has a file in ui/window.
// clang-format off
#define ATTNSCOPE_WORKSPACES(row) \
    row(explore) \
    row(model) \
    row(labs) \
    row(figures) \
    row(learn)
// clang-format on

#define ATTNSCOPE_NAME(name) #name,
inline constexpr auto workspaceIds = std::to_array<std::string_view>({ATTNSCOPE_WORKSPACES(ATTNSCOPE_NAME)});
#undef ATTNSCOPE_NAME

/// Of the Labs workspace; a sweep that is open is none of them.
inline constexpr std::array<std::string_view, 4> labPageIds{"", "lab", "scoreboard", "tours"};

struct Look {
    static constexpr std::size_t mostPins = 9, mostAnnotations = 50;

    MapLook maps;
    std::vector<Annotation> annotations;
    std::map<std::string, ChartZoom> zooms;  ///< by chart, named as in Annotation; none: all of it
    MethodColours colours;
    std::vector<Scenario> pins;         ///< kept to compare with: behind the charts, and to flip to; at most mostPins
    std::string dispersion = "sorted";  ///< which chart of dispersion (dispersionKinds() of the figures' floor)
    bool approximations = false;        ///< in the entropy chart
    bool allHeads = false;              ///< likewise, in place of the methods
    bool theory = false;                ///< likewise, beside the data of a file that it misses
    std::string headsBy = "keeps";      ///< what colours the heads of a file: of headMeasures()
    std::string workspace = "explore";  ///< of workspaceIds
    ModelLook model;
    LabLook labs;
    bool operator==(const Look&) const = default;
};

}  // namespace attnscope

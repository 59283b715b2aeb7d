#pragma once
// What the Model workspace derives from a model and its text, each a value of a key (ui/job/derived.h): the study, one
// head's map, the multipliers that keep the entropy of N, and the text that the model writes.

#include "core/analysis/model_heads.h"
#include "core/document/look.h"
#include "core/model/model.h"
#include "core/tuning/head_gradients.h"
#include "ui/figure/map_pictures.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

/// A model and the tokens of its text: what everything here is of, told apart by identity.
struct ModelAndText {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const std::vector<int>> ids;
    bool operator==(const ModelAndText&) const = default;
};

struct StudyKey {
    ModelAndText of;
    StudyRequest request;
    bool operator==(const StudyKey&) const = default;
};
struct StudyNews {
    std::shared_ptr<const StudyResult> result;  ///< null before the first run has ended
    double progress = 0;
    QString left = {};     ///< as RunningPace::left()
    double workSpeed = 0;  ///< workOf() a second so far; 0: not known yet
    QString error;
};
std::optional<StudyNews> studyOf(const StudyKey& key, const std::stop_token& stop,
                                 const std::function<void(StudyNews)>& publish);

/// One combination of the study and one head of the model.
struct ShownHead {
    std::int64_t n = 0;
    size_t policy = 0;  ///< of the study: position * methods + method
    int position = 0, method = 0, layer = 0, head = 0;
    bool operator==(const ShownHead&) const = default;
};

/// The first window of n tokens under one policy.
struct FirstRun {
    ModelAndText of;
    std::int64_t n = 0;
    Policy policy;
    bool captured = false;
    std::int64_t last = 0;
    std::string engine;
    bool operator==(const FirstRun&) const = default;
};

/// A head in one run.
struct HeadInRun {
    FirstRun run;
    ShownHead head;
    bool operator==(const HeadInRun&) const = default;
};

struct PictureKey {
    HeadInRun a;
    std::optional<HeadInRun> b;  ///< beside it
    Region region;               ///< of the maps; without rows: all of it
    int pixels = 512;
    MapLook colours;
    bool dark = false;  ///< the ground of the maps
    bool operator==(const PictureKey&) const = default;
    bool sameInput(const PictureKey& other) const { return a.run.of == other.a.run.of; }
};
struct PicturedHead {
    ShownHead of;
    std::shared_ptr<const CapturedHeads> heads;
    std::shared_ptr<const PreparedHead> prepared;
};
struct Picture {
    PicturedHead a;
    std::optional<PicturedHead> b;
    std::shared_ptr<const Analysis> analysis;  ///< A's method, and B's where there is one: what maps are drawn from
    std::shared_ptr<const MapPictures> pictures;
    Region region;
    QString error;  ///< why there is no A, or of those asked for no B
    PictureKey key;
};
/// Takes from `before` what is of the same runs, and of the same heads and part of them.
std::optional<Picture> pictureOf(const PictureKey& key, const std::shared_ptr<const Picture>& before,
                                 const std::stop_token& stop);

struct KeepsKey {
    std::shared_ptr<const CapturedHeads> heads;
    double trained = 0;  ///< N
    std::string engine;
    bool operator==(const KeepsKey&) const = default;
};
struct Kept {
    std::vector<std::vector<std::optional<double>>> multipliers;  ///< [layer][head]; of a layer that was not kept none
    QString error;
};
std::optional<Kept> keptOf(const KeepsKey& key, const std::stop_token& stop, const std::function<void(Kept)>& publish);

struct Gradients {
    HeadGradients of;
    double progress = 0;
    QString error;
};
std::optional<Gradients> gradientsOf(const FirstRun& key, const std::stop_token& stop,
                                     const std::function<void(Gradients)>& publish);

struct Written {
    QString before, text, error;
    std::int64_t tokens = 0, after = 0;  ///< written, and of the text before them, its begin token too
};
std::optional<Written> writtenAfter(const FirstRun& key, const std::stop_token& stop);

}  // namespace attnscope

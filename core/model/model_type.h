#pragma once
// The model_types of config.json that are run, one row each: what it is called, which tensors and fields it has, and
// what sets it apart from others with the same ones. Defaults are those of the published configuration classes.

#include "core/model/architecture.h"

#include <span>
#include <string_view>

namespace attnscope {

/// Which layers see no further back than config.json's sliding_window, where its layer_types says nothing.
enum class WindowedLayers {
    None,
    All,
    EverySecond,  ///< the first, the third, ...
    FromOneOn,    ///< where use_sliding_window is set, those from max_window_layers on
};

struct ModelType {
    std::string_view id;  ///< config.json's model_type
    const char* label;
    Family family;
    int inner;          ///< of the feed-forward where the file says nothing; 0: 4 times the width
    int keyHeads;       ///< likewise; 0: as many as there are query heads
    int headSize;       ///< likewise; 0: the width over the heads
    bool queryKeyBias;  ///< always; otherwise as attention_bias says
    bool headNorms;
    WindowedLayers windows;
};

std::span<const ModelType> modelTypes();

}  // namespace attnscope

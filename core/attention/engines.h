#pragma once
// The engines there are, and which of them runs.

#include "core/attention/engine.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace attnscope {

/// reference, then the fast ones from slowest to fastest, then what runs on a graphics device.
std::span<const Engine> engines();

/// The processor's fastest: no wider instructions than setAutomaticEngine() allows.
const Engine& processorEngine();

/// The engine of that id; automaticEngineId: what setAutomaticEngine() said, or else automaticEngine(), which the first
/// call finds out with a trial of about a quarter of a second where there is a graphics device. Errors: UnknownName,
/// Unavailable.
Result<const Engine*> chooseEngine(std::string_view id);

/// What "auto" means in this process from now on; also no wider instructions than that engine's. For main() and the
/// tests, before anything is computed. Errors: UnknownName, Unavailable.
Result<void> setAutomaticEngine(std::string_view id);

/// Seconds that an engine takes for a trial; empty: it failed.
using EngineTrial = std::function<std::optional<double>(const Engine&)>;

/// The decision of "auto": the device's engine where it has a device of its own and was faster in the trial, else the
/// processor's. Where there is no such device nothing is tried.
const Engine& automaticEngine(const Engine& processor, const Engine& device, const EngineTrial& secondsOf);

/// The trial: all statistics of three methods and a heatmap of 1 024 keys, again and again for an eighth of a second
/// after a first time that is not counted. The least of the times.
std::optional<double> secondsOfTrial(const Engine& engine);

struct WhatRuns {
    std::string engine;    ///< the id of the one that does the work
    std::string handOver;  ///< why that is not the one asked for by name, or empty
    std::string note;      ///< for whoever asked by name: what computes, or handOver
};

/// Of this head. `asked` is as chooseEngine() takes it, and known.
WhatRuns whatRuns(std::string_view asked, const AttentionHead&, const Choice& normaliser, const SummaryExtras& = {});

}  // namespace attnscope

#pragma once
// What a probe comes to at a length, in one sentence and at a glance: how often it is found as the model is, how often
// with what else was run, and whether that differs. Numbers are those of the table of results, over all depths
// (overDepths); tests are paired by sample and adjusted by Holm over what is compared: Student's, or where all samples
// differ by as much the sign test. Chance is told from what is right by the binomial test of the share that is right,
// whatever is shown, adjusted likewise. Samples that share text are not tested, and nothing untested is a headline.

#include "core/base/measured_text.h"
#include "core/model/probes.h"

#include <span>
#include <string>

namespace attnscope {

/// `labels` are of the request's policies. "At n = 1 024 the needle is found in 3 of 40 samples as the model is, in 22
/// with Softmax Plus (p = 0.002)"; "At n = 512 no difference counts: the second copy is known to 62.1 % as the model
/// is, to 61.8 % with Softmax Plus (p = 0.4)". Empty while the cells of the first to be named are not all there.
/// `probability`: of needles that of the answer, e to the mean of ln p (a geometric mean), in place of how many are
/// found. `vocabulary`: the model's tokens; with it the sentence ends in what chance gives, and the test of that.
std::string probeInWords(const ProbeRequest& request, std::span<const ProbeCell> cells,
                         std::span<const std::string> labels, std::int64_t n, bool probability = false,
                         std::int64_t vocabulary = 0);
/// The same: "Softmax Plus finds 22 of 40 at n = 1 024; the model as it is finds 3", and a line for each that is named.
/// Where nothing is shown to be right more often than chance it says so.
ShortAnswer probeInShort(const ProbeRequest& request, std::span<const ProbeCell> cells,
                         std::span<const std::string> labels, std::int64_t n, bool probability = false,
                         std::int64_t vocabulary = 0);

/// What one has who knows nothing of the answer: of repeated tokens equal odds of the vocabulary, "equal odds of 512
/// tokens: 0.195 %, a loss of 6.24 nats"; of needles, of several keys "any of the 4 values told: 25 %", of one "any of
/// the 16 values that it may be: 6.25 %".
std::string chanceOfProbe(const ProbeRequest& request, std::int64_t vocabulary);

}  // namespace attnscope

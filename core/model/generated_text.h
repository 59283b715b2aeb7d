#pragma once
// A text that anybody can make again: endless small stories of a village, functions of (seed, number) alone, by a
// grammar of a few hundred words. Every story tells a fact once, the nickname of the one it is about, drawn anew for
// each story; and asks for it later, and for those of stories before it, at distances spread evenly over their
// logarithm:
//
//     Mia lived near the mill. People called Mia Wolf. She found a small bell. Good day, Mia Wolf, said the goat. She
//     met Tom Star.
//
// A nickname can be known only by finding where it was told, among ever more others the longer the text: what
// dispersion spoils. One of 48 is right by chance.

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct GeneratedText {
    struct Answer {
        std::int64_t begin = 0, end = 0;  ///< the bytes of the answer, a space and a nickname
        std::int64_t told = 0;            ///< where the same words stood when the fact was told
    };
    std::string text;             ///< ASCII
    std::vector<Answer> answers;  ///< in the order of the text
};

/// Stories from number 0 on until there are at least that many bytes, or it is stopped; a longer text begins with the
/// shorter one.
GeneratedText generatedText(std::uint64_t seed, std::int64_t bytes, const std::stop_token& stop = {});

/// How it is asked for where a text is named; and the seed of the text that models are tried on: labs train on other
/// seeds.
constexpr const char* generatedTextName = "generated";
constexpr std::uint64_t testTextSeed = 1'000'000'000'000;

/// What models are tried on: enough for that many tokens, at six bytes a token; at most 256 MB.
std::string testText(double tokens);

}  // namespace attnscope

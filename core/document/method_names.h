#pragma once
// Ticked methods by name: the id, and "#2" after it for the second variant of one. What is kept of a method by its name
// stays with it however the list is ordered, and waits for it to come back.

#include "core/base/choice.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope {

using MethodPair = std::pair<std::string, std::string>;

/// "infoscale#2" of the method at that place of the list.
std::string methodName(const std::vector<Choice>& methods, std::size_t place);

/// Where the method of that name stands; nothing: it is not ticked.
std::optional<std::size_t> placeOfMethod(const std::vector<Choice>& methods, std::string_view name);

/// What two are called in the next list: a variant may have become the first of its id. What is not ticked waits under
/// its name; nothing: one went whose name another has now.
std::optional<MethodPair> namesAfter(const std::vector<Choice>& before, const std::vector<Choice>& after,
                                     const MethodPair& names);

/// A method of the registry with those words, ticked or not?
bool isMethodName(std::string_view name);

/// Where the two stand; nothing: none were chosen, or one of them is not ticked.
std::optional<std::pair<std::size_t, std::size_t>> placesOfMethods(const std::vector<Choice>& methods,
                                                                   const std::optional<MethodPair>& names);

/// Of the difference, in a list of one or more: these two, or else the second and the first.
std::pair<std::size_t, std::size_t> placesOfDifference(const std::vector<Choice>& methods,
                                                       const std::optional<MethodPair>& names);

/// Into the list in the order of the registry, after the variants of it that are there.
void tickMethod(std::vector<Choice>& methods, Choice method);

}  // namespace attnscope

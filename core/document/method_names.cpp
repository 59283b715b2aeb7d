#include "core/document/method_names.h"

#include "core/document/place_after.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace attnscope {

std::string methodName(const std::vector<Choice>& methods, std::size_t place)
{
    const auto before = std::count_if(methods.begin(), methods.begin() + static_cast<std::ptrdiff_t>(place),
                                      [&](const Choice& other) { return other.id == methods[place].id; });
    return methods[place].id + (before ? "#" + std::to_string(before + 1) : "");
}

std::optional<std::size_t> placeOfMethod(const std::vector<Choice>& methods, std::string_view name)
{
    for (std::size_t place = 0; place < methods.size(); ++place)
        if (name.starts_with(methods[place].id) && methodName(methods, place) == name)
            return place;
    return {};
}

std::optional<MethodPair> namesAfter(const std::vector<Choice>& before, const std::vector<Choice>& after,
                                     const MethodPair& names)
{
    MethodPair next = names;
    for (std::string* name : {&next.first, &next.second}) {
        const auto place = placeOfMethod(before, *name);
        const auto there = place ? placeAfter(before, after, static_cast<int>(*place), &Choice::id) : std::nullopt;
        if (there)
            *name = methodName(after, static_cast<std::size_t>(*there));
        else if (place && placeOfMethod(after, *name))
            return {};  // it went, and another has its name now
    }
    return next;
}

bool isMethodName(std::string_view name)
{
    const std::size_t mark = name.find('#');
    if (!findRow(scaleMethods(), name.substr(0, mark), "scale method"))
        return false;
    if (mark == std::string_view::npos)
        return true;
    const std::string_view digits = name.substr(mark + 1);
    int variant = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), variant);
    return error == std::errc() && end == digits.data() + digits.size() && variant >= 2 && digits.front() != '0';
}

std::optional<std::pair<std::size_t, std::size_t>> placesOfMethods(const std::vector<Choice>& methods,
                                                                   const std::optional<MethodPair>& names)
{
    if (!names)
        return {};
    const auto first = placeOfMethod(methods, names->first), second = placeOfMethod(methods, names->second);
    return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

std::pair<std::size_t, std::size_t> placesOfDifference(const std::vector<Choice>& methods,
                                                       const std::optional<MethodPair>& names)
{
    const std::pair<std::size_t, std::size_t> usual(std::min<std::size_t>(1, methods.size() - 1), 0);
    return placesOfMethods(methods, names).value_or(usual);
}

void tickMethod(std::vector<Choice>& methods, Choice method)
{
    const auto rank = [](const Choice& choice) {
        return std::ranges::find(scaleMethods(), choice.id, &ScaleMethod::id) - scaleMethods().begin();
    };
    auto at = methods.end();
    while (at != methods.begin() && rank(*std::prev(at)) > rank(method))
        --at;
    methods.insert(at, std::move(method));
}

}  // namespace attnscope

// The recipe of a figure: a JSON text, or else a setting (FIELD=VALUE) made on a recipe that is right. What is accepted
// survives being written and read.
#include "core/base/json_reader.h"
#include "core/document/recipe.h"

#include <cstdint>
#include <cstdlib>

using namespace attnscope;

namespace {

Result<nlohmann::json> recipeOf(std::string_view input)
{
    if (input.starts_with('{'))
        return parseJson(input, "recipe");
    Recipe right;
    right.panels.resize(2);
    nlohmann::json json = toJson(right);
    return setField(json, input).map([&] { return json; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto recipe = recipeOf({reinterpret_cast<const char*>(data), size}).and_then(readRecipe);
    if (!recipe) {
        if (recipe.error().message.empty())
            std::abort();
        return 0;
    }
    const std::string text = writeRecipe(*recipe);
    const auto again = parseJson(text, "again").and_then(readRecipe);
    if (!again || writeRecipe(*again) != text)
        std::abort();
    return 0;
}

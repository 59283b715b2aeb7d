#include "core/model/gguf_families.h"

#include "core/base/text.h"
#include "core/model/families/families.h"
#include "core/model/gguf_config.h"

#include <algorithm>
#include <array>

namespace attnscope {

std::span<const GgufFamily> ggufFamilies()
{
    static const std::vector<GgufFamily> rows = [] {
        std::vector<GgufFamily> made;
        for (const Family& family : families())
            if (family.gguf.config) {
                made.push_back(family.gguf);
                made.back().modelType = family.id;
            }
        return made;
    }();
    return rows;
}

std::string_view ggufNameOf(std::string_view modelType)
{
    const auto found = std::ranges::find(families(), modelType, &Family::id);
    return found == families().end() ? std::string_view() : found->gguf.id;
}

Result<nlohmann::json> configOf(const GgufFamily& family, const GgufHeader& header,
                                std::span<const MappedTensors> files, const std::string& path)
{
    GgufConfigMaker make(header, files, path, std::string(family.id));
    make.config = {{"model_type", family.modelType}};
    family.config(make);
    TRY(make.finish());
    return std::move(make.config);
}

InFile placeInGguf(const GgufFamily& family, std::string_view name)
{
    const InFile itself{std::string(name)};
    std::string begin;
    std::array<GgufPairs, 2> tables{family.names.around, GgufPairs{}};
    std::string_view base = name;
    if (base.starts_with(family.names.layers)) {
        base.remove_prefix(family.names.layers.size());
        const std::size_t after = base.find('.');
        if (after == base.npos || !numberFrom<int>(base.substr(0, after)))
            return itself;
        begin = "blk." + std::string(base.substr(0, after)) + ".";
        base.remove_prefix(after + 1);
        tables = {family.first, family.names.within};
        for (const auto& [folder, file] : ggufNames::wholeWithin)
            if (folder == base)
                return {begin + std::string(file)};
    }
    const std::size_t dot = base.rfind('.');
    if (dot == base.npos)
        return itself;
    const std::string ending(base.substr(dot));
    std::string known(base.substr(0, dot));
    std::optional<Index> part;
    constexpr std::string_view experts = "experts.";
    if (const std::size_t at = known.find(experts); at != known.npos && !known.substr(0, at).ends_with('_')) {
        const std::size_t from = at + experts.size(), until = known.find('.', from);
        part = numberFrom<Index>(std::string_view(known).substr(from, until - from));
        if (part && until != known.npos)
            known.replace(from, until - from, "*");
    }
    for (const GgufPairs& table : tables)
        for (const auto& [folder, file] : table)
            if (folder == known)
                return {begin + std::string(file) + ending, part};
    return itself;
}

}  // namespace attnscope

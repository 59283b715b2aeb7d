#include "core/tensor/numbered_files.h"

#include "core/base/text.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace attnscope {

namespace {

namespace files = std::filesystem;

/// "step-100.npz": {"step-", ".npz"} and {"100"}.
struct Name {
    std::vector<std::string> words{""}, numbers;
};

Name nameOf(const std::string& text)
{
    Name name;
    bool inNumber = false;
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        if (digit && !inNumber)
            name.numbers.emplace_back();
        if (!digit && inNumber)
            name.words.emplace_back();
        inNumber = digit;
        (digit ? name.numbers : name.words).back() += c;
    }
    return name;
}

std::optional<double> numberAt(const Name& name, std::size_t place) { return typedNumber(name.numbers[place]); }

/// In which one number they differ; nothing: in none or several, or in words.
std::optional<std::size_t> differenceOf(const Name& a, const Name& b)
{
    if (a.words != b.words || a.numbers.size() != b.numbers.size())
        return {};
    std::optional<std::size_t> place;
    for (std::size_t i = 0; i < a.numbers.size(); ++i)
        if (a.numbers[i] != b.numbers[i]) {
            if (place)
                return {};
            place = i;
        }
    return place;
}

/// What lies beside `part`, is named as it is but for one number, and has `rest` in it.
std::vector<NumberedFile> besides(const files::path& part, const files::path& rest)
{
    const Name own = nameOf(part.filename().string());
    if (own.numbers.empty())
        return {};
    std::vector<std::vector<NumberedFile>> byPlace(own.numbers.size());
    const files::path folder = part.parent_path();
    std::error_code failed;
    for (files::directory_iterator at(folder.empty() ? "." : folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        const files::path name = at->path().filename();
        const Name other = nameOf(name.string());
        const auto place = differenceOf(own, other);
        const auto number = place ? numberAt(other, *place) : std::nullopt;
        if (!number)
            continue;
        const std::string path = (rest.empty() ? folder / name : folder / name / rest).string();
        std::error_code none;
        if (files::is_regular_file(path, none))
            byPlace[*place].push_back({path, *number, stampOf(path)});
    }
    const auto most = std::ranges::max_element(byPlace, {}, [](const auto& some) { return some.size(); });
    const auto number = numberAt(own, static_cast<std::size_t>(most - byPlace.begin()));
    if (most->empty() || !number)
        return {};
    const std::string path = rest.empty() ? part.string() : (part / rest).string();
    most->push_back({path, *number, stampOf(path)});
    std::ranges::sort(*most, [](const NumberedFile& a, const NumberedFile& b) {
        return std::pair(a.number, a.path) < std::pair(b.number, b.path);
    });
    return std::move(*most);
}

}  // namespace

std::vector<NumberedFile> numberedFiles(const std::string& path)
{
    const files::path file(path);
    std::vector<NumberedFile> all = besides(file, {});
    if (all.empty() && file.has_parent_path() && file.parent_path().has_filename())
        all = besides(file.parent_path(), file.filename());
    return all;
}

}  // namespace attnscope

#include "core/labs/lab_text.h"

#include "core/base/text.h"

#include <algorithm>

namespace attnscope {

std::vector<std::string> textPartsOf(const Lab& lab, const std::string& text)
{
    if (lab.textParts.size() < 2)
        return {std::string(trimmed(text))};
    std::vector<std::string> parts = partsOf(text, lab.partSeparator);
    parts.resize(std::max(parts.size(), lab.textParts.size()));
    return parts;
}

Result<std::vector<std::string>> readParts(const Lab& lab, const std::string& text)
{
    std::vector<std::string> parts = textPartsOf(lab, text);
    if (parts.size() > std::max<std::size_t>(1, lab.textParts.size()))
        return failure(ErrorKind::InvalidArgument,
                       "'{}' has more than {} parts; write {}, with semicolons between the entries of a part", text,
                       lab.textParts.size(), lab.textLabel.substr(0, lab.textLabel.find(':')));
    return parts;
}

std::string joinedParts(const Lab& lab, const std::vector<std::string>& parts)
{
    const std::string separator(1, lab.partSeparator);
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0)
            text += (text.empty() ? "" : " ") + separator;
        if (!parts[i].empty())
            text += (i > 0 ? " " : "") + parts[i];
    }
    return text;
}

Result<void> checkPart(const Lab& lab, const LabPart& part, const std::string& value)
{
    if (lab.textParts.size() < 2 || value.find(lab.partSeparator) == value.npos)
        return {};
    return failure(ErrorKind::InvalidArgument, "{}: '{}' cannot stand in it; it is between the parts of a lab's text",
                   part.name, lab.partSeparator);
}

std::vector<std::string> entriesOfPart(const std::string& part)
{
    std::vector<std::string> entries = partsOf(part, ';');
    std::erase(entries, std::string());
    return entries;
}

std::string joinedEntries(const std::vector<std::string>& entries) { return joined(entries, "; "); }

}  // namespace attnscope

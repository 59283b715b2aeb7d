#include "ui/workbench/known_probes.h"

#include "core/base/fingerprint.h"
#include "core/base/json_reader.h"
#include "core/base/json_text.h"
#include "core/base/replace_file.h"
#include "core/base/version.h"
#include "core/tensor/byte_source.h"
#include "core/tuning/setting.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/kept_files.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>

namespace attnscope {

namespace {

using nlohmann::json;

constexpr const char* schema = "attnscope-probes/2";

std::string questionOf(const ProbeKey& key)
{
    const ProbeRequest& asked = key.request;
    std::string question = fmt::format("model {:016x}, config {}, by {}", fingerprint(key.model->folder),
                                       key.model->configStamp, versionedName());
    for (const FileStamp& file : key.files)
        question += fmt::format(", {} {} {} {}", file.inode, file.size, file.written, file.changed);
    question += key.ids ? fmt::format(", text {} tokens {}", key.ids->size(),
                                      fingerprint(std::as_bytes(std::span<const int>(*key.ids))))
                        : fmt::format(", made text {}", static_cast<int>(key.made));
    question +=
        fmt::format(", task {}, samples {}, keys {}, seed {}, engine {}, words '{}' '{}'", static_cast<int>(asked.task),
                    asked.samples, asked.keys, asked.seed, asked.engine, asked.words.told, asked.words.asked);
    for (const std::int64_t n : asked.lengths)
        question += fmt::format(", n {}", n);
    for (const double depth : asked.depths)
        question += fmt::format(", depth {}", depth);
    for (const Policy& policy : asked.policies)
        question += ", " + keyOf(policy);
    return question;
}

json numberOrNull(double value) { return std::isfinite(value) ? json(value) : json(); }

json writeScore(const ProbeScore& score)
{
    return json::array(
        {numberOrNull(score.loss), numberOrNull(score.right), numberOrNull(score.firstLoss), score.asked});
}

std::optional<ProbeScore> readScore(const json& list)
{
    if (!list.is_array() || list.size() != 4)
        return {};
    double numbers[4] = {};
    for (std::size_t i = 0; i < 4; ++i) {
        if (!list[i].is_number() && !list[i].is_null())
            return {};
        numbers[i] = list[i].is_number() ? list[i].get<double>() : std::numeric_limits<double>::quiet_NaN();
    }
    if (!(numbers[3] >= 1 && numbers[3] <= 1e9))
        return {};
    return ProbeScore{numbers[0], numbers[1], numbers[2], numbers[3]};
}

json writeCell(const ProbeCell& cell)
{
    json scores = json::array();
    for (const ProbeScore& score : cell.scores)
        scores.push_back(writeScore(score));
    return {{"n", cell.n},
            {"depth", cell.depth},
            {"policy", cell.policy},
            {"absent", cell.absent},
            {"shares_text", cell.sharesText},
            {"scores", std::move(scores)}};
}

void readCell(ObjectReader& reader, ProbeCell& cell, const ProbeRequest& asked)
{
    reader.number("n", cell.n, 1, 1e18);
    reader.number("depth", cell.depth, 0, 1);
    reader.number("policy", cell.policy, 0, static_cast<double>(asked.policies.size()) - 1);
    reader.text("absent", cell.absent);
    reader.boolean("shares_text", cell.sharesText);
    reader.elements("scores", cell.scores, "four numbers", static_cast<std::size_t>(asked.samples), readScore);
}

Result<ProbeNews> readNews(std::string_view text, const std::string& path, const std::string& question,
                           const ProbeRequest& asked)
{
    constexpr std::size_t most = 1'000'000;
    const json whole = TRY(parseJson(text, path));
    ObjectReader reader(whole, path);
    std::string found, of, leftOut;
    ProbeNews news;
    reader.text("schema", found);
    reader.text("question", of);
    reader.text("left_out", leftOut);
    reader.number("fraction", news.fraction, 0, 1);
    reader.boolean("complete", news.complete);
    reader.objects("cells", news.cells, "cells", most,
                   [&](ObjectReader& part, ProbeCell& cell) { readCell(part, cell, asked); });
    TRY(reader.finish());
    if (found != schema || of != question || news.cells.empty())
        return failure(ErrorKind::InvalidArgument, "{} is of another question", path);
    news.leftOut = QString::fromStdString(leftOut);
    return news;
}

}  // namespace

KnownProbe::KnownProbe(std::string folder, const ProbeKey& key, std::uint64_t most)
    : m_folder(std::move(folder)), m_question(questionOf(key)),
      m_path(fmt::format("{}/{:016x}.json", m_folder, fingerprint(m_question))), m_most(most), m_asked(key.request)
{
}

std::optional<ProbeNews> KnownProbe::read() const
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(m_path, ignored))
        return {};
    const auto text = readText(m_path, m_most);
    auto news = text ? readNews(*text, m_path, m_question, m_asked) : tl::unexpected<Error>(text.error());
    return news ? std::optional(std::move(*news)) : std::nullopt;
}

void KnownProbe::write(const ProbeNews& news)
{
    if (!m_kept) {
        const auto before = read();
        m_kept = before ? before->fraction : -1;
    }
    if (news.cells.empty() || !news.error.isEmpty() || news.fraction <= *m_kept || !makeFolder(m_folder))
        return;
    json cells = json::array();
    for (const ProbeCell& cell : news.cells)
        cells.push_back(writeCell(cell));
    const json whole{{"schema", schema},          {"question", m_question},    {"left_out", news.leftOut.toStdString()},
                     {"fraction", news.fraction}, {"complete", news.complete}, {"cells", std::move(cells)}};
    if (replaceFile(m_path, jsonText(whole, 0) + '\n'))
        m_kept = news.fraction;
    keepNewest(m_folder, m_most, m_path);
}

}  // namespace attnscope

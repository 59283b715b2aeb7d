#include "ui/figure/figure.h"

#include "core/base/json_reader.h"
#include "core/base/replace_file.h"
#include "core/base/text.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/figure_kind.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/plot_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <charconv>

// Resources of a static library are linked only where something names them.
void loadFigureResources() { Q_INIT_RESOURCE(figure); }

namespace attnscope {

namespace {

/// The gallery's order.
const std::vector<std::string>& names()
{
    static const std::vector<std::string> order = [] {
        loadFigureResources();
        QFile file(u":/figures/gallery.txt"_s);
        std::vector<std::string> list;
        if (file.open(QIODevice::ReadOnly | QIODevice::Text))
            for (const QByteArray& line : file.readAll().split('\n'))
                if (!line.trimmed().isEmpty())
                    list.push_back(line.trimmed().toStdString());
        return list;
    }();
    return order;
}

Result<QByteArray> contentOf(const std::string& name)
{
    QFile file(text(name));
    const QFileInfo info(file);
    if (!info.exists())
        return failure(ErrorKind::NotFound, name + ": there is no such file");
    if (!info.isFile())
        return failure(ErrorKind::NotRegularFile, name + ": is no regular file");
    if (info.size() > qint64{256} << 20)
        return failure(ErrorKind::UnknownFormat, name + ": is too large for a recipe or a figure");
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorKind::NotReadable, name + ": " + file.errorString().toStdString());
    return file.readAll();
}

bool isBuiltIn(const std::string& name) { return std::find(names().begin(), names().end(), name) != names().end(); }

Result<Recipe> builtIn(const std::string& name)
{
    QFile file(u":/figures/%1.json"_s.arg(text(name)));
    file.open(QIODevice::ReadOnly);
    return recipeFromText(file.readAll().toStdString(), "figure " + name);
}

struct Format {
    std::string_view ending;
    Result<QByteArray> (*write)(const FigureContent&, const Recipe&);
    Result<void> (*check)(const Recipe&);  ///< before there is any content; may be null
};
constexpr Format formats[]{
    {".pdf", figurePdf, nullptr}, {".svg", figureSvg, nullptr}, {".png", figurePng, checkPictureSize}};

Result<const Format*> formatOf(const std::string& file)
{
    std::string ending = file.substr(std::min(file.size(), file.rfind('.')));
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const Format& format : formats)
        if (format.ending == ending)
            return &format;
    return failure(ErrorKind::InvalidArgument, file + ": a figure's name must end in .pdf, .svg or .png");
}

std::string_view textOf(const QByteArray& bytes) { return {bytes.constData(), static_cast<size_t>(bytes.size())}; }

/// With the file's name before it.
Result<QByteArray> bytesOf(const Format& format, const FigureContent& content, const Recipe& recipe,
                           const std::string& file)
{
    return format.write(content, recipe).map_error([&](Error error) {
        return Error{error.kind, file + ": " + error.message};
    });
}

std::string escaped(const std::string& markup) { return plainText(text(markup)).toHtmlEscaped().toStdString(); }

constexpr std::string_view pageHead = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Attnscope: figures</title>
<style>
body { font: 15px/1.45 Inter, system-ui, sans-serif; color: #1c1f24; background: #f4f5f7; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(30rem, 1fr)); gap: 1.5rem; }
figure { margin: 0; padding: 1rem; background: #fff; border: 1px solid #dfe3e8; border-radius: 6px; }
img { width: 100%; height: auto; }
h2 { font-size: 1rem; margin: .6rem 0 .2rem; }
p { margin: .2rem 0; color: #676e79; }
a { color: #0072b2; }
</style>
<h1>Figures</h1>
<main>
)";

/// The page that shows a rendered gallery: each figure with its title, source and links to its files.
std::string indexPage(const std::vector<Recipe>& figures)
{
    std::string page(pageHead);
    for (const Recipe& figure : figures) {
        const std::string& name = figure.name;
        page += "<figure id=\"" + name + "\"><img loading=\"lazy\" src=\"" + name + ".svg\" alt=\"" +
                escaped(figure.title) + "\">\n<figcaption><h2>" + escaped(figure.title) + "</h2>\n<p>" +
                escaped(figure.caption) + "</p>\n<p>" + escaped(figure.source) + "</p>\n<p>";
        for (const char* ending : {".pdf", ".svg", ".png", ".csv"})
            page += "<a href=\"" + name + ending + "\">" + (ending + 1) + "</a> ";
        page += "</p></figcaption></figure>\n";
    }
    return page + "</main>\n</html>\n";
}

}  // namespace

Result<Recipe> recipeFromJson(const nlohmann::json& json)
{
    auto recipe = TRY(readRecipe(json));
    const auto known = [](const char* field, const auto& found) -> Result<void> {
        return found ? Result<void>{}
                     : failure(found.error().kind, std::string("recipe.") + field + ": " + found.error().message);
    };
    for (const Result<void>& sound :
         {known("style", printStyle(recipe.style)), known("colours", findColourMap(recipe.colours)),
          known("kind", findRow(figureKinds(), recipe.kind, "kind of figure"))})
        if (!sound)
            return tl::unexpected<Error>(sound.error());
    return recipe;
}

Result<Recipe> recipeFromText(std::string_view text, std::string_view what)
{
    return parseJson(text, what).and_then([&](const nlohmann::json& json) {
        return recipeFromJson(json).map_error([&](Error error) {
            error = withLine(text, std::move(error));
            error.message = std::string(what) + ": " + error.message;
            return error;
        });
    });
}

std::vector<GalleryRow> gallery()
{
    std::vector<GalleryRow> rows;
    for (const std::string& name : names())
        if (const auto recipe = builtIn(name))
            rows.push_back({name, recipe->title, recipe->source, recipe->seconds});
    return rows;
}

Result<Recipe> loadRecipe(const std::string& nameOrPath)
{
    if (isBuiltIn(nameOrPath))
        return builtIn(nameOrPath);
    if (nameOrPath.find_first_of("./\\") == nameOrPath.npos && !QFileInfo::exists(text(nameOrPath)))
        return failure(ErrorKind::UnknownName, "unknown figure '" + nameOrPath + "'; known: " + joined(names(), ", ") +
                                                   "; or give the file of a recipe");
    const QByteArray bytes = TRY(contentOf(nameOrPath));
    const std::string recipe =
        bytes.trimmed().startsWith('{') ? bytes.toStdString() : TRY(embeddedRecipe(bytes, nameOrPath));
    return recipeFromText(recipe, nameOrPath).map_error([](Error error) {  // whatever is wrong is the file's fault
        const bool asOfUsage = error.kind == ErrorKind::InvalidArgument || error.kind == ErrorKind::UnknownName;
        return Error{asOfUsage ? ErrorKind::DataError : error.kind, std::move(error.message)};
    });
}

Result<Recipe> withOptions(const Recipe& recipe, const FigureOptions& options)
{
    nlohmann::json json = toJson(recipe);
    if (options.widthMm)
        json["width_mm"] = *options.widthMm;
    if (options.style)
        json["style"] = *options.style;
    std::vector<std::string> changed;  // of what the figure is of: its title and caption speak of it as it was
    for (const std::string& setting : options.settings) {
        const nlohmann::json scenario = json["scenario"], parameters = json["parameters"];
        TRY(setField(json, setting));
        if (json["scenario"] != scenario || json["parameters"] != parameters)
            changed.push_back(setting);
    }
    Recipe made = TRY(recipeFromJson(json));
    if (changed.empty())
        return made;
    constexpr std::string_view was = " Before that: ";
    if (!made.title.empty() && made.title == recipe.title && !made.title.ends_with(" (changed)"))
        made.title += " (changed)";
    if (made.caption == recipe.caption) {
        const std::size_t own = made.caption.starts_with("Changed: ") ? made.caption.find(was) : std::string::npos;
        const std::string before = own == std::string::npos ? std::string() : made.caption.substr(9, own - 10) + ", ";
        const std::string first = own == std::string::npos ? made.caption : made.caption.substr(own + was.size());
        made.caption =
            fmt::format("Changed: {}{}.{}{}", before, joined(changed, ", "), first.empty() ? "" : was, first);
    }
    return made;
}

Result<double> parseWidth(std::string_view text)
{
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
    const double factor = unit.empty() || unit == "mm" ? 1
                          : unit == "cm"               ? 10
                          : unit == "in"               ? 25.4
                          : unit == "pt"               ? 25.4 / 72
                                                       : 0;
    if (status != std::errc{} || factor == 0 || !(value * factor >= 20 && value * factor <= 2000))
        return failure(ErrorKind::InvalidArgument,
                       "a width is a number in mm, or with cm, in or pt behind it, from 20mm to 2000mm, not '" +
                           std::string(text) + "'");
    return value * factor;
}

Result<void> saveFigure(const FigureContent& content, const Recipe& recipe, const std::string& file)
{
    return formatOf(file)
        .and_then([&](const Format* format) { return bytesOf(*format, content, recipe, file); })
        .and_then([&](const QByteArray& bytes) { return replaceFile(file, textOf(bytes)); });
}

bool fitsA4(const QSizeF& size)
{
    const QSizeF page(210, 297);
    return std::max(size.width(), size.height()) <= page.height() &&
           std::min(size.width(), size.height()) <= page.width();
}

Result<QSizeF> renderFigure(const Recipe& recipe, const std::string& file, const std::string& dataPath,
                            std::stop_token stop)
{
    const auto format = TRY(formatOf(file));
    for (const auto& [one, what, other, whatOther] :
         {std::array<std::string, 4>{file, "the figure", dataPath, "its data"},
          {recipe.scenario.tensors.path, "the file of tensors", dataPath, "the figure's data"},
          {recipe.scenario.tensors.path, "the file of tensors", file, "the figure"}})
        TRY(checkApart(one, what, other, whatOther));
    if (format->check)
        if (const auto fits = format->check(recipe); !fits)
            return failure(fits.error().kind, file + ": " + fits.error().message);
    const auto content = TRY(buildFigure(recipe, stop));
    const auto bytes = TRY(bytesOf(*format, content, recipe, file));
    const std::string data = dataPath.empty() ? std::string() : dataTable(content);
    std::vector<FileText> files{{file, textOf(bytes)}};
    if (!dataPath.empty())
        files.push_back({dataPath, data});
    TRY(replaceFiles(files));
    return figureSize(content, recipe);
}

Result<QSizeF> renderFigure(const std::string& nameOrPath, const std::string& file, const FigureOptions& options,
                            std::stop_token stop)
{
    return loadRecipe(nameOrPath)
        .and_then([&](const Recipe& recipe) { return withOptions(recipe, options); })
        .and_then([&](const Recipe& recipe) { return renderFigure(recipe, file, options.dataPath, stop); });
}

Result<void> renderGallery(const std::string& folder, const FigureOptions& options,
                           const std::function<void(int, int, const std::string&)>& progress, std::stop_token stop)
{
    TRY(makeFolder(folder));
    Result<void> first;
    std::vector<Recipe> done;
    for (size_t i = 0; i < names().size(); ++i) {
        const std::string& name = names()[i];
        if (progress)
            progress(static_cast<int>(i), static_cast<int>(names().size()), name);
        const std::string base = folder + "/" + name;
        const auto one = [&]() -> Result<void> {
            const auto recipe =
                builtIn(name).and_then([&](const Recipe& plain) { return withOptions(plain, options); });
            if (!recipe)
                return tl::unexpected<Error>(recipe.error());
            const auto content = TRY(buildFigure(*recipe, stop));
            std::vector<QByteArray> all;
            std::vector<FileText> files;
            all.reserve(std::size(formats));
            for (const Format& format : formats) {
                const std::string file = base + std::string(format.ending);
                all.push_back(TRY(bytesOf(format, content, *recipe, file)));
                files.push_back({file, textOf(all.back())});
            }
            const std::string data = dataTable(content);
            files.push_back({base + ".csv", data});
            return replaceFiles(files).map([&] { done.push_back(*recipe); });
        }();
        if (!one && one.error().kind == ErrorKind::Cancelled)
            return one;
        if (!one && first)
            first = failure(one.error().kind, "figure " + name + ": " + one.error().message);
    }
    TRY(replaceFile(folder + "/index.html", indexPage(done)));
    return first;
}

}  // namespace attnscope

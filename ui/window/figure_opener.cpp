#include "ui/window/figure_opener.h"

#include "core/tensor/byte_source.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/figure_recipe.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr std::uint64_t longestFigure = 1ULL << 28;  // bytes
constexpr const char* figureEndings[] = {".pdf", ".svg", ".png"};

Result<Recipe> recipeIn(const QString& path)
{
    const std::string file = TRY(readText(path.toStdString(), longestFigure));
    const std::string text =
        TRY(embeddedRecipe(QByteArray::fromRawData(file.data(), std::ssize(file)), path.toStdString()));
    return recipeFromText(text, path.toStdString());
}

}  // namespace

FigureOpener::FigureOpener(QObject* parent)
    : QObject(parent), m_job(
                           [this](const Answer& answer) {
                               if (answer.recipe)
                                   emit opened(*answer.recipe, answer.path);
                               else
                                   emit failed(answer.recipe.error());
                           },
                           [](const Error& error) {
                               return Answer{{}, tl::unexpected<Error>(error)};
                           })
{
}

bool FigureOpener::isFigure(const QString& path)
{
    return std::ranges::any_of(
        figureEndings, [&](const char* ending) { return path.endsWith(QLatin1String(ending), Qt::CaseInsensitive); });
}

void FigureOpener::open(const QString& path)
{
    m_job.start([path](std::stop_token, const auto& publish) { publish({path, recipeIn(path)}); });
}

}  // namespace attnscope

#include "moc_figure_opener.cpp"

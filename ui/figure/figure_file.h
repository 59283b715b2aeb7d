#pragma once
// A figure as a file: PDF (fonts embedded, lossless images, the recipe attached), SVG (text as text, the recipe in
// <metadata>), PNG (the recipe in a text chunk). Sizes are exact; the same content gives the same bytes.

#include "core/base/error.h"
#include "ui/figure/figure_content.h"
#include "core/document/recipe.h"

#include <QByteArray>
#include <QImage>

namespace attnscope {

QByteArray figurePdf(const FigureContent&, const Recipe&);
QByteArray figureSvg(const FigureContent&, const Recipe&);
QByteArray figurePng(const FigureContent&, const Recipe&);

/// As figurePng draws it, at `pixelsPerMillimetre`: for previews and the clipboard.
QImage figureImage(const FigureContent&, const Recipe&, double pixelsPerMillimetre);

/// The text of the recipe that a figure carries. Errors: UnknownFormat where there is none.
Result<std::string> embeddedRecipe(const QByteArray& file, const std::string& name);

}  // namespace attnscope

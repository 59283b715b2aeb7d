#pragma once
// A figure as a file: PDF (fonts embedded, lossless images, the recipe attached), SVG (text as text, the recipe in
// <metadata>), PNG (the recipe in a text chunk); a recipe without a kind is left out. Sizes are exact; the same content
// gives the same bytes. Errors of all: NotWritable, for a picture that is too large or that there is no memory for.

#include "core/base/error.h"
#include "ui/figure/figure_content.h"
#include "core/document/recipe.h"

#include <QByteArray>
#include <QImage>

namespace attnscope {

Result<QByteArray> figurePdf(const FigureContent&, const Recipe&);
Result<QByteArray> figureSvg(const FigureContent&, const Recipe&);
Result<QByteArray> figurePng(const FigureContent&, const Recipe&);

/// In millimetres.
QSizeF figureSize(const FigureContent&, const Recipe&);

/// As figurePng draws it, at `pixelsPerMillimetre`: for previews and the clipboard.
Result<QImage> figureImage(const FigureContent&, const Recipe&, double pixelsPerMillimetre);

/// What figurePng would refuse, as far as the recipe says it before there is any content.
Result<void> checkPictureSize(const Recipe&);

/// The text of the recipe that a figure carries. Errors: UnknownFormat where there is none.
Result<std::string> embeddedRecipe(const QByteArray& file, const std::string& name);

}  // namespace attnscope

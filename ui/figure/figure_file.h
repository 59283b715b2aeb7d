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

// The few things about a PDF that Qt's writer does not leave to its caller: the exact page size (it rounds to whole
// points), the dates and the document's identifier (which would make every run's bytes differ). And reading an
// attachment back.

/// Replaces the first `from` by `to` and moves the cross-reference table accordingly. False if there is none.
bool replaceInPdf(QByteArray& pdf, const QByteArray& from, const QByteArray& to);

/// The page is `points` large, measured from its upper left corner as Qt's writer places it; the dates are a fixed one,
/// and the identifier that Qt 6.8 adds is made of the document's other bytes.
void normalisePdf(QByteArray& pdf, QSizeF points);

/// The first attached file that Qt's writer (or one alike) wrote, at most 256 KiB compressed; empty if there is none.
std::optional<QByteArray> pdfAttachment(const QByteArray& pdf);

/// What Qt's SVG writer says of every shape, it says in full: a group of its own with pen, brush and font, also for
/// nothing. The same picture in a third of the bytes: empty groups go, each element carries what differs from the
/// outermost group. Anything else that is XML keeps its meaning too.
QByteArray tidySvg(const QByteArray& svg);

}  // namespace attnscope

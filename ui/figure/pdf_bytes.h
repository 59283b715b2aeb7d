#pragma once
// The few things about a PDF that Qt's writer does not leave to its caller: the exact page size (it rounds to whole
// points), the dates and the document's identifier (which would make every run's bytes differ). And reading an
// attachment back.

#include <QByteArray>
#include <QSizeF>

#include <optional>

namespace attnscope {

/// Replaces the first `from` by `to` and moves the cross-reference table accordingly. False if there is none.
bool replaceInPdf(QByteArray& pdf, const QByteArray& from, const QByteArray& to);

/// The page is `points` large, measured from its upper left corner as Qt's writer places it; the dates are a fixed one,
/// and the identifier that Qt 6.8 adds is made of the document's other bytes.
void normalisePdf(QByteArray& pdf, QSizeF points);

/// The first attached file that Qt's writer (or one alike) wrote, at most 256 KiB compressed; empty if there is none.
std::optional<QByteArray> pdfAttachment(const QByteArray& pdf);

}  // namespace attnscope

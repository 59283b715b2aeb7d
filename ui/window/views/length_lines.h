#pragma once
// The strong lines at n and N of every chart against length (analysis_charts.h) move the scenario when they are dragged.

namespace attnscope {

class Document;

/// `line`: lineAtN or lineAtTrained.
void moveLengthLine(Document& document, int line, double value);

}  // namespace attnscope

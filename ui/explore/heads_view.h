#pragma once
// Every head of the opened layer at once: a thumbnail of its map and its statistics, sortable. Choosing a row
// chooses the head, choosing several their mean.

#include "ui/workbench/analyser.h"
#include "ui/widgets/value_table.h"

namespace attnscope {

class Document;

class HeadsView : public ValueTable {
    Q_OBJECT
public:
    HeadsView(Document& document, Analyser& analyser, QWidget* parent = nullptr);
    int headAt(int row) const;

private:
    void show(const AnalysisPtr& analysis);
    void selectHeads();
    void chooseSelected();

    Document& m_document;
    bool m_showing = false;
};

}  // namespace attnscope

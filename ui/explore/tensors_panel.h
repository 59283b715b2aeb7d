#pragma once
// The sheet behind "open": all tensors of the file, the pairs that are found by name, which axis is what, and what a
// file often does not say: whether attention is causal, and whether positions are in q and k already. Every choice is
// made at once and can be undone; one that makes no heads is explained and not made.

#include "ui/workbench/file_offers.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QGridLayout;
class QLabel;
class QSpinBox;

namespace attnscope {

class TensorList;

class TensorsPanel : public QWidget {
    Q_OBJECT
public:
    TensorsPanel(Document& document, FileOffers& offers, QWidget* parent = nullptr);

    /// Of a file whose tensors are not looked at yet, because none of them are named like queries and keys.
    void choose(OfferedFilePtr file);

    TensorList& list() const { return *m_list; }
    QComboBox* pairs() const { return m_pairs; }
    QComboBox* kind() const { return m_kind; }
    QComboBox* layoutList() const { return m_layout; }
    QSpinBox* batch() const { return m_batch; }
    QLabel* layoutSaid() const { return m_layoutSaid; }
    QComboBox* causal() const { return m_causal; }
    QComboBox* positions() const { return m_positions; }
    QString verdict() const;
    QSize sizeHint() const override { return {900, 250}; }
    /// At which all of its choices are in sight.
    int heightOfRows() const;

private:
    QWidget* buildForm();
    void addRow(QGridLayout* grid, int row, const QString& caption, QWidget* control, QLabel* said = nullptr);
    void refresh();
    void showPair(const OfferedFile& file);
    void takeLayout(const std::string& id);
    void showLayouts(const OfferedFile& file);
    void showFacts(const OfferedFile& file);
    void showVerdict(const Result<HeadSizes>& sizes);
    void takeOffer(int index);
    void chooseKind();
    void use(std::string& part, const std::string& tensor, const QString& name);
    void look(const QString& name);
    void chooseCausal();
    void choosePositions();

    Document& m_document;
    FileOffers& m_offers;
    OfferedFilePtr m_file;                    ///< what the sheet is about
    std::optional<TensorSelection> m_beside;  ///< what the document looks at while another file is chosen from
    TensorSelection m_selection;              ///< as it is being made; the document's, or one that makes no heads yet
    TensorList* m_list;
    QWidget* m_form = nullptr;
    QComboBox* m_pairs;
    QComboBox* m_kind;
    QComboBox* m_layout;
    QComboBox* m_causal;
    QComboBox* m_positions;
    QSpinBox* m_batch;
    QLabel* m_layoutSaid;  ///< that the axes are a guess, with a link that swaps them
    QLabel* m_causalSaid;
    QLabel* m_positionsSaid;
    QLabel* m_verdict;
};

}  // namespace attnscope

#pragma once
// For opened tensors: which file, which layer (a pair of queries and keys found by name), which head or heads.

#include <QWidget>

#include <cstdint>

class QComboBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace attnscope {

class Analyser;
class Document;
class ElidedLabel;
class FileOffers;
struct OfferedFile;

class TensorControl : public QWidget {
    Q_OBJECT
public:
    TensorControl(Document& document, const Analyser& analyser, FileOffers& offers, QWidget* parent = nullptr);

    /// Keys of the tensors shown; 0 without a file.
    std::int64_t tokenCount() const { return m_tokenCount; }

signals:
    void openRequested();
    void exampleRequested(const QString& id);  ///< the heads of a model that comes with the program
    void tensorsRequested();                   ///< the list of all tensors of the file
    void sizesChanged();                       ///< tokenCount()

private:
    void addFileLine(QGridLayout* grid);
    void addRunLine(QGridLayout* grid);
    void showRun(const OfferedFile* file);
    void refresh();
    void showLayers();
    void showHeads(std::int64_t count);
    void chooseLayer(int index);
    void chooseHead(int index);

    Document& m_document;
    const Analyser& m_analyser;
    FileOffers& m_offers;
    ElidedLabel* m_name;
    QLabel* m_facts;
    QToolButton* m_example = nullptr;
    QWidget* m_run;  ///< the files of its run
    QLabel* m_placeInRun;
    QToolButton *m_earlier, *m_later;
    QComboBox* m_layers;
    QComboBox* m_heads;
    std::int64_t m_tokenCount = 0;
};

}  // namespace attnscope

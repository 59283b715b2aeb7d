#pragma once
// For opened tensors: which file, which layer (a pair of queries and keys found by name), which head.

#include <QWidget>

#include <cstdint>
#include <memory>
#include <string>

class QComboBox;
class QLabel;

namespace attnscope {

class Document;
struct OfferedFile;

class TensorControl : public QWidget {
    Q_OBJECT
public:
    explicit TensorControl(Document& document, QWidget* parent = nullptr);
    ~TensorControl() override;

    /// Keys of the pair shown; 0 without a file.
    std::int64_t tokenCount() const { return m_tokenCount; }

signals:
    void openRequested();

private:
    void refresh();
    void readFile(const std::string& path);
    void choosePair(int index);

    Document& m_document;
    QLabel* m_name;
    QLabel* m_facts;
    QComboBox* m_pairs;
    QComboBox* m_heads;
    std::string m_path;
    std::unique_ptr<OfferedFile> m_file;  ///< null: none, or one that could not be read
    std::int64_t m_tokenCount = 0;
};

}  // namespace attnscope

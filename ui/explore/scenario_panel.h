#pragma once
// The Scenario dock: what is looked at, a pin too while it is shown. Every number is a slider and a field, every list
// iterates its registry.

#include "ui/widgets/number_scale.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

class QVBoxLayout;

namespace attnscope {

class Analyser;
class ChoiceControl;
class Document;
class FileOffers;
class NumberControl;
class TensorControl;
struct Choice;
struct Entry;
struct Scenario;

class ScenarioPanel : public QWidget {
    Q_OBJECT
public:
    ScenarioPanel(Document& document, const Analyser& analyser, FileOffers& offers, QWidget* parent = nullptr);
    /// The lengths n that there are.
    const NumberScale& lengthScale() const;

signals:
    void lengthScaleChanged();
    void openRequested();
    void tensorsRequested();
    void exampleRequested(const QString& id);

private:
    using Get = std::function<double(const Scenario&)>;
    using Set = std::function<void(Scenario&, double)>;
    NumberControl* addNumber(const QString& caption, const NumberScale& scale, const QString& teaches, Get get,
                             Set set);
    ChoiceControl* addChoice(const QString& caption, std::vector<const Entry*> rows, const QString& teaches,
                             std::function<Choice&(Scenario&)> field);
    void addSection(const QString& title);
    void addSourceSection(FileOffers& offers);
    void addSizeSection();
    void addAttentionSection();
    void showSourceKind();

    Document& m_document;
    const Analyser& m_analyser;
    QVBoxLayout* m_layout;
    std::vector<std::function<void()>> m_refresh;
    TensorControl* m_tensors = nullptr;
    NumberControl* m_headSize = nullptr;
    NumberControl* m_seed = nullptr;
    NumberControl* m_length = nullptr;
};

}  // namespace attnscope

#pragma once
// The left of the Model workspace: which model, which text, which lengths and windows, positions, methods, and how the
// policy is applied; below them how far the runs are. Every control edits the document; what it says comes from there.

#include "ui/workbench/model_runner.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTimer;

namespace attnscope {

class Analyser;
class ElidedLabel;
class MethodsPanel;
class Pointer;

class ModelControls : public QWidget {
    Q_OBJECT
public:
    ModelControls(Document& document, Analyser& analyser, Pointer& pointer, ModelRunner& runner,
                  QWidget* parent = nullptr);
    QPushButton* openButton() const { return m_open; }
    QComboBox* text() const { return m_text; }
    QPlainTextEdit* typed() const { return m_typed; }
    QLineEdit* lengths() const { return m_lengths; }
    QLineEdit* windows() const { return m_windows; }
    QLineEdit* last() const { return m_last; }
    QComboBox* policy() const { return m_policy; }
    const std::vector<QCheckBox*>& positions() const { return m_positions; }
    MethodsPanel* methods() const { return m_methods; }
    QPushButton* stopButton() const { return m_stop; }
    QString stage() const;
    /// Of the text; chosen again it is read again.
    void takeTextFile(const QString& path);
    /// What was typed so far, at once.
    void finishTyping();

signals:
    void fileAsked();
    void folderAsked();
    void foundAsked(const QString& path);  ///< one that another program keeps
    void modelAsked(const QString& id);    ///< one that comes with the program
    void sourceAsked(const QString& id);
    void refused(const QString& why);  ///< empty: what was refused last is right

private:
    void takeTyped();
    QWidget* buildModel();
    QWidget* buildText();
    QWidget* buildProtocol();
    QWidget* buildPositions();
    void addPosition(const std::string& position);
    QWidget* buildProgress();
    QWidget* buildScrolled();
    void show();
    void showProgress();
    void takeLengths();
    void takeNumber(QLineEdit* field, double least, const std::function<void(ModelLook&, std::int64_t)>& set);
    void chooseTextFile();
    void edit(const std::function<void(ModelLook&)>& change);

    Document& m_document;
    ModelRunner& m_runner;
    QPushButton *m_open, *m_file, *m_stop;
    ElidedLabel *m_name, *m_cost, *m_stage;
    QLabel *m_about, *m_tokens;
    QComboBox *m_text, *m_policy;
    QPlainTextEdit* m_typed;
    QTimer* m_typing;
    QLineEdit *m_lengths, *m_windows, *m_last;
    QWidget *m_protocol = nullptr, *m_positionList, *m_methodsTitle = nullptr;
    std::vector<QCheckBox*> m_positions;  ///< the model's own, the registry, then those with parameters that came up
    std::vector<std::string> m_positionIds;
    MethodsPanel* m_methods;
    QProgressBar* m_bar;
};

}  // namespace attnscope

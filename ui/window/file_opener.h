#pragma once
// What there is to open is looked at beside the window, since a header may be long and a disk slow: until it is known,
// what is open stays and the window answers. What is known at once opens at once. A look that nobody waits for any more
// ends between two reads; a read that hangs cannot be ended, but nothing waits for it: neither the next look nor the
// end of the program.

#include "core/base/error.h"
#include "core/document/recipe.h"

#include <QObject>
#include <QString>

#include <functional>
#include <future>
#include <optional>
#include <stop_token>

class QTimer;

namespace attnscope {

class MessageBar;

/// A file or a folder, and what it is. A folder is a sweep's or a model's; one of the files that a sweep writes stands
/// for its folder; what begins as GGUF does, whatever its name, is a model.
struct FoundFile {
    enum class Kind { Tensors, Session, Figure, Sweep, Model };
    Kind kind = Kind::Tensors;
    QString path;                  ///< of a sweep its folder
    std::optional<Recipe> recipe;  ///< of a figure that the program wrote: PDF, SVG and PNG carry it
};

class FileOpener : public QObject {
    Q_OBJECT
public:
    /// Whether a model can be read. Called in a thread of its own, which may outlive the opener: it holds all that it
    /// needs.
    using Check = std::function<Result<void>(const std::string& folder, const std::stop_token& stop)>;
    FileOpener(MessageBar& messages, Check check, QObject* parent = nullptr);
    ~FileOpener() override;

    /// `open` is called once it is known what it is, unless something else is opened before; what cannot be read is
    /// said in the message bar.
    void open(const QString& path, std::function<void(const FoundFile&)> open);
    /// The same of a model: a folder, a .gguf file or the id of one that comes with the program.
    void openModel(const QString& folder, std::function<void(const FoundFile&)> open);
    /// Something else is opened.
    void forget();
    bool isLooking() const { return m_open != nullptr; }
    void checkBy(Check check) { m_check = std::move(check); }

private:
    using Look = std::function<Result<FoundFile>(const std::stop_token& stop)>;
    void begin(const QString& path, Look look, std::function<void(const FoundFile&)> open);
    void takeWhenFound();

    MessageBar& m_messages;
    Check m_check;
    std::function<void(const FoundFile&)> m_open;  ///< what waits
    QString m_said;
    std::future<Result<FoundFile>> m_found;  ///< of the look that is waited for
    std::stop_source m_stop;
    QTimer* m_asking;
};

}  // namespace attnscope

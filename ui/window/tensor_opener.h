#pragma once
// Opens files of tensors in Explore: shows the first pair of queries and keys at once and says what the file says of
// them. Tensors that a session looks at may have moved since: then it asks where they are now, and does not insist.

#include "core/analysis/scenario.h"
#include "ui/workbench/file_offers.h"

#include <QObject>
#include <QString>

#include <utility>

class QWidget;

namespace attnscope {

class Document;
class ExplorePage;
class MessageBar;

class TensorOpener : public QObject {
    Q_OBJECT
public:
    TensorOpener(QWidget& window, ExplorePage& explore, Document& document, FileOffers& offers, MessageBar& messages);

    /// A file's path, or the id of a model whose heads come with the program.
    void open(const QString& path);
    /// One head of a model, kept in a file.
    void openHead(const QString& path, int layer, int head);
    /// The tensors that the scenario looks at are here now.
    void relocate(const QString& path);
    /// Does the scenario look at a file that is not there? Then the message bar asks for it.
    bool askForMissing();

signals:
    void opened(const QString& path);
    /// The file holds the weights of the model in this folder: nothing to look at here.
    void modelFound(const QString& folder, const QString& path);

private:
    void show(const OfferedFilePtr& file);
    void showLocated(const OfferedFilePtr& file);
    void chooseLocation(const QString& missing);
    void useWithout();
    void forgetNotice();

    QWidget& m_window;
    ExplorePage& m_explore;
    Document& m_document;
    FileOffers& m_offers;
    MessageBar& m_messages;
    std::pair<int, int> m_askedHead{-1, -1};  ///< layer and head of the file that is being opened
    QString m_notice;                         ///< what was said of the file that is looked at
    Scenario m_openedAs;                      ///< and of this
};

}  // namespace attnscope

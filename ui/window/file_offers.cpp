#include "ui/window/file_offers.h"

#include "ui/window/document.h"

namespace attnscope {

FileOffers::FileOffers(Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_job([this](Answer answer) { take(std::move(answer)); },
                                                   [](const Error& error) {
                                                       return Answer{{}, tl::unexpected<Error>(error), Asked::ToOpen};
                                                   })
{
    connect(&document, &Document::changed, this, &FileOffers::follow);
    follow();
}

void FileOffers::open(const QString& path) { read(path.toStdString(), Asked::ToOpen); }

void FileOffers::locate(const QString& path) { read(path.toStdString(), Asked::ToLocate); }

void FileOffers::follow()
{
    const Scenario& scenario = m_document.scenario();
    const std::string path = scenario.ofFile() ? scenario.tensors.path : std::string();
    if (path == m_path)
        return;
    m_path = path;
    const bool known = m_last && m_last->file.path() == path;
    show(known ? m_last : nullptr, {});
    if (!known && !path.empty())
        read(path, Asked::ByDocument);
}

void FileOffers::read(const std::string& path, Asked asked)
{
    m_job.start([path, asked](std::stop_token, const auto& publish) { publish({path, offersOf(path), asked}); });
}

void FileOffers::take(Answer answer)
{
    if (!answer.file) {
        const Error error = answer.file.error();
        if (answer.path == m_path)
            show(nullptr, QString::fromStdString(error.message));
        if (answer.asked != Asked::ByDocument)
            emit failed(error);
        return;
    }
    m_last = std::make_shared<const OfferedFile>(std::move(*answer.file));
    if (answer.path == m_path)
        show(m_last, {});
    if (answer.asked == Asked::ToOpen)
        emit opened(m_last);
    else if (answer.asked == Asked::ToLocate)
        emit located(m_last);
}

void FileOffers::show(OfferedFilePtr file, const QString& fault)
{
    m_current = std::move(file);
    m_fault = fault;
    emit changed();
}

}  // namespace attnscope

#include "moc_file_offers.cpp"

#include "ui/workbench/file_offers.h"

#include "ui/workbench/document.h"

namespace attnscope {

namespace {

Result<OfferedFilePtr> offered(const std::string& path)
{
    return offersOf(path).map(
        [](OfferedFile file) -> OfferedFilePtr { return std::make_shared<const OfferedFile>(std::move(file)); });
}

}  // namespace

FileOffers::FileOffers(Document& document, QObject* parent)
    : QObject(parent), m_document(document),
      m_ofDocument([](const Asked& asked, const auto&, const std::stop_token&,
                      const auto&) { return std::optional(offered(asked.path)); },
                   [](const Error& error) -> Offered { return tl::unexpected<Error>(error); }, [this] { show(); }),
      m_job([this](const Answer& answer) { take(answer); },
            [](const Error& error) {
                return Answer{{}, tl::unexpected<Error>(error), Purpose::Open};
            }),
      m_runJob([this](auto found) { takeRun(found.first, std::move(found.second)); },
               [](const Error&) { return std::pair<std::string, std::vector<NumberedFile>>(); })
{
    connect(&document, &Document::changed, this, &FileOffers::follow);
    follow();
}

void FileOffers::open(const QString& path) { read(path.toStdString(), Purpose::Open); }

void FileOffers::locate(const QString& path) { read(path.toStdString(), Purpose::Locate); }

void FileOffers::readAgain()
{
    ++m_time;
    m_lastIsOld = true;
    m_readAgain = path();
    m_readAgainAt = QTime::currentTime();
    follow();
}

void FileOffers::listRunAgain()
{
    m_runJob.start([path = path()](std::stop_token, const auto& publish) { publish({path, numberedFiles(path)}); });
}

void FileOffers::takeRun(const std::string& path, std::vector<NumberedFile> run)
{
    if (!m_current || m_current->file.path() != path || m_current->run == run)
        return;
    OfferedFile again = *m_current;
    again.run = std::move(run);
    const OfferedFilePtr before = m_current, after = std::make_shared<const OfferedFile>(std::move(again));
    for (OfferedFilePtr* one : {&m_last, &m_good})
        if (*one == before)
            *one = after;
    if (const auto& read = m_ofDocument.value(); read && *read && **read == before)
        return m_ofDocument.put(*m_ofDocument.of(), std::make_shared<const Offered>(after));
    show();
}

std::string FileOffers::path() const
{
    const Scenario& scenario = m_document.scenario();
    return scenario.ofFile() ? scenario.tensors.path : std::string();
}

bool FileOffers::isLast() const { return m_last && m_last->file.path() == path(); }

void FileOffers::follow()
{
    if (path() != m_readAgain)
        m_readAgainAt = {};
    m_ofDocument.ask(path().empty() || (isLast() && !m_lastIsOld) ? std::nullopt
                                                                  : std::optional(Asked{path(), m_time}));
    show();
}

void FileOffers::read(const std::string& path, Purpose purpose)
{
    m_job.start([path, purpose](std::stop_token, const auto& publish) { publish({path, offered(path), purpose}); });
}

void FileOffers::take(const Answer& answer)
{
    if (!answer.file) {
        if (answer.path == path()) {
            m_good.reset();  // who opens it wants it as it is
            m_last.reset();
            m_ofDocument.drop();
            readAgain();
        }
        return emit failed(answer.file.error());
    }
    m_last = *answer.file;
    m_lastIsOld = false;
    m_readAgain.clear();
    follow();
    if (answer.purpose == Purpose::Open)
        emit opened(m_last);
    else
        emit located(m_last);
}

/// Of the document's file, what is known of it now.
void FileOffers::show()
{
    const auto& read = m_ofDocument.value();
    if (read && *read)
        m_good = **read;
    else if (isLast() && !read)
        m_good = m_last;
    // while it cannot be read, such as one that is being written: what was known of it before
    OfferedFilePtr file = m_good && m_good->file.path() == path() ? m_good : nullptr;
    QString fault = !read || *read ? QString() : QString::fromStdString(read->error().message);
    if (file == m_current && fault == m_fault)
        return;
    m_current = std::move(file);
    m_fault = std::move(fault);
    emit changed();
}

}  // namespace attnscope

#include "moc_file_offers.cpp"

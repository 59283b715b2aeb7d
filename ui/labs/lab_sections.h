#pragma once
// What the Labs workspace has to show: a short list at the top of its left column, below it the controls of what is
// chosen there, and beside both what that shows.

#include <QSplitter>
#include <QString>

class QListWidget;
class QStackedWidget;

namespace attnscope {

class LabSections : public QSplitter {
    Q_OBJECT
public:
    explicit LabSections(QWidget* parent = nullptr);
    /// Takes both widgets. The first one added is shown.
    void add(const QString& id, const QString& name, const QString& teaches, QWidget* controls, QWidget* content);
    /// And its widgets.
    void remove(const QString& id);
    void show(const QString& id);
    bool has(const QString& id) const { return placeOf(id) >= 0; }
    QString shown() const;
    QListWidget& list() { return *m_list; }

signals:
    void sectionShown(const QString& id);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int placeOf(const QString& id) const;
    void fitList();

    QListWidget* m_list;
    QStackedWidget *m_controls, *m_contents;
    bool m_dragged = false;
};

}  // namespace attnscope

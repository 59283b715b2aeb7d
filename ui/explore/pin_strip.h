#pragma once
// The pins below the maps: each with a small map, its number and what changed since the one before it, in words; at the
// end what has changed since. Pressing one shows it in all views for as long as it is held; a click without waiting
// goes back to it.

#include "ui/workbench/analyser.h"

#include <QFrame>
#include <QImage>

#include <string>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace attnscope {

class Document;
class ElidedLabel;
class PinCard;
class Pins;

class PinStrip : public QFrame {
    Q_OBJECT
public:
    PinStrip(Document& document, Pins& pins, QWidget* parent = nullptr);
    const std::vector<PinCard*>& cards() const { return m_cards; }
    /// Hidden on stage, whatever is pinned.
    void setOnStage(bool on);
    /// What has changed since the last pin.
    QString since() const;

private:
    void show();
    PinCard* addCard();
    const QImage& smallMapOf(std::size_t place, const AnalysisPtr& analysis);

    Document& m_document;
    Pins& m_pins;
    ElidedLabel* m_since;
    QHBoxLayout* m_row;
    std::vector<PinCard*> m_cards;
    struct SmallMap {
        AnalysisPtr of;
        std::string colours;
        bool log = false;
        QImage image;
    };
    std::vector<SmallMap> m_maps;  ///< one a card
    bool m_onStage = false;
};

}  // namespace attnscope

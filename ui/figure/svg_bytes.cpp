#include "ui/figure/figure_file.h"

#include "ui/plot/qt_text.h"

#include <QXmlStreamReader>
#include <QXmlStreamWriter>

#include <map>
#include <vector>

namespace attnscope {

namespace {

using Attributes = std::map<QString, QString>;

/// What the outermost group of QSvgGenerator says for all, and what SVG says itself.
const Attributes& defaults()
{
    static const Attributes all{{"fill", "none"},
                                {"stroke", "black"},
                                {"stroke-width", "1"},
                                {"stroke-linecap", "square"},
                                {"stroke-linejoin", "bevel"},
                                {"fill-rule", "evenodd"},
                                {"fill-opacity", "1"},
                                {"stroke-opacity", "1"},
                                {"transform", "matrix(1,0,0,1,0,0)"},
                                {"font-weight", "400"},
                                {"font-style", "normal"},
                                {"vector-effect", "none"}};
    return all;
}

Attributes read(const QXmlStreamAttributes& list)
{
    Attributes attributes;
    for (const QXmlStreamAttribute& one : list)
        attributes[one.qualifiedName().toString()] = one.value().toString();
    return attributes;
}

/// The group's attributes under the element's own, without what makes no difference.
Attributes merged(const Attributes& group, Attributes element, bool isText)
{
    element.insert(group.begin(), group.end());
    if (element["fill"] == "none"_L1)
        element.erase("fill-opacity");
    const bool stroked = element["stroke"] != "none"_L1;
    for (auto at = element.begin(); at != element.end();) {
        const QString& name = at->first;
        const auto usual = defaults().find(name);
        const bool useless = (usual != defaults().end() && usual->second == at->second) ||
                             (!isText && name.startsWith("font-"_L1)) || (!stroked && name.startsWith("stroke-"_L1)) ||
                             at->second.isEmpty();
        at = useless ? element.erase(at) : std::next(at);
    }
    if (isText)
        element["font-family"] += u", sans-serif"_s;  // where the font is not installed
    return element;
}

class Tidier {
public:
    QByteArray run(const QByteArray& svg)
    {
        QByteArray out;
        m_in.addData(svg);
        m_in.setNamespaceProcessing(false);
        m_out.emplace_back();
        QXmlStreamWriter writer(&out);
        writer.writeStartDocument();
        int depth = 0;
        while (!m_in.atEnd()) {
            switch (m_in.readNext()) {
            case QXmlStreamReader::StartElement:
                start(writer, ++depth);
                break;
            case QXmlStreamReader::EndElement:
                if (!(m_in.name() == "g"_L1 && depth > outermost))
                    writer.writeEndElement();
                --depth;
                if (depth < 2)
                    writer.writeCharacters(u"\n"_s);
                if (!m_out.empty() && m_in.name() == "g"_L1)
                    m_out.pop_back();
                break;
            case QXmlStreamReader::Characters:
                if (!m_in.isWhitespace())
                    writer.writeCharacters(m_in.text().toString());
                break;
            default:
                break;
            }
        }
        writer.writeEndDocument();
        return m_in.hasError() ? svg : out;
    }

private:
    static constexpr int outermost = 2;  // <svg><g>

    void start(QXmlStreamWriter& writer, int depth)
    {
        const QString name = m_in.name().toString();
        Attributes own = read(m_in.attributes());
        if (name == "g"_L1) {
            m_out.push_back(own);
            if (depth > outermost)
                return;
        } else if (depth > outermost) {
            own = merged(m_out.back(), own, name == "text"_L1);
            writer.writeCharacters(u"\n"_s);
        }
        writer.writeStartElement(name);
        for (const auto& [key, value] : own)
            writer.writeAttribute(key, value);
    }

    QXmlStreamReader m_in;
    std::vector<Attributes> m_out;  ///< of the groups around
};

}  // namespace

QByteArray tidySvg(const QByteArray& svg) { return Tidier().run(svg); }

}  // namespace attnscope

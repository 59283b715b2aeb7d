#include "ui/figure/model_text.h"

#include "core/base/json_reader.h"
#include "core/model/generated_text.h"
#include "core/model/text_tokens.h"
#include "ui/plot/qt_text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace attnscope {

std::string manualText()
{
    std::string all;
    for (const QString& page : QDir(u":/manual"_s).entryList({u"*.md"_s}, QDir::Files, QDir::Name))
        if (QFile file(u":/manual/"_s + page); file.open(QIODevice::ReadOnly))
            all += file.readAll().toStdString() + '\n';
    return all;
}

QString shownToken(const Model& model, int id)
{
    if (id == model.architecture.beginToken)
        return u"\u27E8begin\u27E9"_s;
    if (!model.tokenizer)
        return QString::number(id);
    QString token = text(model.tokenizer->decode(std::span(&id, 1)));
    token.replace(QLatin1Char('\n'), QChar(0x21B5)).replace(QLatin1Char('\t'), QChar(0x21E5));
    return token.trimmed().isEmpty() ? QString(QChar(0x2423)) : token.trimmed();
}

ModelAsked::ModelAsked() : model(shippedModel), text(generatedTextName) {}

void ModelAsked::read(ObjectReader& reader)
{
    reader.text("model", model);
    reader.text("text", text);
    reader.text("typed", typed);
    reader.number("tokens", tokens, 0, 1e8);
    if (model.empty())
        reader.fail(
            "parameters.model is empty; give a model's folder (the manual's page on models says what it holds), "
            "or " +
            std::string(shippedModel));
    if (text.empty() && typed.empty())
        reader.fail("parameters.text is empty; give a file for the model to predict, or " +
                    std::string(generatedTextName));
}

namespace {

QString fileName(const std::string& path)
{
    return QFileInfo(QDir::cleanPath(attnscope::text(path))).fileName().replace(u'$', u"\\$"_s);
}

}  // namespace

QString modelsInWords(const std::vector<std::string>& models)
{
    QStringList names;
    for (const std::string& model : models)
        names << fileName(model);
    return names.join(u", "_s);
}

QString ModelAsked::textInWords() const
{
    return !typed.empty()               ? u"a text that was typed"_s
           : text == generatedTextName  ? u"text made for it"_s
           : text == repeatedTokensName ? u"random tokens that come again and again"_s
           : text == manualTextName     ? u"this program's manual"_s
                                        : fileName(text);
}

QString ModelAsked::inWords() const { return u"%1, on %2"_s.arg(fileName(model), textInWords()); }

Result<std::vector<int>> tokensOf(const Model& model, const ModelAsked& asked, double tokens)
{
    if (asked.typed.empty() && asked.text != manualTextName)
        return namedTokens(model, asked.text, asked.tokens > 0 ? asked.tokens : tokens);
    if (!model.tokenizer)
        return failure(ErrorKind::Unavailable, model.withoutTokenizer);
    return model.tokenizer->encode(asked.typed.empty() ? manualText() : asked.typed);
}

}  // namespace attnscope

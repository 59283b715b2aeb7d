#include "ui/figure/index_page.h"

#include "ui/plot/typeset.h"

#include <QString>

namespace attnscope {

namespace {

std::string escaped(const std::string& markup)
{
    return plainText(QString::fromStdString(markup)).toHtmlEscaped().toStdString();
}

constexpr std::string_view head = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Attnscope: figures</title>
<style>
body { font: 15px/1.45 Inter, system-ui, sans-serif; color: #1c1f24; background: #f4f5f7; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(30rem, 1fr)); gap: 1.5rem; }
figure { margin: 0; padding: 1rem; background: #fff; border: 1px solid #dfe3e8; border-radius: 6px; }
img { width: 100%; height: auto; }
h2 { font-size: 1rem; margin: .6rem 0 .2rem; }
p { margin: .2rem 0; color: #676e79; }
a { color: #0072b2; }
</style>
<h1>Figures</h1>
<main>
)";

}  // namespace

std::string indexPage(const std::vector<Recipe>& figures)
{
    std::string page(head);
    for (const Recipe& figure : figures) {
        const std::string& name = figure.name;
        page += "<figure id=\"" + name + "\"><img loading=\"lazy\" src=\"" + name + ".svg\" alt=\"" +
                escaped(figure.title) + "\">\n<figcaption><h2>" + escaped(figure.title) + "</h2>\n<p>" +
                escaped(figure.caption) + "</p>\n<p>" + escaped(figure.source) + "</p>\n<p>";
        for (const char* ending : {".pdf", ".svg", ".png", ".csv"})
            page += "<a href=\"" + name + ending + "\">" + (ending + 1) + "</a> ";
        page += "</p></figcaption></figure>\n";
    }
    return page + "</main>\n</html>\n";
}

}  // namespace attnscope

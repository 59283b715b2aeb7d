#include "ui/workbench/model_values.h"

#include "core/model/generation.h"
#include "ui/figure/model_text.h"
#include "ui/job/pace.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/qt_text.h"

#include <QElapsedTimer>

#include <algorithm>

namespace attnscope {

namespace {

constexpr std::int64_t writtenTokens = 48, textBefore = 24;
constexpr qint64 progressEvery = 60;  // ms

Result<std::shared_ptr<const CapturedHeads>> headsOf(const HeadInRun& key, const std::stop_token& stop)
{
    const FirstRun& run = key.run;
    auto heads = TRY(captureFirstWindow(
        *run.of.model, *run.of.ids, run.n, run.last,
        {.policy = run.policy, .captured = run.captured, .layer = key.head.layer, .engine = run.engine, .stop = stop}));
    return std::make_shared<const CapturedHeads>(std::move(heads));
}

/// Those of the run that are there already, if its layer was kept.
std::shared_ptr<const CapturedHeads> headsBefore(const Picture* before, const HeadInRun& key)
{
    if (!before)
        return {};
    const auto serve = [&](const HeadInRun& run, const PicturedHead& head) {
        return run.run == key.run && head.heads && head.heads->has(key.head.layer);
    };
    if (serve(before->key.a, before->a))
        return before->a.heads;
    return before->b && before->key.b && serve(*before->key.b, *before->b) ? before->b->heads : nullptr;
}

Result<PicturedHead> pictured(const HeadInRun& key, const Picture* before, const std::stop_token& stop)
{
    PicturedHead head{.of = key.head, .heads = headsBefore(before, key), .prepared = {}};
    if (!head.heads)
        head.heads = TRY(headsOf(key, stop));
    head.prepared =
        std::make_shared<const PreparedHead>(TRY(prepareCaptured(*head.heads, key.head.layer, key.head.head)));
    return head;
}

Result<Analysis> analysed(const PictureKey& key, const HeadInRun& side, const PicturedHead& head,
                          const std::stop_token& stop)
{
    ModelHeadView view{
        .method = side.run.policy.method, .region = key.region, .pixels = key.pixels, .engine = side.run.engine};
    for (const int id : head.heads->window.inputs)
        view.tokens.push_back(shownToken(*side.run.of.model, id).toStdString());
    return analyseModelHead(*head.prepared, std::move(view), stop);
}

/// Both heads' maps in one analysis: they have one scale and a difference.
Result<Picture> drawn(const PictureKey& key, const Picture* before, const std::stop_token& stop)
{
    Picture made;
    made.a = TRY(pictured(key.a, before, stop));
    Analysis analysis = TRY(analysed(key, key.a, made.a, stop));
    if (key.b) {  // what it cannot is said, and A stays
        const auto beside = [&]() -> Result<PicturedHead> {
            PicturedHead head = TRY(pictured(*key.b, before, stop));
            Analysis other = TRY(analysed(key, *key.b, head, stop));
            analysis.methods.push_back(std::move(other.methods.front()));
            return head;
        }();
        if (!beside && beside.error().kind == ErrorKind::Cancelled)
            return failure(ErrorKind::Cancelled, {});
        if (beside)
            made.b = beside.value();
        else
            made.error = text(beside.error().message);
    }
    made.region = analysis.methods.front().map.region;
    made.analysis = std::make_shared<const Analysis>(std::move(analysis));
    return made;
}

bool differInColoursAlone(PictureKey a, const PictureKey& b)
{
    a.colours = b.colours;
    a.dark = b.dark;
    return a == b;
}

Result<Written> continued(const FirstRun& key, const std::stop_token& stop)
{
    const Model& model = *key.of.model;
    const Window window = TRY(firstWindow(model, *key.of.ids, key.n));
    std::vector<int> prompt = window.inputs;
    const std::int64_t read = std::ssize(window.targets) + (model.architecture.beginToken ? 0 : 1);
    const std::int64_t most = model.architecture.learnedPositions;
    const bool fits = most == 0 || std::ssize(prompt) + 1 + writtenTokens <= most;
    if (read == std::ssize(*key.of.ids) && fits)  // the text ends there: its last token, which the window only asks for
        prompt.push_back(window.targets.back());
    const auto tokens = TRY(continueText(model, key.policy, prompt, {.count = writtenTokens}, {}, stop));
    std::vector<int> tail(prompt.end() - std::min<std::ptrdiff_t>(textBefore, std::ssize(prompt)), prompt.end());
    Written made;
    made.before = text(model.tokenizer->decode(tail));
    tail.insert(tail.end(), tokens.begin(),
                tokens.end());  // together: spaces between words belong to their neighbours
    made.text = text(model.tokenizer->decode(tail)).mid(made.before.size());
    made.tokens = std::ssize(tokens);
    made.after = std::ssize(prompt);
    return made;
}

/// `without`, saying why; nothing where it was stopped.
template <class Value>
std::optional<Value> whyNot(const Error& error, Value without)
{
    if (error.kind == ErrorKind::Cancelled)
        return {};
    without.error = text(error.message);
    return without;
}

}  // namespace

std::optional<StudyNews> studyOf(const StudyKey& key, const std::stop_token& stop,
                                 const std::function<void(StudyNews)>& publish)
{
    StudyNews news;
    QElapsedTimer sinceNews;
    sinceNews.start();
    const auto tell = [&] {
        publish(news);
        sinceNews.restart();
    };
    RunningPace pace;
    const auto onResult = [&](const StudyResult& so) {
        news.result = std::make_shared<const StudyResult>(so);
        tell();
    };
    const auto progress = [&](double fraction) {
        news.progress = fraction;
        news.left = pace.left(fraction);
        news.workSpeed = fraction * news.result->work / std::max(1e-3, pace.seconds());
        if (sinceNews.elapsed() >= progressEvery)
            tell();
    };
    const auto done =
        runStudy(*key.of.model, *key.of.ids, key.request, {.onResult = onResult, .progress = progress, .stop = stop});
    news.progress = 1;
    return done ? std::optional(news) : whyNot(done.error(), news);
}

std::optional<Picture> pictureOf(const PictureKey& key, const std::shared_ptr<const Picture>& before,
                                 const std::stop_token& stop)
{
    const bool recoloured = before && before->analysis && differInColoursAlone(before->key, key);
    auto made = recoloured ? Result<Picture>(*before) : drawn(key, before.get(), stop);
    if (!made) {
        Picture without;
        without.a.of = key.a.head;
        without.key = key;
        return whyNot(made.error(), without);
    }
    made->key = key;
    MapLook colours = key.colours;
    colours.pinned.reset();  // it is of another scenario
    made->pictures = mapPictures(made->analysis, colours, key.dark);
    return std::move(*made);
}

std::optional<Kept> keptOf(const KeepsKey& key, const std::stop_token& stop, const std::function<void(Kept)>& publish)
{
    Kept made;
    for (int layer = 0; layer < std::ssize(key.heads->layers); ++layer) {
        auto multipliers = keepsEntropy(*key.heads, layer, key.trained, key.engine, stop);
        if (!multipliers)
            return whyNot(multipliers.error(), made);
        made.multipliers.push_back(std::move(*multipliers));
        publish(made);
    }
    return made;
}

std::optional<Gradients> gradientsOf(const FirstRun& key, const std::stop_token& stop,
                                     const std::function<void(Gradients)>& publish)
{
    Gradients made;
    const auto found = [&](const HeadGradients& gradients, double progress) {
        made.of = gradients;
        made.progress = progress;
        publish(made);
    };
    const auto done =
        headGradients(*key.of.model, *key.of.ids,
                      {.policy = key.policy, .n = key.n, .last = key.last, .engine = key.engine}, stop, found);
    return done ? std::optional(made) : whyNot(done.error(), made);
}

std::optional<Written> writtenAfter(const FirstRun& key, const std::stop_token& stop)
{
    auto written = continued(key, stop);
    return written ? std::optional(std::move(*written)) : whyNot(written.error(), Written{});
}

}  // namespace attnscope

#include <assay/models/format.h>
#include <assay/models/run_row.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/fuzzy.h>
#include <assay/presenters/palette_presenter.h>

#include <algorithm>

namespace assay::presenters {
namespace {
constexpr int kDelayMs = 120, kMostRuns = 12;
}

QString runSearch(const QString& typed) {
    QString quoted = typed.simplified();
    quoted.replace(QLatin1Char('\\'), QLatin1String("\\\\")).replace(QLatin1Char('"'), QLatin1String("\\\""));
    return QStringLiteral("name ~ \"%1\"").arg(quoted);
}

PalettePresenter::PalettePresenter(AppContext& context, QList<PalettePage> pages, QObject* parent)
    : QObject(parent), context_(context), pages_(std::move(pages)) {
    delay_.setSingleShot(true);
    delay_.setInterval(kDelayMs);
    connect(&delay_, &QTimer::timeout, this, &PalettePresenter::askRuns);
    connect(&context.commands, &CommandRegistry::changed, this, &PalettePresenter::rebuild);
    rebuild();
}

void PalettePresenter::setTyped(const QString& text) {
    if (text == typed_) return;
    typed_ = text;
    ++question_;
    runs_.clear();
    searching_ = !typed_.trimmed().isEmpty() && context_.session.isLive();
    if (searching_)
        delay_.start();
    else
        delay_.stop();
    rebuild();
}

void PalettePresenter::rebuild() {
    struct Scored {
        int score;
        PaletteEntry entry;
    };
    std::vector<Scored> scored;
    for (const PalettePage& page : pages_)
        if (const int score = fuzzyScore(typed_, page.title))
            scored.push_back({score + 5, {PaletteEntry::Kind::kPage, page.title, tr("Page"), {}, page.icon, [this, key = page.key] { context_.navigator.navigate(key); }}});
    for (const Command& command : context_.commands.commands()) {
        if (command.enabled && !command.enabled()) continue;
        const int score = std::max(fuzzyScore(typed_, command.title), fuzzyScore(typed_, command.group + QLatin1Char(' ') + command.title) / 2);
        if (score) scored.push_back({score, {PaletteEntry::Kind::kCommand, command.title, command.group, command.shortcut, {}, command.run}});
    }
    std::stable_sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
    entries_.clear();
    for (Scored& item : scored) entries_.append(std::move(item.entry));
    entries_ += runs_;
    Q_EMIT changed();
}

void PalettePresenter::askRuns() {
    const qint64 question = ++question_;
    context_.session.call(
        QStringLiteral("runs.list"), {{"where", runSearch(typed_).toStdString()}, {"sort", "-created_at"}, {"limit", kMostRuns}}, this,
        [this, question](Result<Json> reply) {
            if (question != question_) return;   // something else was typed since
            searching_ = false;
            if (reply && reply->contains("runs"))
                for (const Json& row : (*reply)["runs"]) {
                    const models::RunRow run = models::runRowFromJson(row);
                    const QString detail = tr("Run, %1, %2").arg(run.status, models::formatAgo(run.createdAt, QDateTime::currentDateTimeUtc()));
                    runs_.append({PaletteEntry::Kind::kRun, models::plain(run.name), detail, {}, QStringLiteral("runs"),
                                  [this, id = run.id] { context_.navigator.navigate(QStringLiteral("run"), {{"run", id.toStdString()}}); }});
                }
            rebuild();
        },
        10);
}

}  // namespace assay::presenters

#include <assay/core/paths.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/settings.h>
#include <assay/presenters/settings_presenter.h>

#include <QDir>
#include <QStandardPaths>
#include <cmath>

namespace assay::presenters {
namespace {

const char* const kKeys[] = {"language", "theme", "cost.usd_per_hour", "cost.usd_per_kwh", "folder.reports"};

double numberOf(const Settings& settings, const char* key, double fallback) {
    const Json found = settings.value(QLatin1String(key));
    const double value = found.is_number() ? found.get<double>() : fallback;
    return std::isfinite(value) && value >= 0 ? value : fallback;
}

}  // namespace

double defaultUsdPerHour(const Settings& settings) { return numberOf(settings, "cost.usd_per_hour", SettingsPresenter::kUsdPerHour); }
double defaultUsdPerKwh(const Settings& settings) { return numberOf(settings, "cost.usd_per_kwh", SettingsPresenter::kUsdPerKwh); }

SettingsPresenter::SettingsPresenter(AppContext& context, QObject* parent) : QObject(parent), context_(context) {
    connect(&context.settings, &Settings::changed, this, [this](const QString& key) {
        for (const char* own : kKeys)
            if (key == QLatin1String(own)) Q_EMIT changed();
    });
}

QString SettingsPresenter::language() const { return context_.settings.text(QStringLiteral("language")); }
void SettingsPresenter::setLanguage(const QString& code) { context_.settings.set(QStringLiteral("language"), code.isEmpty() ? Json() : Json(code.toStdString())); }
QString SettingsPresenter::theme() const { return context_.settings.text(QStringLiteral("theme"), QStringLiteral("system")); }
void SettingsPresenter::setTheme(const QString& name) { context_.settings.set(QStringLiteral("theme"), name.toStdString()); }
double SettingsPresenter::usdPerHour() const { return defaultUsdPerHour(context_.settings); }
double SettingsPresenter::usdPerKwh() const { return defaultUsdPerKwh(context_.settings); }
QString SettingsPresenter::setUsdPerHour(const QString& typed) { return setPrice(QStringLiteral("cost.usd_per_hour"), typed); }
QString SettingsPresenter::setUsdPerKwh(const QString& typed) { return setPrice(QStringLiteral("cost.usd_per_kwh"), typed); }

std::optional<double> SettingsPresenter::price(const QString& typed) {
    QString text = typed.trimmed();
    if (text.startsWith(QLatin1Char('$'))) text = text.mid(1).trimmed();
    if (text.count(QLatin1Char(',')) == 1 && !text.contains(QLatin1Char('.'))) text.replace(QLatin1Char(','), QLatin1Char('.'));
    bool ok = false;
    const double value = text.toDouble(&ok);
    if (!ok || !std::isfinite(value) || value < 0 || value > 1e6) return {};
    return value;
}

QString SettingsPresenter::setPrice(const QString& key, const QString& typed) {
    if (typed.trimmed().isEmpty()) {
        context_.settings.set(key, nullptr);
        return {};
    }
    const auto value = price(typed);
    if (!value) return tr("Write a number from 0 to 1,000,000, e.g. 0.08.");
    context_.settings.set(key, *value);
    return {};
}

QString SettingsPresenter::reportsFolder() const {
    return context_.settings.text(QStringLiteral("folder.reports"), QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
}

void SettingsPresenter::setReportsFolder(const QString& folder) { context_.settings.set(QStringLiteral("folder.reports"), folder.isEmpty() ? Json() : Json(folder.toStdString())); }

QList<SettingsPresenter::Place> SettingsPresenter::places() const {
    const EngineTarget& target = context_.session.target();
    const QString store = target.kind != EngineTarget::Kind::kLocal ? tr("on %1").arg(target.name())
                          : target.address.isEmpty()                ? QString::fromStdString(defaultStore())
                                                                    : target.address;
    return {{tr("Runs, checkpoints and results"), store}, {tr("Downloaded models and texts"), QString::fromStdString(assetsRoot())}, {tr("Settings"), context_.settings.path()}};
}

bool SettingsPresenter::isChanged() const {
    for (const char* key : kKeys)
        if (!context_.settings.value(QLatin1String(key)).is_null()) return true;
    return false;
}

void SettingsPresenter::resetAll() {
    QList<std::pair<QString, Json>> before;
    for (const char* key : kKeys) {
        Json value = context_.settings.value(QLatin1String(key));
        if (!value.is_null()) before.append({QLatin1String(key), std::move(value)});
    }
    if (before.isEmpty()) return;
    for (const auto& [key, value] : before) context_.settings.set(key, nullptr);
    context_.notifier.notify({.title = tr("Settings are back to their defaults"), .actionText = tr("Undo"), .action = [settings = &context_.settings, before] {
                                  for (const auto& [key, value] : before) settings->set(key, value);
                              }});
}

}  // namespace assay::presenters

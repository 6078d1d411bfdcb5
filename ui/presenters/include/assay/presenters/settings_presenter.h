#pragma once
// The settings that a person changes on the Settings page. Keys, for the pages that use them:
//   language "" | "en" | "zh_CN"      theme "system" | "light" | "dark"
//   cost.usd_per_hour, cost.usd_per_kwh   numbers; defaults of new experiments and of what charts show as cost
//   folder.reports                     where exports go first

#include <assay/presenters/app_context.h>

#include <optional>

namespace assay::presenters {

class SettingsPresenter final : public QObject {
    Q_OBJECT
public:
    static constexpr double kUsdPerHour = 0.08, kUsdPerKwh = 0.15;
    explicit SettingsPresenter(AppContext& context, QObject* parent = nullptr);

    QString language() const;
    void setLanguage(const QString& code);     // the shell hears of it and speaks it
    QString theme() const;
    void setTheme(const QString& name);        // stored; the page applies it
    double usdPerHour() const;
    double usdPerKwh() const;
    // A price as typed: what is wrong with it, or empty and it is stored. Empty text: back to the default.
    QString setUsdPerHour(const QString& typed);
    QString setUsdPerKwh(const QString& typed);
    QString reportsFolder() const;
    void setReportsFolder(const QString& folder);

    struct Place {
        QString what, path;
    };
    QList<Place> places() const;               // settings file, store, assets
    bool isChanged() const;                    // anything differs from the defaults
    void resetAll();                           // with undo in the notice

    static std::optional<double> price(const QString& typed);   // 0 … 1,000,000; a point or a comma

Q_SIGNALS:
    void changed();

private:
    QString setPrice(const QString& key, const QString& typed);
    AppContext& context_;
};

double defaultUsdPerHour(const Settings& settings);
double defaultUsdPerKwh(const Settings& settings);

}  // namespace assay::presenters

#include <assay/core/durable.h>
#include <assay/presenters/settings.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTimer>

namespace assay::presenters {

struct Settings::Private {
    QString path, trouble;
    Json values = Json::object();
    QTimer timer;
    bool dirty = false;
};

Settings::Settings(const QString& path, QObject* parent) : QObject(parent), d_(std::make_unique<Private>()) {
    d_->path = path;
    d_->timer.setSingleShot(true);
    d_->timer.setInterval(1000);
    connect(&d_->timer, &QTimer::timeout, this, &Settings::flush);
    if (path.isEmpty() || !QFileInfo::exists(path)) return;
    auto read = readJsonFile(path.toStdString(), {.maxBytes = size_t{4} << 20});
    if (read && read->is_object()) {
        d_->values = std::move(*read);
        return;
    }
    const QString aside = path + QStringLiteral(".unreadable");
    QFile::remove(aside);
    QFile::rename(path, aside);
    d_->trouble = tr("The settings could not be read and were set aside as %1; defaults apply.").arg(aside);
}

Settings::~Settings() { flush(); }

Json Settings::value(const QString& key, const Json& fallback) const {
    auto it = d_->values.find(key.toStdString());
    return it == d_->values.end() ? fallback : *it;
}

QString Settings::text(const QString& key, const QString& fallback) const {
    const Json found = value(key);
    return found.is_string() ? QString::fromStdString(found.get<std::string>()) : fallback;
}

bool Settings::flag(const QString& key, bool fallback) const {
    const Json found = value(key);
    return found.is_boolean() ? found.get<bool>() : fallback;
}

void Settings::set(const QString& key, Json value) {
    const std::string name = key.toStdString();
    if (value.is_null()) {
        if (!d_->values.erase(name)) return;
    } else {
        auto it = d_->values.find(name);
        if (it != d_->values.end() && *it == value) return;
        d_->values[name] = std::move(value);
    }
    d_->dirty = true;
    if (!d_->timer.isActive()) d_->timer.start();
    Q_EMIT changed(key);
}

void Settings::flush() {
    d_->timer.stop();
    if (!d_->dirty || d_->path.isEmpty()) return;
    QDir().mkpath(QFileInfo(d_->path).absolutePath());
    auto written = writeFileDurably(d_->path.toStdString(), dumpJson(d_->values, 1) + "\n");
    d_->dirty = !written;
    if (!written) d_->trouble = QString::fromStdString(written.error().text());
}

const QString& Settings::path() const { return d_->path; }

QString Settings::trouble() const { return d_->trouble; }

}  // namespace assay::presenters

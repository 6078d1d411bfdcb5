#pragma once
// What is remembered between starts: $XDG_CONFIG_HOME/assay/studio.json through the durable-write helper, written at most
// once a second. A file that cannot be read is set aside and said so; defaults apply.

#include <assay/core/json.h>

#include <QObject>
#include <QString>
#include <memory>

namespace assay::presenters {

class Settings final : public QObject {
    Q_OBJECT
public:
    explicit Settings(const QString& path, QObject* parent = nullptr);   // empty: kept in memory (tests)
    ~Settings() override;

    // Keys are dotted: "theme", "language", "window.geometry", "runs.columns", "page.<key>.state".
    Json value(const QString& key, const Json& fallback = nullptr) const;
    QString text(const QString& key, const QString& fallback = {}) const;
    bool flag(const QString& key, bool fallback) const;
    void set(const QString& key, Json value);   // null removes
    void flush();
    const QString& path() const;                // empty: in memory
    QString trouble() const;   // why the file of last time was set aside; empty: it was not

Q_SIGNALS:
    void changed(const QString& key);

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::presenters

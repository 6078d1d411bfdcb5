#pragma once
// What can be run as a MODEL on the engine's machine: assets, models of finished runs, and their set-ups below them.

#include <assay/presenters/app_context.h>

#include <QObject>
#include <QString>

namespace assay::presenters {

struct ModelChoice {
    QString reference;   // what a spec names: "asset:…", "run:<id>", "run:<id>/<set-up>", a path
    QString name, detail;
    QString base;        // of a set-up: the model that it was made from
};

class ModelChoices final : public QObject {
    Q_OBJECT
public:
    explicit ModelChoices(AppContext& context, QObject* parent = nullptr);
    void ask();          // again: what is new since
    const QList<ModelChoice>& choices() const { return choices_; }
    const ModelChoice* find(const QString& reference) const;
    QString nameOf(const QString& reference) const;   // the reference itself when it is none of them
    bool isLoading() const { return loading_; }
    const std::optional<Error>& error() const { return error_; }

Q_SIGNALS:
    void changed();

private:
    AppContext& context_;
    QList<ModelChoice> choices_;
    std::optional<Error> error_;
    bool loading_ = false;
};

}  // namespace assay::presenters

#pragma once
// Try it: one prompt, one or two models, each a generate run tagged try-it; their texts as they come, and where they part.

#include <assay/models/run_row.h>
#include <assay/presenters/model_choices.h>

#include <QObject>
#include <memory>
#include <vector>

namespace assay::presenters {

class TryPresenter final : public QObject {
    Q_OBJECT
public:
    struct Form {
        QString prompt;
        QString models[2];                 // the second empty: one model only
        int maxTokens = 64, top = 10;
        double temperature = 0;
        int seed = 1234;
        bool ignoreEos = false, chat = false;   // chat: the prompt is put into the model's template
        bool operator==(const Form&) const = default;
    };
    struct Logit {
        int id = 0;
        QString text;                      // as it stands behind the prompt; empty: not told
        double logit = 0, probability = 0; // of the tokens listed and the rest is not known: softmax among the listed
    };
    struct Side {
        QString model, modelName, run, status;
        QString text;                      // generated, as far as it has come
        std::vector<int> ids;              // when it is done
        std::vector<Logit> top;
        QString stopReason;                // in words; empty while it runs
        double tokensPerSecond = 0;        // 0: not known
        qint64 tokens = 0, promptTokens = 0;
        std::optional<Error> error;
        int differsAt = -1;                // character of `text` from which on it is another; −1: it is not
        bool isActive() const;
    };
    struct Entry {                         // of the history, newest first
        QString key;                       // of the try; what openEntry takes
        QString prompt, models, when;
    };

    explicit TryPresenter(AppContext& context, QObject* parent = nullptr);
    ~TryPresenter() override;

    ModelChoices& models();
    const Form& form() const;
    void setForm(const Form& form);
    QString whyNotRun() const;
    void run();
    void stop();
    bool isRunning() const;
    const std::vector<Side>& sides() const;
    // The first token that differs (0-based), when both are done with the same tokenizer; −1: none, or not told.
    int firstDifferentToken() const;
    QString comparisonText() const;        // one sentence about the two outputs; empty: there is none to make

    const QList<Entry>& history() const;
    void openEntry(const QString& key);
    void openRun(int side);

    Json state() const;
    void restore(const Json& state);

Q_SIGNALS:
    void formChanged();
    void changed();
    void historyChanged();

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

// Where two texts part, as a character of both; −1: they are the same. Never inside a surrogate pair.
int firstDifference(const QString& a, const QString& b);

}  // namespace assay::presenters

#pragma once
// The typed filter: completes keys, values and words at the cursor, and says below what is wrong.

#include <assay/presenters/run_filter.h>

#include <QLineEdit>
#include <QTimer>
#include <functional>

class QCompleter;
class QStringListModel;

namespace assay::pages {

class FilterLine final : public QLineEdit {
    Q_OBJECT
public:
    explicit FilterLine(QWidget* parent = nullptr);
    std::function<QStringList(const presenters::FilterPlace&)> completions;
Q_SIGNALS:
    void settled(const QString& text);   // typing paused, or Enter

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void complete();
    void insert(const QString& word);
    QCompleter* completer_;
    QStringListModel* words_;
    QTimer pause_;
};

}  // namespace assay::pages

#pragma once
// Columns of a TableView: first widths, the menu that shows and hides them, saving and restoring.

#include <assay/core/json.h>

#include <QHash>
#include <QPoint>
#include <QString>
#include <vector>

namespace assay::widgets {

class TableView;

class TableColumns {
public:
    explicit TableColumns(TableView* view) : view_(view) {}
    void reset();                         // another model: nobody has set widths yet
    void fit();                           // widths from the content and the room, until a person has set one
    std::vector<int> visible() const;     // logical columns in the order on screen
    Json save() const;
    void restore(const Json& layout);     // kept for columns that come later
    void showMenu(const QPoint& global);
    bool restoring() const { return restoring_; }

private:
    QString key(int column) const;        // stable name: the model's key (Qt::UserRole of the header), else the title
    void apply();
    TableView* view_;
    Json wished_ = Json::object();
    bool set_ = false, restoring_ = false, watching_ = false;
};

}  // namespace assay::widgets

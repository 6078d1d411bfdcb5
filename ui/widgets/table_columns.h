#pragma once
// Columns of a TableView: first widths, the menu that shows and hides them, saving and restoring.

#include <assay/core/json.h>

#include <QHash>
#include <QPoint>
#include <QString>
#include <functional>
#include <vector>

namespace assay::widgets {

class TableView;

class TableColumns {
public:
    explicit TableColumns(TableView* view) : view_(view) {}
    void reset();                         // another model: nobody has set widths yet
    // Widths from the content and the room, until a person has set one. Other data in the same columns move nothing, unless
    // something is wider than all that was there before.
    void fit();
    void forget();                        // the next content is another one
    std::vector<int> visible() const;     // logical columns in the order on screen
    std::function<int(int column)> firm;  // TableView::setFirmColumns
    std::vector<int> expendable;          // TableView::setExpendableColumns
    Json save() const;
    void restore(const Json& layout);     // kept for columns that come later
    void showMenu(const QPoint& global);
    bool restoring() const { return restoring_; }

private:
    QString key(int column) const;        // stable name: the model's key (Qt::UserRole of the header), else the title
    void apply();
    void makeRoom();
    bool isFirm(int column) const { return firm && firm(column) >= 0; }
    TableView* view_;
    std::vector<int> hints() const;       // of the visible columns, within limits
    Json wished_ = Json::object();
    QHash<QString, int> most_;            // by key: the widest content so far
    std::vector<int> left_;               // hidden for want of room, not by a person
    bool set_ = false, restoring_ = false, watching_ = false;
};

}  // namespace assay::widgets

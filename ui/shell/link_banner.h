#pragma once
// What is wrong with the link and what to do about it, above the page. The page stays usable below.

#include <assay/presenters/app_context.h>

#include <QFrame>

class QLabel;
class QPushButton;

namespace assay::shell {

class LinkBanner final : public QFrame {
    Q_OBJECT
public:
    explicit LinkBanner(presenters::AppContext& context, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    presenters::AppContext& context_;
    QLabel *icon_, *title_, *advice_, *technical_;
    QPushButton *details_, *retry_, *engines_;
    bool bad_ = false;
};

}  // namespace assay::shell

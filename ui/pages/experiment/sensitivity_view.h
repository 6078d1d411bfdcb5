#pragma once
// The cost of an experiment at other prices and at other shares of the paid hours that are used.

#include <assay/core/json.h>

#include <QWidget>

namespace assay::widgets {
class BarRows;
}

namespace assay::pages {

class SensitivityView final : public QWidget {
    Q_OBJECT
public:
    explicit SensitivityView(QWidget* parent);
    void show(const Json& plan);   // document of the plan tool; hides itself when no price is known

private:
    widgets::BarRows* bars_;
};

}  // namespace assay::pages

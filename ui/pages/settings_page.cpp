#include <assay/models/format.h>
#include <assay/presenters/settings_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/file_dialog.h>

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>

#include "make_pages.h"

namespace assay::pages {
namespace {

using presenters::SettingsPresenter;
using widgets::Card;   // lupdate takes a qualified return type of a member for its class

const QStringList kThemes = {QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system")};

QLabel* sentence(const QString& text, QWidget* parent, style::Type type = style::Type::kSecondary) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setFont(style::font(type));
    return label;
}

class SettingsPage final : public Page {
    Q_OBJECT
public:
    SettingsPage(presenters::AppContext& context, QWidget* parent) : Page(parent), presenter_(context) {
        setObjectName(QStringLiteral("page-settings"));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(style::size::kPagePadding, 16, style::size::kPagePadding, 16);
        layout->setSpacing(style::size::kGap);
        auto* header = new widgets::PageHeader(tr("Settings"), this);
        reset_ = widgets::makeButton(tr("Back to defaults"), widgets::ButtonKind::kNormal, {}, this);
        reset_->setObjectName(QStringLiteral("settings-reset"));
        connect(reset_, &QPushButton::clicked, this, [this] {
            presenter_.resetAll();
            applyTheme();
        });
        header->addAction(reset_);
        layout->addWidget(header);
        auto* columns = new QHBoxLayout;
        columns->setSpacing(style::size::kGap);
        auto* left = new QVBoxLayout;
        auto* right = new QVBoxLayout;
        for (QVBoxLayout* column : {left, right}) column->setSpacing(style::size::kGap);
        columns->addLayout(left, 1);
        columns->addLayout(right, 1);
        layout->addLayout(columns, 1);
        left->addWidget(makeLook());
        left->addWidget(makeCost());
        left->addStretch(1);
        right->addWidget(makePlaces());
        right->addWidget(makeRetention());
        right->addStretch(1);
        alignCaptions();
        connect(&presenter_, &SettingsPresenter::changed, this, &SettingsPage::refresh);
        refresh();
    }

    void open(const Json&) override { refresh(); }

private:
    QGridLayout* form(widgets::Card* card) {
        auto* grid = new QGridLayout;
        grid->setHorizontalSpacing(16);
        grid->setVerticalSpacing(10);
        forms_.append(grid);
        grid->setColumnStretch(1, 1);
        card->body()->addLayout(grid);
        return grid;
    }

    // The same column in both cards, as wide as the longest caption of this language needs.
    void alignCaptions() {
        int widest = 0;
        for (const auto* label : findChildren<QLabel*>(QStringLiteral("settings-caption"))) widest = std::max(widest, label->sizeHint().width());
        for (QGridLayout* grid : forms_) grid->setColumnMinimumWidth(0, widest);
    }

    static void addRow(QGridLayout* grid, const QString& caption, QWidget* field, const QString& remark, QWidget* parent) {
        const int row = grid->rowCount();
        auto* label = new QLabel(caption, parent);
        label->setTextFormat(Qt::PlainText);
        label->setBuddy(field);
        const bool isText = qobject_cast<QLabel*>(field);
        if (!isText) label->setMinimumHeight(style::size::kControlHeight);   // level with the control beside it
        field->setAccessibleName(isText ? widgets::namedValue(caption, static_cast<QLabel*>(field)->text()) : caption);
        label->setObjectName(QStringLiteral("settings-caption"));
        grid->addWidget(label, row, 0, Qt::AlignTop);
        grid->addWidget(field, row, 1, isText ? Qt::Alignment() : Qt::AlignLeft | Qt::AlignVCenter);
        if (!remark.isEmpty()) grid->addWidget(sentence(remark, parent, style::Type::kSmall), row + 1, 1);
    }

    Card* makeLook() {
        auto* card = new widgets::Card(tr("Appearance"), this);
        card->setObjectName(QStringLiteral("settings-look"));
        QGridLayout* grid = form(card);
        language_ = new QComboBox(card);
        language_->setObjectName(QStringLiteral("settings-language"));
        language_->addItem(tr("Language of the system"), QString());
        language_->addItem(QStringLiteral("English"), QStringLiteral("en"));
        language_->addItem(QStringLiteral("简体中文"), QStringLiteral("zh_CN"));
        connect(language_, &QComboBox::activated, this, [this](int index) { presenter_.setLanguage(language_->itemData(index).toString()); });
        addRow(grid, tr("Language"), language_, {}, card);
        theme_ = new widgets::SegmentedControl({tr("Light"), tr("Dark"), tr("System")}, card);
        theme_->setObjectName(QStringLiteral("settings-theme"));
        connect(theme_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
            if (index < 0 || kThemes[index] == presenter_.theme()) return;
            presenter_.setTheme(kThemes[index]);
            applyTheme();
        });
        addRow(grid, tr("Theme"), theme_, {}, card);
        auto* units = sentence(tr("Bytes in powers of ten (1 GB = 1,000,000,000 bytes), tokens per second, US dollars."), card);
        units->setObjectName(QStringLiteral("settings-units"));
        addRow(grid, tr("Units"), units, {}, card);
        return card;
    }

    QLineEdit* priceField(const QString& name, const QString& unit, QWidget* parent, QHBoxLayout*& row) {
        auto* edit = new QLineEdit(parent);
        edit->setObjectName(name);
        edit->setAlignment(Qt::AlignRight);
        edit->setMaximumWidth(110);
        row = new QHBoxLayout;
        row->setContentsMargins(0, 0, 0, 0);
        row->addWidget(edit);
        row->addWidget(sentence(unit, parent));
        row->addStretch(1);
        return edit;
    }

    Card* makeCost() {
        auto* card = new widgets::Card(tr("Cost"), this);
        card->setObjectName(QStringLiteral("settings-cost"));
        card->body()->addWidget(sentence(tr("Used for new experiments and where a run names no price. Runs keep the price they were started with."), card));
        QGridLayout* grid = form(card);
        const auto add = [&](QLineEdit*& edit, const QString& name, const QString& caption, const QString& unit, const QString& remark, auto set) {
            QHBoxLayout* row = nullptr;
            auto* holder = new QWidget(card);
            edit = priceField(name, unit, holder, row);
            holder->setLayout(row);
            addRow(grid, caption, holder, remark, card);
            edit->setAccessibleName(caption);
            connect(edit, &QLineEdit::editingFinished, this, [this, edit, set] {
                if (!edit->isModified()) return;
                edit->setModified(false);
                priceProblem_->setText((presenter_.*set)(edit->text()));
                priceProblem_->setVisible(!priceProblem_->text().isEmpty());
                if (priceProblem_->text().isEmpty()) refresh();
            });
        };
        add(hour_, QStringLiteral("settings-usd-per-hour"), tr("Price of a machine hour"), tr("USD per hour"), tr("Typical: 0.05 to 0.20 for a small server, 1 to 4 for one GPU."), &SettingsPresenter::setUsdPerHour);
        add(kwh_, QStringLiteral("settings-usd-per-kwh"), tr("Price of electricity"), tr("USD per kWh"), tr("Typical: 0.10 to 0.40. Used where energy is measured."), &SettingsPresenter::setUsdPerKwh);
        priceProblem_ = new widgets::PlainLabel({}, card, style::Type::kSecondary);
        priceProblem_->setObjectName(QStringLiteral("settings-price-problem"));
        priceProblem_->setTone(style::Tone::kBad);
        priceProblem_->hide();
        card->body()->addWidget(priceProblem_);
        return card;
    }

    Card* makePlaces() {
        auto* card = new widgets::Card(tr("Places"), this);
        card->setObjectName(QStringLiteral("settings-places"));
        places_ = new QVBoxLayout;
        places_->setSpacing(0);
        card->body()->setSpacing(0);
        card->body()->addLayout(places_);
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        reports_ = new widgets::PlainLabel({}, card, style::Type::kBody);
        reports_->setElideMode(Qt::ElideMiddle);
        auto* choose = widgets::makeButton(tr("Choose…"), widgets::ButtonKind::kNormal, {}, card);
        choose->setObjectName(QStringLiteral("settings-reports"));
        connect(choose, &QPushButton::clicked, this, [this] {
            widgets::chooseLocalFolder(this, tr("Folder of reports"), presenter_.reportsFolder(), [this](const QString& path) {
                if (!path.isEmpty()) presenter_.setReportsFolder(path);
            });
        });
        row->addWidget(reports_, 1);
        row->addWidget(choose);
        auto* caption = new widgets::PlainLabel(tr("Reports and exports"), card, style::Type::kSmall);
        caption->setDim(2);
        auto* last = new QVBoxLayout;
        last->setSpacing(0);
        last->addWidget(caption);
        last->addLayout(row);
        card->body()->addLayout(last);
        return card;
    }

    Card* makeRetention() {
        auto* card = new widgets::Card(tr("What is kept"), this);
        card->setObjectName(QStringLiteral("settings-retention"));
        card->body()->addWidget(sentence(tr("Runs, their curves, logs and results are kept until you delete the run on the Queue & runs page. "
                                            "Checkpoints are kept as the experiment says (train.checkpoint.keep). Nothing leaves this machine."), card));
        return card;
    }

    void applyTheme() {
        const QString theme = presenter_.theme();
        style::setTheme(theme == kThemes[0] ? style::ThemeChoice::kLight : theme == kThemes[1] ? style::ThemeChoice::kDark : style::ThemeChoice::kSystem);
    }

    void refresh() {
        language_->setCurrentIndex(std::max(0, language_->findData(presenter_.language())));
        theme_->setCurrent(static_cast<int>(std::max<qsizetype>(0, kThemes.indexOf(presenter_.theme()))));
        const auto show = [](QLineEdit* edit, double value) {
            if (!edit->hasFocus() || !edit->isModified()) edit->setText(QString::number(value));
        };
        show(hour_, presenter_.usdPerHour());
        show(kwh_, presenter_.usdPerKwh());
        reports_->setFullText(presenter_.reportsFolder());
        reports_->setAccessibleName(widgets::namedValue(tr("Reports and exports"), presenter_.reportsFolder()));
        reset_->setEnabled(presenter_.isChanged());
        const auto places = presenter_.places();
        if (placeLabels_.isEmpty())
            for (const auto& place : places) {
                auto* what = new widgets::PlainLabel(place.what, this, style::Type::kSmall);
                what->setDim(2);
                places_->addWidget(what);
                auto* path = new widgets::PlainLabel({}, this, style::Type::kBody);
                path->setElideMode(Qt::ElideMiddle);
                path->setTextInteractionFlags(Qt::TextSelectableByMouse);
                places_->addWidget(path);
                places_->addSpacing(8);   // a caption belongs to what stands below it
                placeLabels_.append(path);
            }
        for (qsizetype i = 0; i < places.size(); ++i) {
            placeLabels_[i]->setFullText(places[i].path);
            placeLabels_[i]->setAccessibleName(widgets::namedValue(places[i].what, places[i].path));
        }
    }

    SettingsPresenter presenter_;
    QComboBox* language_;
    widgets::SegmentedControl* theme_;
    QLineEdit *hour_, *kwh_;
    widgets::PlainLabel *priceProblem_, *reports_;
    QVBoxLayout* places_;
    QList<widgets::PlainLabel*> placeLabels_;
    QPushButton* reset_;
    QList<QGridLayout*> forms_;
};

}  // namespace

Page* makeSettingsPage(presenters::AppContext& context, QWidget* parent) { return new SettingsPage(context, parent); }

}  // namespace assay::pages

#include "settings_page.moc"

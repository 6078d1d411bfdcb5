#include <assay/models/format.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/schema_words.h>
#include <assay/presenters/settings.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/file_dialog.h>
#include <assay/widgets/text_views.h>

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QKeyEvent>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

#include "experiment/form_view.h"
#include "experiment/plan_card.h"
#include "experiment/sweep_dialog.h"
#include "make_pages.h"
#include "splitter_state.h"

namespace assay::pages {
namespace {

using presenters::ExperimentPresenter;
using presenters::FormField;

constexpr int kNarrow = 880;               // below this form and text take turns
constexpr int kCalmCharacters = 100'000;   // longer texts wait until typing rests

class ExperimentPage final : public Page {
    Q_OBJECT
public:
    ExperimentPage(presenters::AppContext& context, QWidget* parent) : Page(parent), context_(context), presenter_(context) {
        setObjectName(QStringLiteral("page-experiment"));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(style::size::kPagePadding, 16, style::size::kPagePadding, 12);
        layout->setSpacing(style::size::kGap);
        layout->addWidget(makeHeader());
        splitter_ = new QSplitter(Qt::Horizontal, this);
        splitter_->setObjectName(QStringLiteral("experiment-splitter"));
        splitter_->setAccessibleName(tr("Columns"));
        splitter_->setHandleWidth(style::size::kGap);
        splitter_->setChildrenCollapsible(false);
        splitter_->addWidget(makeForm());
        splitter_->addWidget(makeText());
        plan_ = new PlanCard(presenter_, this);
        plan_->setMinimumWidth(248);
        splitter_->addWidget(plan_);
        splitter_->setSizes({430, 330, 280});
        splitter_->setStretchFactor(0, 4);
        splitter_->setStretchFactor(1, 4);
        splitter_->setStretchFactor(2, 2);
        layout->addWidget(splitter_, 1);
        connect(&presenter_, &ExperimentPresenter::textReplaced, this, &ExperimentPage::takeText);
        connect(&presenter_, &ExperimentPresenter::changed, this, &ExperimentPage::refresh);
        connect(&presenter_, &ExperimentPresenter::planChanged, plan_, &PlanCard::refresh);
        connect(&presenter_, &ExperimentPresenter::startChanged, plan_, &PlanCard::refresh);
        connect(&presenter_, &ExperimentPresenter::replaceAsked, this, &ExperimentPage::askReplace);
        connect(&presenter_, &ExperimentPresenter::attentionAsked, this, &ExperimentPage::showField);
        typing_.setSingleShot(true);
        connect(&typing_, &QTimer::timeout, this, &ExperimentPage::giveText);
        shortcut(QKeySequence::Save, [this] { save(false); });
        shortcut(QKeySequence::SaveAs, [this] { save(true); });
        shortcut(QKeySequence::Open, [this] { chooseFile(); });
        shortcut(QKeySequence(Qt::CTRL | Qt::Key_Return), [this] { presenter_.start(true); });
        qApp->installEventFilter(this);
        takeText();
        refresh();
    }
    ~ExperimentPage() override { qApp->removeEventFilter(this); }

    void open(const Json& argument) override { presenter_.open(argument); }
    Json saveState() const override {
        return {{"columns", splitterState(*splitter_)}, {"advanced", mode_->current() == 1}};
    }
    void restoreState(const Json& state) override {
        if (!state.is_object()) return;
        restoreSplitter(*splitter_, state, "columns");
        mode_->setCurrent(jsonBoolOr(state, "advanced", false) ? 1 : 0);
        form_->setAdvanced(mode_->current() == 1);
    }
    bool acceptsFiles(const QStringList& paths) const override {
        return paths.size() == 1 && (paths[0].endsWith(QLatin1String(".yaml"), Qt::CaseInsensitive) || paths[0].endsWith(QLatin1String(".yml"), Qt::CaseInsensitive));
    }
    void takeFiles(const QStringList& paths) override {
        if (acceptsFiles(paths)) presenter_.open({{"file", paths[0].toStdString()}});
    }
    void exportData() override { save(true); }

protected:
    // Undo and redo are one history for form and text. A field that is being typed into undoes its own letters first.
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress) return Page::eventFilter(watched, event);
        auto* widget = qobject_cast<QWidget*>(watched);
        if (!widget || !isVisible() || widget->window() != window() || !(widget == editor_ || form_->isAncestorOf(widget))) return Page::eventFilter(watched, event);
        auto* key = static_cast<QKeyEvent*>(event);
        const bool undo = key->matches(QKeySequence::Undo), redo = key->matches(QKeySequence::Redo);
        if (!undo && !redo) return Page::eventFilter(watched, event);
        if (auto* edit = qobject_cast<QLineEdit*>(widget); edit && edit->isModified() && (undo ? edit->isUndoAvailable() : edit->isRedoAvailable())) return false;
        if (event->type() == QEvent::KeyPress) {
            giveText();
            undo ? presenter_.undo() : presenter_.redo();
        }
        event->accept();
        return true;
    }
    void resizeEvent(QResizeEvent* event) override {
        Page::resizeEvent(event);
        arrange();
    }

private:
    QWidget* makeHeader() {
        header_ = new widgets::PageHeader(tr("New experiment"), this);
        origin_ = new widgets::Badge(QString(), style::Tone::kNeutral, header_);
        origin_->setObjectName(QStringLiteral("experiment-origin"));
        changed_ = new widgets::Badge(QString(), style::Tone::kAccent, header_);
        changed_->setObjectName(QStringLiteral("experiment-changed"));
        header_->addBadge(origin_);
        header_->addBadge(changed_);
        turns_ = new widgets::SegmentedControl({tr("Form"), tr("YAML")}, header_);
        turns_->setObjectName(QStringLiteral("experiment-turns"));
        turns_->setAccessibleName(tr("Form or YAML"));
        connect(turns_, &widgets::SegmentedControl::currentChanged, this, [this] { arrange(); });
        header_->addAction(turns_);
        from_ = button(tr("Start from"), "experiment-from", "file");
        auto* menu = new QMenu(from_);
        connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMenu(*menu); });
        from_->setMenu(menu);
        auto* sweep = button(tr("Sweep…"), "experiment-sweep", nullptr);
        connect(sweep, &QPushButton::clicked, this, [this] {
            if (presenter_.formReadable() && !presenter_.isChecking()) (new SweepDialog(presenter_, this))->open();
        });
        auto* copy = button(tr("Copy command"), "experiment-copy", nullptr);
        connect(copy, &QPushButton::clicked, this, [this] {
            QApplication::clipboard()->setText(presenter_.command());
            context_.notifier.notify({.severity = presenters::Severity::kInfo, .title = tr("Command copied"), .detail = {}, .technical = {}, .actionText = {}, .action = {}});
        });
        save_ = button(tr("Save YAML"), "experiment-save", nullptr);
        connect(save_, &QPushButton::clicked, this, [this] { save(false); });
        return header_;
    }

    QPushButton* button(const QString& text, const char* name, const char* icon) {
        auto* made = widgets::makeButton(text, widgets::ButtonKind::kNormal, icon ? QLatin1String(icon) : QString(), header_);
        made->setObjectName(QLatin1String(name));
        made->setAccessibleName(text);
        header_->addAction(made);
        return made;
    }

    QWidget* makeForm() {
        formCard_ = new widgets::Card(tr("What"), this);
        formCard_->setMinimumWidth(300);
        formCard_->setBodyMargins(0);
        mode_ = new widgets::SegmentedControl({tr("Simple"), tr("Advanced")}, formCard_);
        mode_->setObjectName(QStringLiteral("experiment-mode"));
        mode_->setAccessibleName(tr("Simple or advanced"));
        formCard_->addHeaderWidget(mode_);
        form_ = new FormView(presenter_, formCard_);
        formCard_->body()->addWidget(form_, 1);
        connect(mode_, &widgets::SegmentedControl::currentChanged, this, [this](int index) { form_->setAdvanced(index == 1); });
        connect(form_, &FormView::focused, this, [this](const QString& key) { editor_->highlightLine(presenter_.lineOf(key)); });
        connect(form_, &FormView::browseAsked, this, &ExperimentPage::browse);
        return formCard_;
    }

    QWidget* makeText() {
        textCard_ = new widgets::Card(QStringLiteral("experiment.yaml"), this);
        textCard_->setMinimumWidth(220);
        textCard_->setBodyMargins(0);
        textCard_->setNote(tr("same thing"));
        editor_ = new widgets::YamlEditor(textCard_);
        editor_->setFrameShape(QFrame::NoFrame);
        editor_->setUndoRedoEnabled(false);   // the history is the presenter's
        editor_->setCompletions(presenter_.completions());
        textCard_->body()->addWidget(editor_, 1);
        problems_ = new QListWidget(textCard_);
        problems_->setObjectName(QStringLiteral("experiment-problems"));
        problems_->setAccessibleName(tr("Problems"));
        problems_->setFrameShape(QFrame::NoFrame);
        problems_->setProperty("flat", true);
        problems_->setWordWrap(true);
        problems_->setTextElideMode(Qt::ElideNone);
        problems_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        auto* below = new QVBoxLayout;
        below->setContentsMargins(8, 0, 8, 0);   // the text lines up with the card's title
        below->addWidget(problems_);
        textCard_->body()->addLayout(below);
        const auto go = [this](QListWidgetItem* item) {
            if (item->data(Qt::UserRole).toInt() > 0) editor_->gotoPlace(item->data(Qt::UserRole).toInt(), item->data(Qt::UserRole + 1).toInt());
        };
        connect(problems_, &QListWidget::itemClicked, this, go);
        connect(problems_, &QListWidget::itemActivated, this, go);
        connect(editor_, &QPlainTextEdit::textChanged, this, [this] {
            if (!taking_ && !editor_->isFilling()) typing_.start(editor_->document()->characterCount() > kCalmCharacters ? 400 : 120);
        });
        connect(editor_, &widgets::YamlEditor::filled, this, [this] {
            if (std::exchange(takesLong_, false)) typedSince_ = editor_->document()->revision();   // the presenter's own text
            else typing_.start(0);
        });
        connect(editor_, &widgets::YamlEditor::pasteRefused, this, [this](qsizetype characters) {
            const auto count = [](qsizetype number) { return models::formatCount(static_cast<double>(number)); };
            context_.notifier.notify({.severity = presenters::Severity::kError, .title = tr("The text was not put in"),
                                      .detail = tr("It has %1 characters. An experiment file holds at most %2, and %3 in one line; put data into a file of its own and name it as the training data.")
                                                    .arg(count(characters), count(widgets::YamlEditor::kMostCharacters), count(widgets::YamlEditor::kLongestLine)),
                                      .technical = {}, .actionText = {}, .action = {}});
        });
        connect(editor_, &QPlainTextEdit::cursorPositionChanged, this, [this] {
            if (taking_ || !editor_->hasFocus()) return;
            const int line = editor_->textCursor().blockNumber() + 1;
            editor_->highlightLine(line);
            form_->highlight(presenter_.keyAtLine(line));
        });
        return textCard_;
    }

    template <class F>
    void shortcut(const QKeySequence& keys, F run) {
        auto* made = new QShortcut(keys, this);
        made->setContext(Qt::WidgetWithChildrenShortcut);
        connect(made, &QShortcut::activated, this, run);
    }

    // What stands in the editor, with the line ends of the file.
    QString typed() const {
        QString text = editor_->document()->toRawText();   // toPlainText() would lose no-break spaces
        text.replace(QChar::ParagraphSeparator, u'\n');
        if (crlf_) text.replace(u'\n', QStringLiteral("\r\n"));
        return text;
    }
    void giveText() {
        editor_->finishFilling();
        typing_.stop();
        if (typedSince_ != editor_->document()->revision()) {
            typedSince_ = editor_->document()->revision();
            presenter_.setText(typed());
        }
    }
    void takeText() {
        QString text = presenter_.text();
        crlf_ = text.contains(QLatin1String("\r\n"));
        if (crlf_) text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
        taking_ = true;
        editor_->finishFilling();
        takesLong_ = false;
        editor_->replaceText(text);
        takesLong_ = editor_->isFilling();
        taking_ = false;
        typing_.stop();
        typedSince_ = editor_->document()->revision();
    }

    void refresh() {
        form_->refresh();
        plan_->refresh();
        origin_->set(models::shortened(presenter_.origin(), 40), style::Tone::kNeutral);
        origin_->setVisible(width() >= kNarrow && !presenter_.origin().isEmpty());
        const int values = presenter_.changedCount();
        changed_->set(values == 1 ? tr("1 value differs from its default") : tr("%1 values differ from defaults").arg(values), style::Tone::kAccent);
        changed_->setVisible(values > 0 && width() >= kNarrow);
        const QString file = presenter_.filePath();
        textCard_->setTitle((file.isEmpty() ? QStringLiteral("experiment.yaml") : QFileInfo(file).fileName()) + (presenter_.isModified() && !file.isEmpty() ? QStringLiteral(" •") : QString()));
        textCard_->setNote(presenter_.isChecking() ? tr("reading…") : presenter_.formReadable() ? tr("same thing") : tr("cannot be read"));
        std::vector<widgets::YamlEditor::Mark> marks;
        problems_->clear();
        int height = 0;
        for (const presenters::SpecProblem& p : presenter_.problems()) {
            QString text = models::plain(p.hint.isEmpty() ? p.message : tr("%1 — %2").arg(p.message, p.hint));
            if (!p.key.isEmpty()) text = tr("%1: %2").arg(models::plain(presenters::keyTitle(p.key)), text);
            if (p.line > 0) text = tr("Line %1: %2").arg(QString::number(p.line), text);
            if (p.line > 0) marks.push_back({p.line, p.column, p.message + (p.hint.isEmpty() ? QString() : u'\n' + p.hint), true});
            if (problems_->count() >= 200) continue;
            auto* item = new QListWidgetItem(text, problems_);
            item->setData(Qt::UserRole, p.line);
            item->setData(Qt::UserRole + 1, p.column);
            item->setForeground(style::tokens().bad);
            // Its own height: letters of a fallback font are taller than the list reckons, and the second line was cut.
            const QFontMetrics metrics(problems_->font());
            const int lines = metrics.boundingRect(QRect(0, 0, std::max(120, textCard_->width() - 40), 1000), Qt::TextWordWrap, text).height() / std::max(1, metrics.lineSpacing());
            item->setSizeHint(QSize(0, 6 + 20 * std::max(1, lines)));
            height += item->sizeHint().height();
        }
        problems_->setVisible(problems_->count() > 0);
        problems_->setFixedHeight(std::min(136, 8 + height));
        editor_->setMarks(std::move(marks));
    }

    void showField(const QString& key) {
        turns_->setCurrent(0);
        arrange();
        form_->highlight(key);
        form_->focusField(key);
    }

    // Below the size at which three columns can be read, form and text take turns.
    void arrange() {
        const bool narrow = width() < kNarrow;
        turns_->setVisible(narrow);
        formCard_->setVisible(!narrow || turns_->current() == 0);
        textCard_->setVisible(!narrow || turns_->current() == 1);
        changed_->setVisible(!narrow && presenter_.changedCount() > 0);
        origin_->setVisible(!narrow && !presenter_.origin().isEmpty());
    }

    void fillMenu(QMenu& menu) {
        menu.clear();
        for (const presenters::ExperimentTemplate& known : presenter_.templates()) {
            QAction* action = menu.addAction(known.title, this, [this, key = known.key] { presenter_.open({{"template", key.toStdString()}}); });
            action->setToolTip(known.help);
        }
        menu.setToolTipsVisible(true);
        menu.addSeparator();
        menu.addAction(tr("Open a file…"), this, [this] { chooseFile(); });
        menu.addAction(tr("Save as…"), this, [this] { save(true); });
        const QStringList recent = presenter_.recent();
        if (recent.isEmpty()) return;
        menu.addSeparator();
        for (const QString& file : recent) {
            QString shown = models::shortened(file, 60);
            menu.addAction(shown.replace(u'&', QStringLiteral("&&")), this, [this, file] { presenter_.open({{"file", file.toStdString()}}); });
        }
    }

    void chooseFile() {
        widgets::chooseLocalFile(this, tr("Open an experiment"), tr("Experiments (*.yaml *.yml)"), QFileInfo(presenter_.filePath()).absolutePath(),
                                 [this](const QString& path) { presenter_.open({{"file", path.toStdString()}}); });
    }
    void save(bool elsewhere) {
        giveText();
        if (!elsewhere && !presenter_.filePath().isEmpty()) return presenter_.save(presenter_.filePath());
        widgets::chooseSavePath(this, tr("Save the experiment"), tr("Experiments (*.yaml)"), presenter_.filePath().isEmpty() ? QStringLiteral("experiment.yaml") : presenter_.filePath(),
                                [this](const QString& path) { presenter_.save(path); });
    }

    void browse(const QString& key) {
        const auto take = [this, key](const QString& path) { presenter_.setField(key, path); };
        if (!presenter_.engineIsRemote()) return widgets::chooseLocalFile(this, tr("Choose a file"), QString(), QString(), take);
        const QPointer<ExperimentPage> self(this);
        widgets::chooseRemote(this, tr("Choose a file on %1").arg(presenter_.engineName()), false, [self](const QString& folder, std::function<void(QString, QList<widgets::RemoteEntry>, QString)> answer) {
            if (!self) return;
            self->context_.session.tool(QStringLiteral("files_list"), {{"folder", folder.toStdString()}}, self, [answer](Result<Json> reply) {
                if (!reply) return answer({}, {}, QString::fromStdString(reply.error().message));
                QList<widgets::RemoteEntry> entries;
                if (auto found = reply->find("entries"); found != reply->end() && found->is_array())
                    for (const Json& entry : *found)
                        if (entry.is_object())
                            entries.append({QString::fromStdString(jsonStringOr(entry, "name", "")), jsonBoolOr(entry, "folder", false), jsonIntegerOr(entry, "bytes", 0)});
                answer(QString::fromStdString(jsonStringOr(*reply, "folder", "")), entries, {});
            });
        }, take);
    }

    void askReplace(const QString& what) {
        auto* box = new QMessageBox(QMessageBox::Question, tr("Replace it?"), tr("%1 has changes that are not saved.").arg(what), QMessageBox::NoButton, this);
        box->setObjectName(QStringLiteral("experiment-replace"));
        box->setTextFormat(Qt::PlainText);
        box->setInformativeText(tr("You can come back to them with undo."));
        box->setAttribute(Qt::WA_DeleteOnClose);
        QPushButton* yes = box->addButton(tr("Replace"), QMessageBox::AcceptRole);
        box->addButton(tr("Keep writing"), QMessageBox::RejectRole);
        connect(box, &QMessageBox::finished, this, [this, box, yes] { presenter_.confirmReplace(box->clickedButton() == yes); });
        box->open();
    }

    presenters::AppContext& context_;
    ExperimentPresenter presenter_;
    QTimer typing_;
    bool taking_ = false, takesLong_ = false, crlf_ = false;
    int typedSince_ = -1;
    widgets::PageHeader* header_ = nullptr;
    widgets::Badge *origin_ = nullptr, *changed_ = nullptr;
    widgets::SegmentedControl *turns_ = nullptr, *mode_ = nullptr;
    QPushButton *from_ = nullptr, *save_ = nullptr;
    QSplitter* splitter_ = nullptr;
    widgets::Card *formCard_ = nullptr, *textCard_ = nullptr;
    FormView* form_ = nullptr;
    widgets::YamlEditor* editor_ = nullptr;
    QListWidget* problems_ = nullptr;
    PlanCard* plan_ = nullptr;
};

}  // namespace

Page* makeExperimentPage(presenters::AppContext& context, QWidget* parent) { return new ExperimentPage(context, parent); }

}  // namespace assay::pages

#include "experiment_page.moc"

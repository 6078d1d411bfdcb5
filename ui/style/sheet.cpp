#include "sheet.h"

#include <utility>

namespace assay::style {
namespace {

const char* const kSheet = R"(
QToolTip { background: @surface; color: @text; border: 1px solid @line; padding: 4px 6px; }
QFrame[surface="card"] { background: @surface; border: 1px solid @line; border-radius: 8px; }
QWidget[surface="header"] { background: transparent; border: none; border-bottom: 1px solid @line; }
QFrame[surface="warn"] { background: @warnBackground; border: none; border-radius: 6px; }
QFrame[surface="bad"] { background: @badBackground; border: none; border-radius: 6px; }
QLineEdit { background: @surface; color: @text; border: 1px solid @line; border-radius: 6px; padding: 0 7px; min-height: 26px;
  selection-background-color: @accentBackground; selection-color: @text; }
QLineEdit:hover { border-color: @text3; }
QLineEdit:focus { border: 1px solid @accent; }
QLineEdit:disabled, QLineEdit:read-only { background: @background; border-color: @line; }
QLineEdit:disabled { color: @text3; }
QLineEdit[invalid="true"] { border-color: @bad; }
QComboBox > QLineEdit, QAbstractSpinBox > QLineEdit { border: none; background: transparent; padding: 0; min-height: 0; }
QPlainTextEdit, QTextEdit { background: @surface; color: @text; border: 1px solid @line; border-radius: 6px; padding: 2px 4px;
  selection-background-color: @accentBackground; selection-color: @text; }
QPlainTextEdit:focus, QTextEdit:focus { border-color: @accent; }
QPlainTextEdit[flat="true"], QTextEdit[flat="true"] { border: none; border-radius: 0; padding: 0; background: transparent; }
QAbstractScrollArea[flat="true"] { border: none; background: transparent; }
QScrollArea { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @line; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: @text3; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }
QMenu { background: @surface; border: 1px solid @line; padding: 4px; }
QMenu::item { color: @text; padding: 5px 24px 5px 10px; border-radius: 4px; }
QMenu::icon { padding-left: 6px; }
QMenu::item:selected { background: @accentBackground; color: @text; }
QMenu::item:disabled { color: @text3; background: transparent; }
QMenu::separator { height: 1px; background: @line; margin: 4px 6px; }
QAbstractItemView { background: @surface; color: @text; border: 1px solid @line; border-radius: 6px; outline: none;
  selection-background-color: @accentBackground; selection-color: @text; }
QHeaderView { background: @surface; border: none; border-radius: 0; }
QHeaderView::section { background: @surface; color: @text2; border: none; border-bottom: 1px solid @line; padding: 0 10px;
  font-size: 11px; font-weight: 500; min-height: 26px; }
QHeaderView::section:hover { color: @text; background: @background; }
QHeaderView::down-arrow, QHeaderView::up-arrow { width: 12px; height: 12px; subcontrol-origin: padding; subcontrol-position: center right; right: -2px; }
QTreeView, QTableView { gridline-color: @line; }
QTreeView[flat="true"], QTableView[flat="true"], QListView[flat="true"] { border: none; border-radius: 0; background: transparent; }
QComboBox QAbstractItemView { border-radius: 0; padding: 4px; }
QComboBox QAbstractItemView::item { min-height: 26px; padding: 0 6px; border-radius: 4px; }
QComboBox QAbstractItemView::item:selected, QComboBox QAbstractItemView::item:hover { background: @accentBackground; color: @text; }
QTabWidget::pane { border: none; border-top: 1px solid @line; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @text2; padding: 6px 10px; margin-right: 4px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @accent; border-bottom-color: @accent; }
QTabBar::tab:disabled { color: @text3; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: @accentBackground; }
QSplitter::handle:pressed { background: @accent; }
QGroupBox { border: 1px solid @line; border-radius: 8px; margin-top: 18px; padding: 8px; }
QGroupBox::title { subcontrol-origin: margin; left: 2px; color: @text2; }
QProgressBar { background: @sunken; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; text-align: right; color: transparent; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QStatusBar { background: @background; border-top: 1px solid @line; color: @text2; }
QStatusBar::item { border: none; }
QDockWidget { color: @text2; }
)";

}  // namespace

QString sheetFor(const Tokens& t) {
    QString sheet = QLatin1String(kSheet);
    // Longer names first: @accent is the beginning of @accentBackground, @text of @text2.
    const std::pair<const char*, QColor> values[] = {
        {"@accentBackground", t.accentBackground}, {"@warnBackground", t.warnBackground}, {"@badBackground", t.badBackground},
        {"@background", t.background}, {"@surface", t.surface}, {"@sunken", t.sunken},
        {"@accent", t.accent}, {"@line", t.line}, {"@text2", t.text2}, {"@text3", t.text3}, {"@text", t.text}, {"@bad", t.bad},
    };
    for (const auto& [name, color] : values) sheet.replace(QLatin1String(name), color.name(QColor::HexRgb));
    return sheet;
}

}  // namespace assay::style

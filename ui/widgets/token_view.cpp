#include "label_style.h"

#include <assay/style/theme_notifier.h>
#include <assay/widgets/text_views.h>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace assay::widgets {
namespace {

constexpr int kBox = 20, kLine = 28;       // height of a box and of a line of boxes
constexpr int kTokenPadding = 3, kTokenGap = 2;      // inside and between boxes
constexpr int kBorder = 9;                 // room for the line before a new document

}  // namespace

QString tokenText(const QString& text) {
    QString out;
    for (const uint code : text.toUcs4()) {
        if (code == ' ') out += QChar(0x00B7);
        else if (code == '\n') out += QChar(0x21B5);
        else if (code == '\t') out += QChar(0x2192);
        else if (code < 0x20 || code == 0x7F) out += QStringLiteral("⟨%1⟩").arg(code, 2, 16, QLatin1Char('0')).toUpper();
        else if (const QChar::Category c = QChar::category(code); c == QChar::Other_Control || c == QChar::Other_Format || c == QChar::Other_NotAssigned || c == QChar::Other_PrivateUse)
            out += QStringLiteral("⟨%1⟩").arg(code, 4, 16, QLatin1Char('0')).toUpper();
        else if (c == QChar::Separator_Space || c == QChar::Separator_Line || c == QChar::Separator_Paragraph) out += QStringLiteral("⟨%1⟩").arg(code, 4, 16, QLatin1Char('0')).toUpper();
        else {
            const char32_t letter = code;
            out += QString::fromUcs4(&letter, 1);
        }
    }
    return out.isEmpty() ? QStringLiteral("∅") : out;
}

TokenView::TokenView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("token-view"));
    setAccessibleName(tr("Tokens"));
    setFont(style::font(style::Type::kMono));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, qOverload<>(&QWidget::update));
}

void TokenView::setTokens(std::vector<Token> tokens) {
    tokens_ = std::move(tokens);
    laidOutWidth_ = -1;
    layoutTokens(std::max(1, width()));
    const auto loss = std::count_if(tokens_.begin(), tokens_.end(), [](const Token& token) { return token.loss; });
    setAccessibleDescription(tr("%n tokens, %1 carry loss", nullptr, static_cast<int>(tokens_.size())).arg(loss));
    updateGeometry();
    update();
}

int TokenView::layoutTokens(int width) {
    if (width == laidOutWidth_) return height_;
    laidOutWidth_ = width;
    boxes_.clear();
    boxes_.reserve(tokens_.size());
    const QFontMetrics metrics(font());
    int x = 0, y = 0;
    for (const Token& token : tokens_) {
        const int box = std::min(width, metrics.horizontalAdvance(tokenText(token.text)) + 2 * kTokenPadding);
        if (token.border && x > 0) x += kBorder;
        if (x > 0 && x + box > width) {
            x = 0;
            y += kLine;
        }
        boxes_.emplace_back(x, y + (kLine - kBox) / 2, box, kBox);
        x += box + kTokenGap;
    }
    height_ = tokens_.empty() ? 0 : y + kLine;
    return height_;
}

QSize TokenView::sizeHint() const {
    return {480, heightForWidth(width() > 0 ? width() : 480)};
}

int TokenView::heightForWidth(int width) const {
    return const_cast<TokenView*>(this)->layoutTokens(std::max(1, width));
}

void TokenView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int before = height_;
    layoutTokens(std::max(1, width()));
    if (height_ != before) updateGeometry();
}

void TokenView::paintEvent(QPaintEvent* event) {
    layoutTokens(std::max(1, width()));
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    const QFontMetrics metrics(font());
    // Boxes lie in reading order: the first one on screen is found by halving, however many tokens there are.
    const auto first = std::lower_bound(boxes_.begin(), boxes_.end(), event->rect().top(), [](const QRect& box, int top) { return box.bottom() < top; });
    for (auto i = static_cast<size_t>(first - boxes_.begin()); i < boxes_.size() && boxes_[i].top() <= event->rect().bottom(); ++i) {
        const Token& token = tokens_[i];
        const QRect& box = boxes_[i];
        if (token.border && i > 0) {
            // Where documents meet in a pack: a line in the margin before the first token of the next.
            painter.setPen(QPen(t.warn, 2));
            const int x = box.x() > 0 ? box.x() - kBorder / 2 - 1 : 1;
            painter.drawLine(x, box.top() - 3, x, box.bottom() + 3);
        }
        const style::Tone tone = token.special ? style::Tone::kAccent : token.loss ? style::Tone::kGood : style::Tone::kNeutral;
        painter.setPen(token.special && token.loss ? QPen(t.good, 1) : QPen(Qt::NoPen));
        painter.setBrush(style::toneBackground(token.special && token.loss ? style::Tone::kGood : tone));
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter.setPen(style::toneText(token.special && token.loss ? style::Tone::kGood : tone));
        painter.drawText(box.adjusted(kTokenPadding, 0, -kTokenPadding + 1, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, metrics.elidedText(tokenText(token.text), Qt::ElideRight, box.width() - 2 * kTokenPadding + 1));
    }
}

bool TokenView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    for (size_t i = 0; i < boxes_.size(); ++i) {
        if (!boxes_[i].contains(help->pos())) continue;
        const Token& token = tokens_[i];
        const QByteArray bytes = token.text.toUtf8();
        QString tip = tr("Token %1 at position %2").arg(token.id).arg(i);
        tip += QLatin1Char('\n') + tr("Bytes: %1").arg(QString::fromLatin1(bytes.left(32).toHex(' ')) + (bytes.size() > 32 ? QStringLiteral(" …") : QString()));
        tip += QLatin1Char('\n') + (token.special ? tr("Control token") : tr("Text")) + QStringLiteral(", ") + (token.loss ? tr("carries loss") : tr("read only"));
        if (token.border) tip += QLatin1Char('\n') + tr("A new document begins here");
        QToolTip::showText(help->globalPos(), plainTip(tip), this, boxes_[i]);
        return true;
    }
    QToolTip::hideText();
    event->ignore();
    return true;
}

}  // namespace assay::widgets

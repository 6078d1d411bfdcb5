// A plot as a file or on the clipboard. Pictures are drawn with the light tokens, whatever the theme: they go into documents.

#include <assay/core/durable.h>
#include <assay/style/icons.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/file_dialog.h>
#include <assay/widgets/plot.h>

#include <QBuffer>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QPdfWriter>
#include <QPointer>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QToolButton>

#include "plot_support.h"

namespace assay::widgets {
namespace {

PlotExport* exporterOf(QWidget* plot) { return plot ? plot->findChild<PlotExport*>(QString(), Qt::FindDirectChildrenOnly) : nullptr; }

QSizeF pictureSize(const QWidget& plot) { return {std::max(480.0, static_cast<double>(plot.width())), std::max(280.0, static_cast<double>(plot.height()))}; }

void drawOnPaper(PlotExport& exporter, QPainter& painter, const QSizeF& size) {
    const QRectF rect(QPointF(), size);
    painter.fillRect(rect, style::tokens(style::Theme::kLight).surface);
    painter.setRenderHint(QPainter::Antialiasing, true);
    exporter.draw(painter, rect);
}

QImage picture(PlotExport& exporter, const QSizeF& size) {
    QImage image((size * 2).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(2);
    QPainter painter(&image);
    drawOnPaper(exporter, painter, size);
    return image;
}

QByteArray png(PlotExport& exporter, const QSizeF& size) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    picture(exporter, size).save(&buffer, "PNG");
    return buffer.data();
}

QByteArray svg(PlotExport& exporter, const QSizeF& size) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(), size));
    {
        QPainter painter(&generator);
        drawOnPaper(exporter, painter, size);
    }
    return buffer.data();
}

QByteArray pdf(PlotExport& exporter, const QSizeF& size) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setCreator(QStringLiteral("Assay"));
    writer.setResolution(960);   // ten units a pixel: positions keep their fractions
    writer.setPageSize(QPageSize(size * 72.0 / 96.0, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    {
        QPainter painter(&writer);
        painter.scale(10, 10);
        drawOnPaper(exporter, painter, size);
    }
    return buffer.data();
}

QString fileName(QString name) {
    name.replace(QRegularExpression(QStringLiteral("[^\\w .\\-]+"), QRegularExpression::UseUnicodePropertiesOption), QStringLiteral("-"));
    name = name.trimmed().left(80);
    while (name.startsWith(QLatin1Char('.'))) name.remove(0, 1);
    return name.isEmpty() ? QStringLiteral("chart") : name;
}

}  // namespace

Result<void> exportPlot(QWidget* plot, const QString& path) {
    PlotExport* exporter = exporterOf(plot);
    if (!exporter) return fail(ErrorCode::kUnsupported, "this widget cannot be exported");
    const QString ending = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (ending == QLatin1String("png")) bytes = png(*exporter, pictureSize(*plot));
    else if (ending == QLatin1String("svg")) bytes = svg(*exporter, pictureSize(*plot));
    else if (ending == QLatin1String("pdf")) bytes = pdf(*exporter, pictureSize(*plot));
    else if (ending == QLatin1String("csv")) bytes = exporter->csv();
    else return fail(ErrorCode::kBadUsage, path.toStdString() + ": the ending names no format of a chart", "use .png, .svg, .pdf or .csv");
    return writeFileDurably(path.toStdString(), std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
}

QWidget* makeExportButton(QWidget* plot, const QString& suggestedName, std::function<void(const QString& error)> failed) {
    auto* button = new QToolButton(plot ? plot->parentWidget() : nullptr);
    button->setObjectName(QStringLiteral("export-chart"));
    button->setAccessibleName(QObject::tr("Export the chart"));
    button->setToolTip(QObject::tr("Export the chart"));
    button->setIcon(style::icon(QStringLiteral("export")));
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    menu->setObjectName(QStringLiteral("export-chart-menu"));
    button->setMenu(menu);
    QPointer<QWidget> target(plot), owner(button);
    auto report = [owner, failed](const QString& error) {
        if (failed) return failed(error);
        auto* box = new QMessageBox(QMessageBox::Warning, QObject::tr("The chart was not saved"), error, QMessageBox::Ok, owner);
        box->setTextFormat(Qt::PlainText);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    };
    const QString base = fileName(suggestedName);
    auto save = [=](const QString& ending, const QString& filter) {
        chooseSavePath(owner, QObject::tr("Save the chart"), filter, base + ending, [=](const QString& chosen) {
            if (chosen.isEmpty() || !target) return;
            const QString path = QFileInfo(chosen).suffix().toLower() == ending.mid(1) ? chosen : chosen + ending;
            PlotExport* exporter = exporterOf(target);
            if (ending == QLatin1String(".csv") && exporter && exporter->csvSource) return exporter->csvSource(path);
            if (auto done = exportPlot(target, path); !done) report(QString::fromStdString(done.error().text()));
        });
    };
    auto add = [&](const char* name, const QString& text, const QString& ending, const QString& filter) {
        QAction* action = menu->addAction(text, button, [=] { save(ending, filter); });
        action->setObjectName(QLatin1String(name));
    };
    add("save-png", QObject::tr("Save as PNG…"), QStringLiteral(".png"), QObject::tr("Picture (*.png)"));
    add("save-svg", QObject::tr("Save as SVG…"), QStringLiteral(".svg"), QObject::tr("Vector graphic (*.svg)"));
    add("save-pdf", QObject::tr("Save as PDF…"), QStringLiteral(".pdf"), QObject::tr("PDF (*.pdf)"));
    add("save-csv", QObject::tr("Save the data as CSV…"), QStringLiteral(".csv"), QObject::tr("Comma-separated values (*.csv)"));
    menu->addSeparator();
    QAction* copy = menu->addAction(QObject::tr("Copy as a picture"), button, [target] {
        if (PlotExport* exporter = exporterOf(target)) QGuiApplication::clipboard()->setImage(picture(*exporter, pictureSize(*target)));
    });
    copy->setObjectName(QStringLiteral("copy-picture"));
    return button;
}

}  // namespace assay::widgets

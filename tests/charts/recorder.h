#pragma once
// A paint device that notes what is painted on it: texts with their places, and pictures.
#include <QPaintDevice>
#include <QPaintEngine>
#include <QRectF>
#include <QString>
#include <vector>

struct Recorded {
    struct Text {
        QString text;
        QRectF box;
    };
    std::vector<Text> texts;
    int pictures = 0, shapes = 0;
    bool has(const QString& part) const {
        for (const Text& t : texts)
            if (t.text.contains(part)) return true;
        return false;
    }
};

class Recorder final : public QPaintDevice {
public:
    explicit Recorder(const QSize& size) : size_(size), engine_(recorded) {}
    QPaintEngine* paintEngine() const override { return &engine_; }
    Recorded recorded;

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
            case PdmWidth: return size_.width();
            case PdmHeight: return size_.height();
            case PdmWidthMM: return size_.width() * 254 / 960;
            case PdmHeightMM: return size_.height() * 254 / 960;
            case PdmDepth: return 32;
            case PdmDevicePixelRatio: return 1;
            case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
            default: return 96;
        }
    }

private:
    class Engine final : public QPaintEngine {
    public:
        explicit Engine(Recorded& out) : QPaintEngine(AllFeatures), out_(out) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState& state) override {
            if (state.state() & DirtyTransform) transform_ = state.transform();
        }
        void drawPath(const QPainterPath&) override { ++out_.shapes; }
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override { ++out_.shapes; }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override { ++out_.pictures; }
        void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override { ++out_.pictures; }
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            out_.texts.push_back({item.text(), transform_.mapRect(QRectF(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent()))});
        }
        Type type() const override { return User; }

    private:
        Recorded& out_;
        QTransform transform_;
    };
    QSize size_;
    mutable Engine engine_;
};

#pragma once
// Work on a thread of the pool, its outcome on the GUI thread; dropped when the one who asked is gone by then.

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <memory>
#include <utility>

namespace assay::presenters {

template <class Work, class Done>
void inBackground(QObject* context, Work work, Done done) {
    QThreadPool::globalInstance()->start([guard = QPointer<QObject>(context), work = std::move(work), done = std::move(done)]() mutable {
        auto outcome = std::make_shared<decltype(work())>(work());
        QCoreApplication* application = QCoreApplication::instance();   // null while the program ends
        if (!application) return;
        QMetaObject::invokeMethod(application, [guard = std::move(guard), done = std::move(done), outcome]() mutable {
            if (guard) done(std::move(*outcome));
        }, Qt::QueuedConnection);
    });
}

}  // namespace assay::presenters

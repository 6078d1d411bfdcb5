#pragma once
// The notices of this session, newest first, for the list behind the bell.

#include <assay/presenters/app_context.h>

#include <QDateTime>

namespace assay::presenters {

class NoticeLog final : public QObject {
    Q_OBJECT
public:
    struct Entry {
        Notice notice;
        QDateTime time;   // UTC
        int times = 1;    // the same notice in a row is counted, not repeated
    };
    static constexpr int kMost = 200;
    explicit NoticeLog(Notifier& notifier, QObject* parent = nullptr);
    const QList<Entry>& entries() const { return entries_; }
    int unread() const { return unread_; }
    void markRead();
    void clear();

Q_SIGNALS:
    void changed();

private:
    QList<Entry> entries_;
    int unread_ = 0;
};

}  // namespace assay::presenters

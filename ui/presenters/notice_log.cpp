#include <assay/presenters/notice_log.h>

namespace assay::presenters {

NoticeLog::NoticeLog(Notifier& notifier, QObject* parent) : QObject(parent) {
    connect(&notifier, &Notifier::notified, this, [this](const Notice& notice) {
        const bool same = !entries_.isEmpty() && entries_.first().notice.title == notice.title && entries_.first().notice.detail == notice.detail;
        if (same) {
            entries_.first().notice = notice;
            entries_.first().time = QDateTime::currentDateTimeUtc();
            ++entries_.first().times;
        } else {
            entries_.prepend({notice, QDateTime::currentDateTimeUtc()});
            if (entries_.size() > kMost) entries_.removeLast();
        }
        ++unread_;
        Q_EMIT changed();
    });
}

void NoticeLog::markRead() {
    if (!unread_) return;
    unread_ = 0;
    Q_EMIT changed();
}

void NoticeLog::clear() {
    entries_.clear();
    unread_ = 0;
    Q_EMIT changed();
}

}  // namespace assay::presenters

#pragma once
// Tells the desktop that an experiment has ended while the person looks at something else. Over D-Bus, without waiting;
// where there is no desktop nothing happens.

#include <assay/core/json.h>

#include <QString>
#include <map>

namespace assay::shell {

class DesktopNotify {
public:
    void runChanged(const QString& run, const Json& row, bool windowActive);
    static QString endText(const Json& row);   // empty: no end of an experiment

private:
    std::map<QString, QString> status_;   // only an end that was seen to come is told
};

}  // namespace assay::shell

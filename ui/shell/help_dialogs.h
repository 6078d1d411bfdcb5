#pragma once
// The about box and the list of keys. Neither stops the window.

#include <assay/presenters/app_context.h>

class QWidget;

namespace assay::shell {

void showAbout(const presenters::AppContext& context, QWidget* parent);
void showKeys(const presenters::AppContext& context, QWidget* parent);

}  // namespace assay::shell

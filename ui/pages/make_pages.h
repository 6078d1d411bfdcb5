#pragma once
// Constructors of the pages, one a file.

#include <assay/pages/page.h>

namespace assay::pages {

Page* makeHomePage(presenters::AppContext& context, QWidget* parent);
Page* makeDataPage(presenters::AppContext& context, QWidget* parent);
Page* makeModelsPage(presenters::AppContext& context, QWidget* parent);
Page* makeExperimentPage(presenters::AppContext& context, QWidget* parent);
Page* makeRunsPage(presenters::AppContext& context, QWidget* parent);
Page* makeRunPage(presenters::AppContext& context, QWidget* parent);
Page* makeComparePage(presenters::AppContext& context, QWidget* parent);
Page* makeBenchmarkPage(presenters::AppContext& context, QWidget* parent);
Page* makeTryPage(presenters::AppContext& context, QWidget* parent);
Page* makeEnginesPage(presenters::AppContext& context, QWidget* parent);
Page* makeSettingsPage(presenters::AppContext& context, QWidget* parent);

}  // namespace assay::pages

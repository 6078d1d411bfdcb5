#pragma once
// Marks a text for translators (packaging/tasks/translate.sh); reports say it as it is, the window looks it up.
#define L(text) text

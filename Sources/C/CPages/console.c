// SPDX-License-Identifier: Apache-2.0
#include "CPages.h"

// Embedded rather than shipped as resources: nothing has to be found at run time.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char audit_mustache[] = {
#embed "console/audit.mustache"
};
static const unsigned char confirm_mustache[] = {
#embed "console/confirm.mustache"
};
static const unsigned char entries_mustache[] = {
#embed "console/entries.mustache"
};
// No line end: it stands within a line.
static const unsigned char entry_text_mustache[] = {
#embed "console/entry-text.mustache"
};
static const unsigned char config_mustache[] = {
#embed "console/config.mustache"
};
static const unsigned char config_version_mustache[] = {
#embed "console/config-version.mustache"
};
static const unsigned char difference_mustache[] = {
#embed "console/difference.mustache"
};
static const unsigned char experiment_mustache[] = {
#embed "console/experiment.mustache"
};
static const unsigned char experiments_mustache[] = {
#embed "console/experiments.mustache"
};
static const unsigned char intervals_mustache[] = {
#embed "console/intervals.mustache"
};
static const unsigned char key_mustache[] = {
#embed "console/key.mustache"
};
static const unsigned char keys_mustache[] = {
#embed "console/keys.mustache"
};
static const unsigned char layout_mustache[] = {
#embed "console/layout.mustache"
};
static const unsigned char model_mustache[] = {
#embed "console/model.mustache"
};
static const unsigned char models_mustache[] = {
#embed "console/models.mustache"
};
static const unsigned char pages_mustache[] = {
#embed "console/pages.mustache"
};
static const unsigned char problem_mustache[] = {
#embed "console/problem.mustache"
};
static const unsigned char search_mustache[] = {
#embed "console/search.mustache"
};
static const unsigned char sign_in_mustache[] = {
#embed "console/sign-in.mustache"
};
static const unsigned char style_css[] = {
#embed "console/style.css"
};
static const unsigned char console_js[] = {
#embed "console/console.js"
};
static const unsigned char icon_svg[] = {
#embed "console/icon.svg"
};

struct file {
  const char *name;
  const char *type;
  const unsigned char *start;
  size_t size;
};

static const struct file files[] = {
  {"audit", "", audit_mustache, sizeof audit_mustache},
  {"confirm", "", confirm_mustache, sizeof confirm_mustache},
  {"entries", "", entries_mustache, sizeof entries_mustache},
  {"entry-text", "", entry_text_mustache, sizeof entry_text_mustache},
  {"config", "", config_mustache, sizeof config_mustache},
  {"config-version", "", config_version_mustache, sizeof config_version_mustache},
  {"difference", "", difference_mustache, sizeof difference_mustache},
  {"experiment", "", experiment_mustache, sizeof experiment_mustache},
  {"experiments", "", experiments_mustache, sizeof experiments_mustache},
  {"intervals", "", intervals_mustache, sizeof intervals_mustache},
  {"key", "", key_mustache, sizeof key_mustache},
  {"keys", "", keys_mustache, sizeof keys_mustache},
  {"layout", "", layout_mustache, sizeof layout_mustache},
  {"model", "", model_mustache, sizeof model_mustache},
  {"models", "", models_mustache, sizeof models_mustache},
  {"pages", "", pages_mustache, sizeof pages_mustache},
  {"problem", "", problem_mustache, sizeof problem_mustache},
  {"search", "", search_mustache, sizeof search_mustache},
  {"sign-in", "", sign_in_mustache, sizeof sign_in_mustache},
  {"style.css", "text/css; charset=utf-8", style_css, sizeof style_css},
  {"console.js", "text/javascript; charset=utf-8", console_js, sizeof console_js},
  {"icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
};

size_t fovea_console_count(void) { return sizeof files / sizeof files[0]; }
const char *fovea_console_name(size_t index) { return files[index].name; }
const char *fovea_console_type(size_t index) { return files[index].type; }
const unsigned char *fovea_console_start(size_t index) { return files[index].start; }
size_t fovea_console_size(size_t index) { return files[index].size; }

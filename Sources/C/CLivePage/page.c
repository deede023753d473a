// SPDX-License-Identifier: Apache-2.0
#include "CLivePage.h"

// Embedded rather than shipped as a resource: nothing has to be found at run time.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char app_js[] = {
#embed "page/app.js"
};
static const unsigned char camera_js[] = {
#embed "page/camera.js"
};
static const unsigned char classes_js[] = {
#embed "page/classes.js"
};
static const unsigned char draw_js[] = {
#embed "page/draw.js"
};
static const unsigned char encoder_js[] = {
#embed "page/encoder.js"
};
static const unsigned char line_js[] = {
#embed "page/line.js"
};
static const unsigned char live_js[] = {
#embed "page/live.js"
};
static const unsigned char photos_js[] = {
#embed "page/photos.js"
};
static const unsigned char sources_js[] = {
#embed "page/sources.js"
};

struct file {
  const char *name;
  const char *type;
  const unsigned char *start;
  size_t size;
};

#define SCRIPT "text/javascript; charset=utf-8"
static const struct file files[] = {
  {"index.html", "text/html; charset=utf-8", index_html, sizeof index_html},
  {"style.css", "text/css; charset=utf-8", style_css, sizeof style_css},
  {"icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
  {"app.js", SCRIPT, app_js, sizeof app_js},
  {"camera.js", SCRIPT, camera_js, sizeof camera_js},
  {"classes.js", SCRIPT, classes_js, sizeof classes_js},
  {"draw.js", SCRIPT, draw_js, sizeof draw_js},
  {"encoder.js", SCRIPT, encoder_js, sizeof encoder_js},
  {"line.js", SCRIPT, line_js, sizeof line_js},
  {"live.js", SCRIPT, live_js, sizeof live_js},
  {"photos.js", SCRIPT, photos_js, sizeof photos_js},
  {"sources.js", SCRIPT, sources_js, sizeof sources_js},
};

size_t fovea_page_count(void) { return sizeof files / sizeof files[0]; }
const char *fovea_page_name(size_t index) { return files[index].name; }
const char *fovea_page_type(size_t index) { return files[index].type; }
const unsigned char *fovea_page_start(size_t index) { return files[index].start; }
size_t fovea_page_size(size_t index) { return files[index].size; }

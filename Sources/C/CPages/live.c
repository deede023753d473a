// SPDX-License-Identifier: Apache-2.0
#include "CPages.h"

// Embedded rather than shipped as a resource: nothing has to be found at run time.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "live/index.html"
};
static const unsigned char style_css[] = {
#embed "live/style.css"
};
static const unsigned char icon_svg[] = {
#embed "live/icon.svg"
};
static const unsigned char app_js[] = {
#embed "live/app.js"
};
static const unsigned char classes_js[] = {
#embed "live/classes.js"
};
static const unsigned char live_js[] = {
#embed "live/live.js"
};
static const unsigned char page_js[] = {
#embed "live/page.js"
};
static const unsigned char settings_js[] = {
#embed "live/settings.js"
};
static const unsigned char camera_js[] = {
#embed "live/camera.js"
};
static const unsigned char draw_js[] = {
#embed "live/draw.js"
};
static const unsigned char encoder_js[] = {
#embed "live/encoder.js"
};
static const unsigned char follow_js[] = {
#embed "live/follow.js"
};
static const unsigned char gallery_js[] = {
#embed "live/gallery.js"
};
static const unsigned char line_js[] = {
#embed "live/line.js"
};
static const unsigned char photos_js[] = {
#embed "live/photos.js"
};
static const unsigned char shapes_js[] = {
#embed "live/shapes.js"
};
static const unsigned char sources_js[] = {
#embed "live/sources.js"
};
static const unsigned char stage_js[] = {
#embed "live/stage.js"
};
static const unsigned char tile_js[] = {
#embed "live/tile.js"
};

struct file {
  const char *name;
  const char *type;
  const unsigned char *start;
  size_t size;
};

#define SCRIPT "text/javascript; charset=utf-8"
static const struct file files[] = {
  // The first view, below 64 KiB.
  {"index.html", "text/html; charset=utf-8", index_html, sizeof index_html},
  {"style.css", "text/css; charset=utf-8", style_css, sizeof style_css},
  {"icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
  {"app.js", SCRIPT, app_js, sizeof app_js},
  {"classes.js", SCRIPT, classes_js, sizeof classes_js},
  {"live.js", SCRIPT, live_js, sizeof live_js},
  {"page.js", SCRIPT, page_js, sizeof page_js},
  {"settings.js", SCRIPT, settings_js, sizeof settings_js},
  // What is loaded when it is first needed; all together stay below 128 KiB.
  {"camera.js", SCRIPT, camera_js, sizeof camera_js},
  {"draw.js", SCRIPT, draw_js, sizeof draw_js},
  {"encoder.js", SCRIPT, encoder_js, sizeof encoder_js},
  {"follow.js", SCRIPT, follow_js, sizeof follow_js},
  {"gallery.js", SCRIPT, gallery_js, sizeof gallery_js},
  {"line.js", SCRIPT, line_js, sizeof line_js},
  {"photos.js", SCRIPT, photos_js, sizeof photos_js},
  {"shapes.js", SCRIPT, shapes_js, sizeof shapes_js},
  {"sources.js", SCRIPT, sources_js, sizeof sources_js},
  {"stage.js", SCRIPT, stage_js, sizeof stage_js},
  {"tile.js", SCRIPT, tile_js, sizeof tile_js},
};

size_t fovea_page_count(void) { return sizeof files / sizeof files[0]; }
const char *fovea_page_name(size_t index) { return files[index].name; }
const char *fovea_page_type(size_t index) { return files[index].type; }
const unsigned char *fovea_page_start(size_t index) { return files[index].start; }
size_t fovea_page_size(size_t index) { return files[index].size; }

// SPDX-License-Identifier: Apache-2.0
#include "CPages.h"

#include <string.h>

// Embedded instead of shipped as resources: no search at run time.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define TEMPLATE ""
#define PAGE "text/html; charset=utf-8"
#define STYLE "text/css; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"
#define ICON "image/svg+xml"

// Each file is text, terminated by a zero.
#define FILE(name, type) {name, type, (const unsigned char[]){
#define END , 0}},

struct file {
  const char *name;
  const char *type;
  const unsigned char *text;
};

static const struct file live[] = {
  // The first view, below 64 KiB.
  FILE("index.html", PAGE)
#embed "live/index.html"
  END
  FILE("style.css", STYLE)
#embed "live/style.css"
  END
  FILE("icon.svg", ICON)
#embed "live/icon.svg"
  END
  FILE("app.js", SCRIPT)
#embed "live/app.js"
  END
  FILE("classes.js", SCRIPT)
#embed "live/classes.js"
  END
  FILE("live.js", SCRIPT)
#embed "live/live.js"
  END
  FILE("page.js", SCRIPT)
#embed "live/page.js"
  END
  FILE("settings.js", SCRIPT)
#embed "live/settings.js"
  END
  // Loaded on first use; together below 128 KiB.
  FILE("camera.js", SCRIPT)
#embed "live/camera.js"
  END
  FILE("draw.js", SCRIPT)
#embed "live/draw.js"
  END
  FILE("encoder.js", SCRIPT)
#embed "live/encoder.js"
  END
  FILE("events.js", SCRIPT)
#embed "live/events.js"
  END
  FILE("follow.js", SCRIPT)
#embed "live/follow.js"
  END
  FILE("gallery.js", SCRIPT)
#embed "live/gallery.js"
  END
  FILE("line.js", SCRIPT)
#embed "live/line.js"
  END
  FILE("photos.js", SCRIPT)
#embed "live/photos.js"
  END
  FILE("shapes.js", SCRIPT)
#embed "live/shapes.js"
  END
  FILE("skeleton.js", SCRIPT)
#embed "live/skeleton.js"
  END
  FILE("sources.js", SCRIPT)
#embed "live/sources.js"
  END
  FILE("stage.js", SCRIPT)
#embed "live/stage.js"
  END
  FILE("tile.js", SCRIPT)
#embed "live/tile.js"
  END
};

static const struct file console[] = {
  FILE("audit", TEMPLATE)
#embed "console/audit.html"
  END
  FILE("confirm", TEMPLATE)
#embed "console/confirm.html"
  END
  FILE("entries", TEMPLATE)
#embed "console/entries.html"
  END
  // Without a line end, because it is inserted within a line.
  FILE("entry-text", TEMPLATE)
#embed "console/entry-text.html"
  END
  FILE("config", TEMPLATE)
#embed "console/config.html"
  END
  FILE("config-version", TEMPLATE)
#embed "console/config-version.html"
  END
  FILE("difference", TEMPLATE)
#embed "console/difference.html"
  END
  FILE("experiment", TEMPLATE)
#embed "console/experiment.html"
  END
  FILE("experiments", TEMPLATE)
#embed "console/experiments.html"
  END
  FILE("intervals", TEMPLATE)
#embed "console/intervals.html"
  END
  FILE("key", TEMPLATE)
#embed "console/key.html"
  END
  FILE("keys", TEMPLATE)
#embed "console/keys.html"
  END
  FILE("layout", TEMPLATE)
#embed "console/layout.html"
  END
  FILE("model", TEMPLATE)
#embed "console/model.html"
  END
  FILE("models", TEMPLATE)
#embed "console/models.html"
  END
  FILE("pages", TEMPLATE)
#embed "console/pages.html"
  END
  FILE("problem", TEMPLATE)
#embed "console/problem.html"
  END
  FILE("search", TEMPLATE)
#embed "console/search.html"
  END
  FILE("sign-in", TEMPLATE)
#embed "console/sign-in.html"
  END
  FILE("style.css", STYLE)
#embed "console/style.css"
  END
  FILE("console.js", SCRIPT)
#embed "console/console.js"
  END
  FILE("icon.svg", ICON)
#embed "console/icon.svg"
  END
};

static const struct file report[] = {
  // The files shared by all reports, and each kind of page.
  FILE("images.html", PAGE)
#embed "report/images.html"
  END
  FILE("images.css", STYLE)
#embed "report/images.css"
  END
  FILE("images.js", SCRIPT)
#embed "report/images.js"
  END
  FILE("training.html", PAGE)
#embed "report/training.html"
  END
  FILE("report.css", STYLE)
#embed "report/report.css"
  END
  FILE("training.css", STYLE)
#embed "report/training.css"
  END
  FILE("report.js", SCRIPT)
#embed "report/report.js"
  END
  FILE("plots.js", SCRIPT)
#embed "report/plots.js"
  END
  FILE("figures.js", SCRIPT)
#embed "report/figures.js"
  END
  FILE("classes.js", SCRIPT)
#embed "report/classes.js"
  END
  FILE("training.js", SCRIPT)
#embed "report/training.js"
  END
};

static const struct {
  const struct file *files;
  size_t count;
} lists[] = {
  [FOVEA_PAGES_LIVE] = {live, sizeof live / sizeof *live},
  [FOVEA_PAGES_CONSOLE] = {console, sizeof console / sizeof *console},
  [FOVEA_PAGES_REPORT] = {report, sizeof report / sizeof *report},
};

size_t fovea_page_count(fovea_pages pages) { return lists[pages].count; }

fovea_page fovea_page_at(fovea_pages pages, size_t index) {
  const struct file *file = &lists[pages].files[index];
  return (fovea_page){file->name, file->type, file->text, strlen((const char *)file->text)};
}

// SPDX-License-Identifier: Apache-2.0
#include "fovea.h"
#include "fovea_process.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

// The sizes that callers were compiled with: changing one changes the interface.
_Static_assert(sizeof(fovea_model) == 40, "fovea_model");
_Static_assert(sizeof(fovea_image) == 88, "fovea_image");
_Static_assert(sizeof(fovea_call) == 48, "fovea_call");
_Static_assert(sizeof(fovea_columns) == 288, "fovea_columns");

static char text[2048];
static size_t length;
static pthread_once_t once = PTHREAD_ONCE_INIT;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsnprintf(text + length, sizeof text - length, format, arguments);
  va_end(arguments);
  if (count > 0) length += (size_t)count;
  if (length >= sizeof text) length = sizeof text - 1;
}

#define STRUCT(name) add("%s" #name " %zu", length ? "\n" : "", sizeof(name))
#define FIELD(name, field) add(" " #field ":%zu", offsetof(name, field))

static void write_layout(void) {
  STRUCT(fovea_model);
  FIELD(fovea_model, size);
  FIELD(fovea_model, path);
  FIELD(fovea_model, bytes);
  FIELD(fovea_model, length);
  FIELD(fovea_model, name);
  STRUCT(fovea_image);
  FIELD(fovea_image, size);
  FIELD(fovea_image, kind);
  FIELD(fovea_image, data);
  FIELD(fovea_image, length);
  FIELD(fovea_image, width);
  FIELD(fovea_image, height);
  FIELD(fovea_image, stride);
  FIELD(fovea_image, orientation);
  FIELD(fovea_image, name);
  FIELD(fovea_image, region);
  STRUCT(fovea_call);
  FIELD(fovea_call, size);
  FIELD(fovea_call, threads);
  FIELD(fovea_call, cancel);
  FIELD(fovea_call, progress);
  FIELD(fovea_call, context);
  FIELD(fovea_call, stream);
  FIELD(fovea_call, seconds);
  STRUCT(fovea_columns);
  FIELD(fovea_columns, size);
  FIELD(fovea_columns, images);
  FIELD(fovea_columns, objects);
  FIELD(fovea_columns, labels);
  FIELD(fovea_columns, widths);
  FIELD(fovea_columns, heights);
  FIELD(fovea_columns, orientations);
  FIELD(fovea_columns, milliseconds);
  FIELD(fovea_columns, object_offsets);
  FIELD(fovea_columns, boxes);
  FIELD(fovea_columns, scores);
  FIELD(fovea_columns, track_ids);
  FIELD(fovea_columns, label_offsets);
  FIELD(fovea_columns, label_indexes);
  FIELD(fovea_columns, label_scores);
  FIELD(fovea_columns, label_texts);
  FIELD(fovea_columns, keypoint_offsets);
  FIELD(fovea_columns, keypoints);
  FIELD(fovea_columns, oriented_boxes);
  FIELD(fovea_columns, mask_offsets);
  FIELD(fovea_columns, mask_cells);
  FIELD(fovea_columns, mask_sizes);
  FIELD(fovea_columns, mask_places);
  FIELD(fovea_columns, keypoint_scores);
  FIELD(fovea_columns, map_offsets);
  FIELD(fovea_columns, map_classes);
  FIELD(fovea_columns, map_confidences);
  FIELD(fovea_columns, map_sizes);
  FIELD(fovea_columns, map_places);
  FIELD(fovea_columns, map_class_count);
  FIELD(fovea_columns, features);
  FIELD(fovea_columns, feature_count);
  FIELD(fovea_columns, keypoint_depths);
  FIELD(fovea_columns, keypoint_presences);
  FIELD(fovea_columns, keypoint_worlds);
  FIELD(fovea_columns, right_hands);
}

const char *fovea_layout(void) {
  pthread_once(&once, write_layout);
  return text;
}

uint32_t fovea_abi(void) { return FOVEA_ABI; }

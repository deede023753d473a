// SPDX-License-Identifier: Apache-2.0
// Source: TIFF 6.0, section 2; BigTIFF's specification.
#include "tiff_directory.h"

#include <stdlib.h>
#include <string.h>

// The tags that libtiff and its codecs need for decoding, and those that identify a camera's raw photo.
static const uint16_t needed[] = {
    254, 255, 256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 284, 292, 293, 317, 318, 320, 322, 323, 324, 325, 326,
    327, 328, 330, 332, 334, 338, 339, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532, 32995, 32996,
    32997, 32998, 37439, 50674, 50706};
enum { needed_count = sizeof needed / sizeof needed[0], most_entries = 4096 };

static uint64_t number(const uint8_t *bytes, size_t count, bool is_little) {
  uint64_t value = 0;
  for (size_t index = 0; index < count; index++) value = value << 8 | bytes[is_little ? count - 1 - index : index];
  return value;
}

static void put(uint8_t *bytes, size_t count, uint64_t value, bool is_little) {
  for (size_t index = 0; index < count; index++) {
    bytes[is_little ? index : count - 1 - index] = (uint8_t)(value >> 8 * index);
  }
}

uint8_t *fovea_tiff_directory_filter(const uint8_t *bytes, size_t count) {
  uint8_t *copy = malloc(count > 0 ? count : 1);
  if (!copy) return NULL;
  memcpy(copy, bytes, count);
  if (count < 16) return copy;
  const bool is_little = bytes[0] == 'I';
  const bool is_large = number(bytes + 2, 2, is_little) == 43;
  const size_t number_size = is_large ? 8 : 4, head = is_large ? 8 : 2, entry = is_large ? 20 : 12;
  const uint64_t offset = number(bytes + (is_large ? 8 : 4), number_size, is_little);
  if (offset > count || count - offset < head) return copy;
  const uint64_t entries = number(bytes + offset, head, is_little);
  // libtiff refuses more entries, and a directory without space for the next page's offset is truncated.
  if (entries > most_entries || count - offset - head < entries * entry + number_size) return copy;
  bool is_there[needed_count] = {false};
  size_t kept = 0;
  uint8_t *const directory = copy + offset;
  for (uint64_t index = 0; index < entries; index++) {
    const uint8_t *from = bytes + offset + head + index * entry;
    const uint16_t tag = (uint16_t)number(from, 2, is_little);
    for (size_t at = 0; at < needed_count; at++) {
      // The first of duplicate entries counts.
      if (needed[at] != tag || is_there[at]) continue;
      is_there[at] = true;
      memcpy(directory + head + kept++ * entry, from, entry);
      break;
    }
  }
  put(directory, head, kept, is_little);
  // No further page; the shorter directory has space for this.
  memset(directory + head + kept * entry, 0, number_size);
  return copy;
}

// SPDX-License-Identifier: Apache-2.0
// Source: TIFF 6.0, section 2; BigTIFF's specification.
#include "tiff_directory.h"

#include <string.h>

// What libtiff and its codecs ask for while they decode, and what shows a camera's raw photo.
static const uint16_t needed[] = {
    254, 255, 256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 284, 292, 293, 317, 318, 320, 322, 323, 324, 325, 326,
    327, 328, 330, 332, 334, 338, 339, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532, 32995, 32996,
    32997, 32998, 37439, 50674, 50706};
enum { needed_count = sizeof needed / sizeof needed[0], large_entry = 20, most_entries = 4096 };
_Static_assert(8 + needed_count * large_entry + 8 <= sizeof(((fovea_tiff_directory *)0)->directory), "room for all");

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

void fovea_tiff_directory_make(const uint8_t *bytes, size_t count, fovea_tiff_directory *out) {
  out->directory_count = 0;
  if (count < 16) return;
  const bool is_little = bytes[0] == 'I';
  const bool is_large = number(bytes + 2, 2, is_little) == 43;
  const size_t number_size = is_large ? 8 : 4, head = is_large ? 8 : 2, entry = is_large ? large_entry : 12;
  const size_t place = is_large ? 8 : 4;
  const uint64_t offset = number(bytes + place, number_size, is_little);
  if (offset > count || count - offset < head) return;
  const uint64_t entries = number(bytes + offset, head, is_little);
  // libtiff refuses more.
  if (entries > most_entries || count - offset - head < entries * entry) return;
  bool is_there[needed_count] = {false};
  size_t kept = 0;
  for (uint64_t index = 0; index < entries; index++) {
    const uint8_t *from = bytes + offset + head + index * entry;
    const uint16_t tag = (uint16_t)number(from, 2, is_little);
    for (size_t at = 0; at < needed_count; at++) {
      // Of an entry that is there twice, the first counts.
      if (needed[at] != tag || is_there[at]) continue;
      is_there[at] = true;
      memcpy(out->directory + head + kept++ * entry, from, entry);
      break;
    }
  }
  put(out->directory, head, kept, is_little);
  // No further page.
  memset(out->directory + head + kept * entry, 0, number_size);
  out->directory_offset = count + count % 2;
  out->directory_count = head + kept * entry + number_size;
  out->header_count = place + number_size;
  memcpy(out->header, bytes, out->header_count);
  put(out->header + place, number_size, out->directory_offset, is_little);
}

size_t fovea_tiff_directory_read(
    const fovea_tiff_directory *directory, const uint8_t *bytes, size_t count, uint64_t offset, uint8_t *target,
    size_t wanted) {
  const uint64_t end = fovea_tiff_directory_size(directory, count);
  if (offset >= end) return 0;
  const size_t taken = wanted < end - offset ? wanted : (size_t)(end - offset);
  size_t done = 0;
  if (offset < count) {
    done = taken < count - offset ? taken : (size_t)(count - offset);
    memcpy(target, bytes + offset, done);
  }
  if (!directory->directory_count) return done;
  for (size_t index = 0; index < done && offset + index < directory->header_count; index++) {
    target[index] = directory->header[offset + index];
  }
  for (; done < taken; done++) {
    const uint64_t at = offset + done;
    target[done] = at < directory->directory_offset ? 0 : directory->directory[at - directory->directory_offset];
  }
  return taken;
}

uint64_t fovea_tiff_directory_size(const fovea_tiff_directory *directory, size_t count) {
  return directory->directory_count ? directory->directory_offset + directory->directory_count : count;
}

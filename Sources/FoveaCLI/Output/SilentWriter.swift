// SPDX-License-Identifier: Apache-2.0

/// Prints nothing: in formats with one file for each image, the work on the image has written it.
struct SilentWriter: RecordWriter {
  mutating func text(for record: Record) -> String { "" }
}

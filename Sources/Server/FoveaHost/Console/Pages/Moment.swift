// SPDX-License-Identifier: Apache-2.0
#if Server

/// A time as a page shows it; the script writes it as the reader's clock has it.
struct Moment: Equatable {
  let iso: String
  /// `2026-11-23 10:42 UTC`.
  let text: String

  init(_ time: Timestamp) {
    iso = time.text
    text = "\(iso.prefix(10)) \(iso.dropFirst(11).prefix(5)) UTC"
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaImage

/// Expands patterns that the shell did not: it found no match, or there is no shell.
enum GlobExpansion {
  static func isPattern(_ argument: String) -> Bool {
    argument.utf8.contains { $0 == 0x2A || $0 == 0x3F || $0 == 0x5B }
  }

  /// Returns the matching paths in natural order; empty if nothing matches.
  static func matches(_ pattern: String) -> [FilePath] {
    var found = unsafe glob_t()
    defer { unsafe globfree(&found) }
    guard unsafe glob(pattern, GLOB_NOSORT, nil, &found) == 0 else { return [] }
    var paths: [FilePath] = []
    for index in 0..<Int(unsafe found.gl_pathc) {
      guard let text = unsafe found.gl_pathv[index] else { continue }
      paths.append(FilePath(bytes: unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))))
    }
    return paths.sorted { NaturalOrder.precedes($0.bytes[...], $1.bytes[...]) }
  }
}

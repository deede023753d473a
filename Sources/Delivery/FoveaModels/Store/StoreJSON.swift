// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The text of the store's small files.
package enum StoreJSON {
  /// A value of texts and whole numbers as JSON, with a line end.
  package static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    // Texts and small numbers: there is nothing that cannot be encoded.
    guard let data = try? encoder.encode(value) else { return [] }
    return [UInt8](data) + [0x0A]
  }
}

// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

enum SHA256Text {
  static func of(_ bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes.span) }
}

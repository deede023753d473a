// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
  /// Without spaces and tabs at both ends.
  package var trimmingBlanks: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}

// SPDX-License-Identifier: Apache-2.0
#if Server
extension DatabaseSchema {
  /// What the one who made a key calls it.
  static let keyLabels = ["ALTER TABLE hostKey ADD COLUMN label TEXT"]
}
#endif

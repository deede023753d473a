// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaSystem

extension ModelStore {
  /// Reads a model's file and compares it with what was stored.
  ///
  /// - Parameter name: Its name.
  /// - Returns: The model, whose file has the size and the SHA-256 that it had when it was downloaded.
  /// - Throws: `damagedModel`, which names both checksums; `notInstalled`, `unknownModel`, `storeUnreadable`.
  /// - Complexity: Reads the whole file.
  @discardableResult
  public func verify(_ name: String) throws(ModelStoreError) -> InstalledModel {
    guard let model = try installedModel(named: name) else { throw missing(name) }
    var sum = SHA256()
    let isThere = try FileSystem.read(model.path) { bytes throws(ModelStoreError) in
      sum.update(bytes)
    }
    guard isThere else { throw StoreRecord.damaged(name, "there is no file '\(model.path)'") }
    let sha256 = sum.finish()
    guard sha256 == model.sha256 else {
      throw StoreRecord.damaged(
        name, "the SHA-256 of '\(model.path)' is \(sha256) instead of \(model.sha256)")
    }
    return model
  }
}

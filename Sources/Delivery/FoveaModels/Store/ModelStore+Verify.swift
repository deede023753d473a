// SPDX-License-Identifier: Apache-2.0

extension ModelStore {
  /// Reads a model's file and compares it with its stored checksum.
  ///
  /// - Parameter name: The model's name.
  /// - Returns: The model, whose file has the size and SHA-256 of the download.
  /// - Throws: `damagedModel`, which names both checksums; `notInstalled`, `unknownModel`, `storeUnreadable`.
  /// - Complexity: Reads the whole file.
  @discardableResult
  public func verify(_ name: String) throws(ModelStoreError) -> InstalledModel {
    guard let model = try installedModel(named: name) else { throw origin.missing(name) }
    guard let sha256 = try FileSystem.sha256(of: model.path) else {
      throw origin.damaged(name, "there is no file '\(model.path)'")
    }
    guard sha256 == model.sha256 else {
      throw origin.damaged(name, "the SHA-256 of '\(model.path)' is \(sha256) instead of \(model.sha256)")
    }
    return model
  }

  /// Returns the current model if its file is intact; nil otherwise, because a download repairs it.
  ///
  /// A file that is unchanged since its verification is not read again.
  /// - Parameters:
  ///   - name: The model's name.
  ///   - sha256: The required content; nil for any.
  /// - Returns: The model, or nil.
  func intactModel(named name: String, sha256: String?) -> InstalledModel? {
    guard let model = try? installedModel(named: name), sha256 ?? model.sha256 == model.sha256 else {
      return nil
    }
    // Without its record, the file is read.
    let record = try? record(of: name)
    if let stamp = record?.verified, record?.sha256 == model.sha256, stamp == FileStamp(model.path) {
      return model
    }
    return try? verify(name)
  }
}

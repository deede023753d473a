// SPDX-License-Identifier: Apache-2.0

/// What is on the disk of a model's downloads: one part, or one for each SHA-256 that was wanted.
struct PartNames {
  /// The name of the model, or the SHA-256 of a model of the catalogue.
  let name: String
  let layout: StoreLayout

  /// The name of a part whose SHA-256 is known; no model has such a name, as it is too long for one.
  func part(_ sha256: String) -> String { name + "-" + sha256 }

  /// The names of the parts that are there.
  var present: [String] {
    let names = (try? FileSystem.names(in: layout.partialFolder)) ?? []
    return names.compactMap { file in
      guard file.hasSuffix(".part") else { return nil }
      let part = String(file.dropLast(".part".count))
      guard part != name else { return part }
      guard part.hasPrefix(name + "-"), ModelName.isChecksum(String(part.dropFirst(name.count + 1))) else {
        return nil
      }
      return part
    }
  }

  /// Removes parts and tags, but not those of `kept`.
  func remove(but kept: String? = nil) throws(ModelStoreError) {
    for part in present + [name] where part != kept {
      try FileSystem.remove(layout.tag(part))
      try FileSystem.remove(layout.part(part))
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The number by which a device takes part in rollouts and experiments: made when a host first asks for a draw, or when an app
/// first fetches a configuration or logs an event.
///
/// Downloads of models never send it; a fetch and an event do.
struct InstallationID: Codable, Hashable {
  var layout = StoreLayout.version
  /// 128 random bits as 32 hexadecimal digits.
  var id: String

  init(id: String) { self.id = id }

  /// A new one.
  init() { id = Hexadecimal.random(byteCount: 16) }

  /// The number of a store, which is made where there is none, or none that can be read.
  /// - Throws: `storeUnreadable`, `storeUnwritable`.
  static func of(_ layout: StoreLayout) throws(ModelStoreError) -> InstallationID {
    if let present = try read(layout.installation) { return present }
    return try layout.alone("~installation") { () throws(ModelStoreError) in
      if let other = try read(layout.installation) { return other }
      let new = InstallationID()
      try FileSystem.replace(layout.installation, with: StoreJSON.encode(new))
      return new
    }
  }

  private static func read(_ path: String) throws(ModelStoreError) -> InstallationID? {
    // A number that is damaged is of no use to anyone: a new one takes its place.
    guard let json = try FileSystem.contents(of: path, limit: 4_096),
      let found = try? JSONValue.decode(InstallationID.self, from: json),
      found.layout == StoreLayout.version, found.id.utf8.count == 32
    else { return nil }
    return found
  }
}

// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The id with which a device takes part in rollouts and experiments: created when a host first offers a
/// choice, or when an app first fetches a configuration or logs an event.
///
/// Model downloads never send it; fetches and events do.
struct InstallationID: Codable, Hashable {
  var layout = StoreLayout.version
  /// 128 random bits as 32 hexadecimal digits.
  var id: String

  init(id: String) { self.id = id }

  /// Creates a random id.
  init() { id = Hexadecimal.random(byteCount: 16) }

  /// Returns the id of a store; creates it if it is missing or unreadable.
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
    // A damaged id is replaced by a new one.
    guard let json = try FileSystem.contents(of: path, limit: 4_096),
      let found = try? JSONValue.decode(InstallationID.self, from: json),
      found.layout == StoreLayout.version, found.id.utf8.count == 32
    else { return nil }
    return found
  }
}

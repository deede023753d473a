// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A private folder for the files of one command.
package enum TemporaryPlace {
  /// Creates a folder in `TMPDIR`, else in `/tmp`, passes its path to `body`, and removes it with its files.
  /// - Throws: The errors of `body`; `unavailable` or `disk-full` if the folder cannot be created.
  package static func with<Value: Sendable>(
    _ body: (_ path: String) async throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    let place = (Environment.value("TMPDIR") ?? "/tmp") + "/fovea-" + BlobPlaces.newUploadName()
    guard unsafe mkdir(place, 0o700) == 0 else { throw HostError(system: SystemError(errno)) }
    defer { remove(place) }
    return try await body(place)
  }

  /// Removes a folder of files, some of which may be partial.
  private static func remove(_ place: String) {
    try? Folder.forEach(in: FilePath(place)) { name, _ in
      _ = unsafe unlink(place + "/" + String(decoding: name, as: UTF8.self))
    }
    unsafe rmdir(place)
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if Server
import FoundationEssentials
import FoveaCore

/// The content of `host.json` in a host's folder.
package struct HostSettings: Sendable, Codable, Equatable {
  /// The layout of the folder that this program reads and writes.
  package static let presentLayout = 1

  /// The layout of the folder.
  package var layout = HostSettings.presentLayout
  package var project: String
  /// The URL at which clients reach the host, without a trailing slash.
  package var url: String
  /// The bucket to which Google's storage client uploads.
  package var bucket: String

  /// - Throws: `invalid` for a project or bucket that Google's clients refuse, or an invalid URL.
  package init(project: String, url: String, bucket: String? = nil) throws(HostError) {
    guard HostName.isProject(project) else {
      throw HostError(
        .invalid, "\(HostName.shown(project)) is not a valid project name",
        remedy: "Use 1 to 30 lower-case letters, digits and '-'")
    }
    let bucket = bucket ?? project + ".appspot.com"
    guard HostName.isBucket(bucket) else {
      throw HostError(
        .invalid, "\(HostName.shown(bucket)) is not a valid bucket name",
        remedy: "Use 3 to 63 lower-case letters, digits, '_', '.' and '-'")
    }
    guard let scheme = ["http://", "https://"].first(where: url.hasPrefix),
      url.utf8.count > scheme.utf8.count,
      url.utf8.allSatisfy({
        (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
      }),
      !url.contains("@")
    else {
      throw HostError(
        .invalid, "\(HostName.shown(url)) is not a valid URL of a host",
        remedy: "Give http:// or https:// and the host name or IP address that clients use, without a key")
    }
    self.project = project
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    self.bucket = bucket
  }

  /// Reads `host.json`.
  /// - Throws: `folder` if it is missing, cannot be read, or was written by a newer program.
  static func read(_ path: String) throws(HostError) -> HostSettings {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SmallFile.bytes(of: path, limit: 1 << 16) } catch {
      guard error.number == ENOENT || error.number == ENOTDIR || error.isTooLarge else {
        throw HostError(system: error)
      }
      let folder = FilePath(path).parent
      if CopyNote.isPresent(in: folder) {
        throw HostError(
          .folder, "\(folder.printable) holds an interrupted copy of a host",
          remedy: "Continue it with \(command: "host copy"), or remove the folder")
      }
      if HostFolder.isUnfinished(folder) {
        throw HostError(
          .folder, "\(folder.printable) holds a host that an interrupted command did not complete",
          remedy: "Remove the folder, and run the command again")
      }
      let manifest = try? SmallFile.bytes(of: folder + "/manifest.json", limit: 1 << 26)
      if let manifest, (try? HostManifest.read(manifest)) != nil {
        throw HostError(
          .folder, "\(folder.printable) holds models that were exported from a host, not a host",
          remedy: "Publish them on a host that serves: \(call: "host import \(folder.printable)")")
      }
      throw HostError(
        .folder, "\(folder.printable) is not the folder of a model host",
        remedy: "Create one with \(command: "host init"), or choose another folder")
    }
    struct Layout: Decodable { var layout: Int }
    let layout = try? JSONValue.decode(Layout.self, from: bytes).layout
    if let layout, layout > presentLayout {
      throw HostError(
        .folder, "The folder has layout \(layout); this program supports layout \(presentLayout)",
        remedy: "Use the fovea-server that wrote it, or a newer one")
    }
    do throws(JSONFailure) { return try JSONValue.decode(HostSettings.self, from: bytes) } catch {
      throw HostError(
        .folder, "The host.json of the folder cannot be read: \(error.located)",
        remedy: "Restore it from a backup of the folder")
    }
  }

  package func write(_ path: String) throws(HostError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else {
      throw HostError(.inner, "The settings cannot be written as JSON", remedy: "Report it with this text")
    }
    let bytes = Array(data) + [0x0A]
    do throws(SystemError) {
      try ReplacedFile.write(bytes, to: path, isPrivate: true, replaces: false)
    } catch {
      throw HostError(system: error)
    }
  }
}
#endif

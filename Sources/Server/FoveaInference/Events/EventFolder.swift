// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The folder of a journal, which only its owner can read and one server at a time writes.
///
/// Its file `events.json` distinguishes it from other folders, in which nothing is written.
final class EventFolder: Sendable {
  let path: String
  /// The open folder, locked until this is released.
  let lock: Int32

  private static let version = 1
  private static let marker = "events.json"

  /// Creates the folder if it is missing, and locks it.
  /// - Throws: `events-unusable`.
  init(_ path: String) throws(FoveaError) {
    self.path = path
    do throws(SystemError) {
      try Folder.make(leadingTo: path)
      if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemError(errno) }
      lock = try FileLock.openFolder(path)
    } catch {
      throw EventFolder.failure(path, error)
    }
    do throws(FoveaError) { try claim() } catch {
      FileLock.release(lock)
      throw error
    }
  }

  deinit { FileLock.release(lock) }

  /// Checks that a server can use a folder, which may be in use; changes nothing.
  /// - Throws: `events-unusable`.
  static func check(_ path: String) throws(FoveaError) {
    guard FileStatus(FilePath(path)) != nil else {
      if let obstacle = Folder.obstacle(to: path) { throw failure(path, obstacle) }
      return
    }
    _ = try isMarked(path)
  }

  /// Checks an existing folder; writes the marker into an empty one.
  private func claim() throws(FoveaError) {
    guard try !EventFolder.isMarked(path) else { return }
    do throws(SystemError) {
      // The owner of an empty folder may have created it with other permissions.
      guard unsafe chmod(path, 0o700) == 0 else { throw SystemError(errno) }
      let text = JSONText.line { json in
        json.member("format", "fovea-events")
        json.member("version", EventFolder.version)
      }
      try ReplacedFile.write(text.utf8, to: FilePath.joined(path, EventFolder.marker), isPrivate: true)
    } catch {
      throw EventFolder.failure(path, error)
    }
  }

  /// Returns whether a folder belongs to a journal of this version; false if it is empty.
  private static func isMarked(_ path: String) throws(FoveaError) -> Bool {
    let names: [String]
    let bytes: [UInt8]
    do throws(SystemError) {
      names = try Folder.names(in: path).filter { $0 != marker + PartialPath.ending && $0 != "lost+found" }
      guard unsafe access(path, R_OK | W_OK | X_OK) == 0 else { throw SystemError(errno) }
      bytes =
        try names.contains(marker) ? SmallFile.bytes(of: FilePath.joined(path, marker), limit: 4_096) : []
    } catch {
      throw failure(path, error)
    }
    guard !names.isEmpty else { return false }
    guard names.contains(marker), let value = try? JSONValue(bytes, name: marker),
      value["format"]?.text == "fovea-events", let version = value["version"]?.digits.flatMap({ Int($0) })
    else {
      let others = names.filter { $0 != marker }.sorted().first ?? marker
      throw FoveaError(
        .eventsUnusable, "The folder '\(path)' has files of another program, such as '\(others.printable)'",
        remedy: "Give an empty folder, or one that does not exist, with \(flag: "events")")
    }
    guard version <= EventFolder.version else {
      throw FoveaError(
        .eventsUnusable,
        "The folder '\(path)' was written by a newer version of Fovea: its format is \(version), "
          + "this version reads \(EventFolder.version)",
        remedy: "Use the newer version, or give another folder with \(flag: "events")")
    }
    return true
  }

  /// Returns the error for a folder or a file in it that the system refuses.
  static func failure(_ path: String, _ error: SystemError) -> FoveaError {
    guard !error.isInUse else {
      return FoveaError(
        .eventsUnusable, "The folder '\(path)' is in use by another server",
        remedy: "Stop that server, or give another folder with \(flag: "events")")
    }
    return FoveaError(
      .eventsUnusable, "The folder '\(path)' cannot be used for events: \(error.message)",
      remedy: "Give a folder that the server may write to with \(flag: "events")")
  }

  /// Returns the segments of the journal, the oldest first.
  /// - Throws: `events-unusable`.
  func segments() throws(FoveaError) -> [EventSegment] {
    do throws(SystemError) {
      var segments: [EventSegment] = []
      for name in try Folder.names(in: path) {
        guard let first = EventSegment.first(of: name) else { continue }
        guard let status = FileStatus(FilePath(path(of: first))) else { throw SystemError(errno) }
        segments.append(EventSegment(first: first, size: status.size))
      }
      return segments.sorted { $0.first < $1.first }
    } catch {
      throw EventFolder.failure(path, error)
    }
  }

  /// Returns the path of the segment whose first number is given.
  func path(of first: Int) -> String { FilePath.joined(path, EventSegment.name(first)) }
}

/// A file of a journal; its name has the number of its first line.
struct EventSegment: Sendable, Hashable {
  /// No line has a lower number.
  let first: Int
  /// The size in bytes.
  var size: Int

  /// Returns the name of a file.
  static func name(_ first: Int) -> String {
    let digits = String(first)
    return "events-" + String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits + ".jsonl"
  }

  /// Returns the whole lines of a file; its last one may be cut, or being written.
  static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let newline = UInt8(ascii: "\n")
    guard let end = bytes.lastIndex(of: newline) else { return [] }
    return bytes[..<end].split(separator: newline)
  }

  /// Returns the number in the name of a file; nil for other files.
  static func first(of name: String) -> Int? {
    guard name.hasPrefix("events-"), name.hasSuffix(".jsonl") else { return nil }
    let digits = name.dropFirst(7).dropLast(6)
    guard let first = Int(digits), first > 0, EventSegment.name(first) == name else { return nil }
    return first
  }
}
#endif

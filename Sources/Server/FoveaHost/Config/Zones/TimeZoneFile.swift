// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Why there is no zone of a name.
struct TimeZoneFailure: Error, Equatable {
  /// Without a final stop.
  let reason: String
}

/// The offsets of a time zone from UTC, out of the system's files.
///
/// **Source:** RFC 9636, the Time Zone Information Format, version 2 and later.
struct TimeZoneFile: Sendable, Equatable {
  static let folder = "/usr/share/zoneinfo"

  /// The moments in seconds from which each offset counts, in their order.
  private(set) var moments: [Int64] = []
  /// The offsets from these moments on, in seconds.
  private(set) var offsets: [Int64] = []
  /// What counts before the first moment.
  private(set) var first: Int64 = 0
  /// What counts after the last one; nil where nothing changes any more.
  private(set) var rule: TimeZoneRule?

  /// A zone without changes.
  init(offset: Int64) { first = offset }

  /// Reads the zone of a name as `Europe/Lisbon`.
  init(named name: String, in folder: String = TimeZoneFile.folder) throws(TimeZoneFailure) {
    if ["UTC", "GMT", "Etc/UTC", "Etc/GMT"].contains(name) {
      self.init(offset: 0)
      return
    }
    let unknown = TimeZoneFailure(
      reason: "there is no time zone '\(ConfigFault.shortened(name))'; names are as in 'Europe/Lisbon'")
    guard TimeZoneFile.isName(name) else { throw unknown }
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SmallFile.bytes(of: folder + "/" + name, limit: 1 << 18) } catch {
      guard FileStatus(FilePath(folder))?.kind == .folder else {
        throw TimeZoneFailure(reason: "this system has no time zones; install the package tzdata")
      }
      throw unknown
    }
    guard let zone = TimeZoneFile(bytes) else { throw unknown }
    self = zone
  }

  private static func isName(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return text.utf8.count <= 64 && !["posix", "right"].contains(parts[0])
      && parts.allSatisfy { part in
        part.first.map { $0 != "." } ?? false
          && part.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
              || byte == 0x2B || byte == 0x2D || byte == 0x5F
          }
      }
  }

  /// Reads a file; nil where it is none.
  init?(_ bytes: [UInt8]) {
    guard let old = Head(bytes, at: 0), old.version >= 2,
      let head = Head(bytes, at: old.end(of: 4))
    else { return nil }
    let times = head.start
    let kinds = times + head.times * 8
    let types = kinds + head.times
    let end = head.end(of: 8)
    guard end <= bytes.count, head.types > 0 else { return nil }
    func number(_ index: Int, _ count: Int) -> Int64 {
      let value = bytes[index..<(index + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return count == 8 ? Int64(bitPattern: value) : Int64(Int32(truncatingIfNeeded: value))
    }
    first = number(types, 4)
    for index in 0..<head.times {
      let kind = Int(bytes[kinds + index])
      guard kind < head.types else { return nil }
      let moment = number(times + index * 8, 8)
      guard moments.last.map({ $0 < moment }) ?? true else { return nil }
      moments.append(moment)
      offsets.append(number(types + kind * 6, 4))
    }
    let footer = String(decoding: bytes[end...].dropFirst().prefix { $0 != 0x0A }, as: UTF8.self)
    rule = TimeZoneRule(footer)
  }

  /// The numbers at the beginning of each of the file's two parts.
  private struct Head {
    let start: Int
    let version: Int
    let times: Int
    let types: Int
    private let rest: (letters: Int, leaps: Int, standard: Int, universal: Int)

    init?(_ bytes: [UInt8], at index: Int) {
      guard index >= 0, bytes.count >= index + 44,
        bytes[index..<(index + 4)].elementsEqual("TZif".utf8)
      else { return nil }
      func count(_ place: Int) -> Int {
        bytes[(index + 20 + place * 4)..<(index + 24 + place * 4)].reduce(0) { $0 << 8 | Int($1) }
      }
      start = index + 44
      version = Int(bytes[index + 4]) - 0x30
      times = count(3)
      types = count(4)
      rest = (count(5), count(2), count(1), count(0))
      guard [times, types, rest.letters, rest.leaps].allSatisfy({ $0 < 1 << 16 }) else { return nil }
    }

    /// Where the part ends, with times of that many bytes.
    func end(of size: Int) -> Int {
      start + times * (size + 1) + types * 6 + rest.letters + rest.leaps * (size + 4) + rest.standard
        + rest.universal
    }
  }

  /// The offset at a moment, both in seconds.
  func offset(at moment: Int64) -> Int64 {
    guard let last = moments.last else { return rule?.offset(at: moment) ?? first }
    if moment >= last, let rule { return rule.offset(at: moment) }
    var low = 0
    var high = moments.count
    while low < high {
      let middle = (low + high) / 2
      if moments[middle] <= moment { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : offsets[low - 1]
  }

  /// The moment at which the clocks of the zone show a time, which is given as if they were UTC's.
  ///
  /// Of a time that is shown twice it is the first one; one that is left out counts as if the clocks had not changed.
  func moment(ofLocal local: Timestamp) -> Timestamp {
    let seconds = local.milliseconds / 1000
    // No zone is further than a day from UTC, and none changes twice in two days.
    let before = offset(at: seconds - 86_400)
    let after = offset(at: seconds + 86_400)
    let isBefore = offset(at: seconds - before) == before
    let offset = isBefore || self.offset(at: seconds - after) != after ? before : after
    return Timestamp(milliseconds: local.milliseconds - offset * 1000)
  }
}
#endif

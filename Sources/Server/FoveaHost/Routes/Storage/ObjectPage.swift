// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// What a list of objects asks for: Cloud Storage's `objects.list`.
struct ObjectListing: Sendable, Equatable {
  var prefix = ""
  /// What ends the part of a name that stands for all names with it; nil where each name is listed.
  var delimiter: String?
  /// The first name; the first one that is not listed any more.
  var start = ""
  var end: String?
  /// The name after which the page begins.
  var after = ""
  /// Names and parts of a page.
  var size = 1000

  /// What changes the list and is not done here: an answer without it would be another list.
  private static let refused = [
    "versions", "softDeleted", "matchGlob", "filter", "includeFoldersAsPrefixes",
    "includeTrailingDelimiter",
  ]

  /// - Throws: `invalid`, with the name of the parameter.
  init(_ query: RequestQuery) throws(HostError) {
    for name in Self.refused {
      guard let value = query[name], value.lowercased() != "false", !value.isEmpty else { continue }
      throw .invalidUpload(
        "'\(name)' is not taken: objects have one version, and are listed by prefix, offset and delimiter")
    }
    prefix = query["prefix"] ?? ""
    delimiter = query["delimiter"].flatMap { $0.isEmpty ? nil : $0 }
    start = query["startOffset"] ?? ""
    end = query["endOffset"].flatMap { $0.isEmpty ? nil : $0 }
    if let text = query["maxResults"] {
      guard let number = Int(text), number > 0 else {
        throw .invalidUpload("maxResults is not a whole number from 1")
      }
      size = min(number, 1000)
    }
    guard let token = query["pageToken"], !token.isEmpty else { return }
    guard let bytes = Base64.decode(token), let name = String(validating: bytes, as: UTF8.self) else {
      throw .invalidUpload("pageToken is not one of this host")
    }
    after = name
  }
}

/// One page of a list of objects.
struct ObjectPage: Sendable {
  var objects: [StoredObject] = []
  /// The parts of names that end with the delimiter, each once.
  var prefixes: [String] = []
  /// Where the next page begins, also after objects were added and removed; nil at the end.
  var next: String?

  /// Reads as many objects as the page needs.
  /// - Parameters:
  ///   - listing: What is asked for.
  ///   - exists: Whether the bytes of an object are there.
  ///   - read: At most so many objects after a name, whose names begin with the prefix, in their order.
  /// - Throws: What reading throws.
  init(
    _ listing: ObjectListing, exists: (StoredObject) -> Bool,
    read: (_ after: String, _ limit: Int) async throws(HostError) -> [StoredObject]
  ) async throws(HostError) {
    var last = listing.after
    while true {
      let found = try await read(last, 1000)
      for object in found {
        last = object.name
        guard object.name.utf8Order >= listing.start.utf8Order, exists(object) else { continue }
        if let end = listing.end, object.name.utf8Order >= end.utf8Order { return }
        let part = listing.part(of: object.name)
        // What the page before has listed, or this one.
        if let part, prefixes.last == part || listing.after.hasPrefix(part) { continue }
        guard objects.count + prefixes.count < listing.size else {
          next = Base64.encode(Array((lastListed ?? listing.after).utf8))
          return
        }
        if let part { prefixes.append(part) } else { objects.append(object) }
      }
      if found.count < 1000 { return }
    }
  }

  /// The name, or the part of names, that was listed last.
  private var lastListed: String? {
    [objects.last?.name, prefixes.last].compactMap(\.self).max { $0.utf8Order < $1.utf8Order }
  }
}

extension ObjectListing {
  /// The part of a name up to the delimiter behind the prefix; nil where it has none.
  func part(of name: String) -> String? {
    guard let delimiter, name.hasPrefix(prefix),
      let found = name[name.index(name.startIndex, offsetBy: prefix.count)...].firstRange(of: delimiter)
    else { return nil }
    return String(name[..<found.upperBound])
  }
}

extension String {
  /// The order of names in a bucket: that of their bytes.
  fileprivate var utf8Order: ByteOrder { ByteOrder(bytes: Array(utf8)) }
}

private struct ByteOrder: Comparable {
  let bytes: [UInt8]
  static func < (first: Self, second: Self) -> Bool { first.bytes.lexicographicallyPrecedes(second.bytes) }
}
#endif

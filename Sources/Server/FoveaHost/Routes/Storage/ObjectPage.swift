// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// A request for a list of objects: Cloud Storage's `objects.list`.
struct ObjectListing: Sendable, Equatable {
  var prefix = ""
  /// The end of the part of a name that represents all names with it; nil to list each name.
  var delimiter: String?
  /// The first name, and the end, which is excluded.
  var start = ""
  var end: String?
  /// The name after which the page starts.
  var after = ""
  /// The number of names and parts of a page.
  var size = 1000

  /// Unsupported parameters that change the list: ignoring them would return another list.
  private static let refused = [
    "versions", "softDeleted", "matchGlob", "filter", "includeFoldersAsPrefixes",
    "includeTrailingDelimiter",
  ]

  /// - Throws: `invalid`, with the name of the parameter.
  init(_ query: RequestQuery) throws(HostError) {
    for name in Self.refused {
      guard let value = query[name], value.lowercased() != "false", !value.isEmpty else { continue }
      throw .invalidUpload(
        "'\(name)' is not supported: objects have one version, and are listed by prefix, offset and "
          + "delimiter")
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
      throw .invalidUpload("pageToken was not issued by this host")
    }
    after = name
  }
}

/// One page of a list of objects.
struct ObjectPage: Sendable {
  var objects: [StoredObject] = []
  /// The parts of names that end with the delimiter, each once.
  var prefixes: [String] = []
  /// The token of the next page, valid even after objects are added and removed; nil at the end.
  var next: String?

  /// Reads as many objects as the page needs.
  /// - Parameters:
  ///   - listing: The request.
  ///   - exists: Whether the bytes of an object exist.
  ///   - read: Returns up to a number of objects after a name, whose names begin with the prefix, in order.
  /// - Throws: Any error of `exists` and `read`.
  init(
    _ listing: ObjectListing, exists: (StoredObject) async throws(HostError) -> Bool,
    read: (_ after: String, _ limit: Int) async throws(HostError) -> [StoredObject]
  ) async throws(HostError) {
    var last = listing.after
    while true {
      let found = try await read(last, 1000)
      for object in found {
        last = object.name
        guard object.name.utf8Order >= listing.start.utf8Order, try await exists(object) else { continue }
        if let end = listing.end, object.name.utf8Order >= end.utf8Order { return }
        let part = listing.part(of: object.name)
        // Already listed by the previous page or by this one.
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

  /// The last listed name, or part of names.
  private var lastListed: String? {
    [objects.last?.name, prefixes.last].compactMap(\.self).max { $0.utf8Order < $1.utf8Order }
  }
}

extension ObjectListing {
  /// Returns the part of a name up to the first delimiter after the prefix; nil if there is none.
  func part(of name: String) -> String? {
    guard let delimiter, name.hasPrefix(prefix),
      let found = name[name.index(name.startIndex, offsetBy: prefix.count)...].firstRange(of: delimiter)
    else { return nil }
    return String(name[..<found.upperBound])
  }
}

extension String {
  /// The order of names in a bucket: by their UTF-8 bytes.
  fileprivate var utf8Order: ByteOrder { ByteOrder(bytes: Array(utf8)) }
}

private struct ByteOrder: Comparable {
  let bytes: [UInt8]
  static func < (first: Self, second: Self) -> Bool { first.bytes.lexicographicallyPrecedes(second.bytes) }
}
#endif

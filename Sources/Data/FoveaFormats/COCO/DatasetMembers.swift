// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The lists of a COCO file that a reader has met, so that one that occurs twice or has a misspelt name is an
/// error and not an empty list.
struct DatasetMembers {
  /// A list of a COCO file.
  enum List: String, CaseIterable {
    case images, annotations, categories

    /// The name of one element, a common misspelling.
    private var singular: String { self == .categories ? "category" : String(rawValue.dropLast()) }

    /// Finds the list with a similar name; nil if there is none.
    init?(meantBy name: String) {
      let list = List.allCases.first {
        NameDistance.changes(from: name, to: $0.rawValue) <= 2
          || NameDistance.changes(from: name, to: $0.singular) <= 1
      }
      guard let list else { return nil }
      self = list
    }
  }

  private static let keys = List.allCases.map { (list: $0, key: JSONKey($0.rawValue)) }

  private var found: Set<List> = []
  /// The first member with a name like that of a list, and its place.
  private var similar: [List: (name: String, place: JSONPlace)] = [:]

  /// Adds the member whose key `reader` has just read.
  /// - Throws: `mismatch` if it is a list that occurs twice.
  mutating func add(_ key: JSONKey, _ reader: inout JSONReader) throws(JSONFailure) {
    if let list = Self.keys.first(where: { $0.key == key })?.list {
      try reader.refuse(twin: !found.insert(list).inserted, list.rawValue)
      return
    }
    let name = reader.lastKey
    guard try reader.beginsContainer(), let list = List(meantBy: name), similar[list] == nil else { return }
    similar[list] = (name, reader.mark())
  }

  /// Throws if a list is missing and there is a member with a similar name; `file` is the file's name.
  /// - Throws: `mismatch`.
  func check(_ file: String) throws(JSONFailure) {
    for list in List.allCases where !found.contains(list) {
      guard let (name, place) = similar[list] else { continue }
      throw JSONFailure(
        .mismatch, file,
        "COCO files have no member '\(String(name.prefix(40)).printable)', which is at \(place); "
          + "did you mean '\(list.rawValue)'?")
    }
  }
}

extension JSONReader {
  /// Whether the next value is an array or an object.
  fileprivate mutating func beginsContainer() throws(JSONFailure) -> Bool {
    let byte = try peek()
    return byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
  }

  /// Whether the member whose key was read last is a list of a COCO file, even if its name is misspelt.
  mutating func beginsDatasetList() throws(JSONFailure) -> Bool {
    guard try peek() == UInt8(ascii: "[") else { return false }
    return DatasetMembers.List(meantBy: lastKey) != nil
  }
}

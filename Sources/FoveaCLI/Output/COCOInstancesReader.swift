// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaSystem

/// Takes the images and categories out of a COCO instances file as its bytes come, and passes over the rest.
///
/// Annotations are nine tenths of such a file and more. They are only followed as far as their brackets and strings
/// lead, so memory holds one image or category at a time and the index that is made of them.
struct COCOInstancesReader {
  /// Why the file is none of this kind.
  struct Failure: Error {
    /// Where, for example `images[3].id`; empty for the file as a whole.
    var path: String
    /// What is wrong, without a final stop.
    var reason: String
  }

  private(set) var images: [String: Int] = [:]
  private(set) var categories: [String: Int] = [:]

  private let json = UntrustedJSON()
  /// The closing brackets that are due, the outermost first.
  private var due: [UInt8] = []
  /// How many bytes of a byte order mark may still come at the beginning.
  private var markCount = 3
  private var isInString = false
  private var isEscaped = false
  private var hasEnded = false
  /// The last string of the outermost object, and whether it was a key.
  private var string: [UInt8] = []
  private var key = ""
  /// The element that is being collected; nil outside of one.
  private var element: [UInt8]?
  private var elementNumber = 0

  /// As deep as the library's own decoder goes.
  private static let depthLimit = 512
  /// No image's or category's entry is longer.
  private static let elementLimit = 1 << 16

  /// An entry of `images` or `categories`.
  private struct Entry: Decodable {
    var id: Int?
    var fileName: String?
    var name: String?
    enum CodingKeys: String, CodingKey {
      case id, name
      case fileName = "file_name"
    }
  }

  /// Takes the next bytes of the file, from its beginning to its end.
  mutating func take(_ bytes: ArraySlice<UInt8>) throws(Failure) {
    for byte in bytes { try take(byte) }
  }

  /// Says that the file has ended.
  func finish() throws(Failure) {
    guard hasEnded else { throw Self.invalid("The text ends before the outermost object does") }
  }

  private mutating func take(_ byte: UInt8) throws(Failure) {
    if element != nil {
      element?.append(byte)
      guard element.map({ $0.count <= Self.elementLimit }) ?? true else {
        throw Failure(
          path: "\(key)[\(elementNumber)]", reason: "The entry is longer than \(Self.elementLimit) bytes")
      }
    }
    if isInString { return takeInString(byte) }
    if markCount > 0 {
      markCount -= 1
      if byte == [0xBF, 0xBB, 0xEF][markCount] { return }
      markCount = 0
    }
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: return
    case 0x22:
      guard !due.isEmpty else { throw Self.invalid("The text does not begin with an object") }
      isInString = true
      string.removeAll(keepingCapacity: true)
    case 0x7B, 0x5B: try open(byte)
    case 0x7D, 0x5D: try close(byte)
    case 0x3A:
      if due.count == 1 { key = String(decoding: string, as: UTF8.self) }
    default:
      guard !due.isEmpty else { throw Self.invalid(hasEnded ? "More text follows" : "The text is no object") }
      if byte == 0x2C, due.count == 1 { key = "" }
    }
  }

  private mutating func takeInString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == 0x5C {
      isEscaped = true
    } else if byte == 0x22 {
      isInString = false
      return
    }
    // Keys that matter are short.
    if due.count == 1, string.count < 64 { string.append(byte) }
  }

  private mutating func open(_ byte: UInt8) throws(Failure) {
    guard !due.isEmpty || (byte == 0x7B && !hasEnded) else {
      throw Self.invalid(hasEnded ? "More text follows" : "The text is no object")
    }
    guard due.count < Self.depthLimit else { throw Self.invalid("Brackets are nested too deeply") }
    if due.count == 1 { elementNumber = 0 }
    if due.count == 2, due[1] == 0x5D, byte == 0x7B, key == "images" || key == "categories" {
      element = [byte]
    }
    due.append(byte + 2)
  }

  private mutating func close(_ byte: UInt8) throws(Failure) {
    guard due.last == byte else { throw Self.invalid("Brackets do not match") }
    due.removeLast()
    if due.isEmpty { hasEnded = true }
    guard due.count == 2, let entry = element else { return }
    element = nil
    try add(entry)
    elementNumber += 1
  }

  private mutating func add(_ bytes: [UInt8]) throws(Failure) {
    let entry: Entry
    do throws(UntrustedJSON.Failure) {
      entry = try json.decode(Entry.self, from: bytes[...])
    } catch {
      let place = "\(key)[\(elementNumber)]"
      throw Failure(path: error.path.isEmpty ? place : "\(place).\(error.path)", reason: error.reason)
    }
    guard let id = entry.id else { return }
    if key == "images" {
      if let name = entry.fileName { images[name] = id }
    } else if let name = entry.name {
      categories[name] = id
    }
  }

  private static func invalid(_ reason: String) -> Failure {
    Failure(path: "", reason: reason)
  }
}

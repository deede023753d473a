// SPDX-License-Identifier: Apache-2.0
#if Server
import CZlib
import Foundation
import FoveaImage
import FoveaInference
import FoveaTesting
import Testing

/// Images that are broken or too large, and invalid JSON bodies.
@Suite struct BadImageTests {
  /// A progressive JPEG of 32 x 24 pixels.
  private static let progressive = Array(
    Data(
      base64Encoded:
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQ"
        + "ERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU"
        + "FBQUFBQUFBQUFBQUFBT/wgARCAAYACADASIAAhEBAxEB/8QAGAABAAMBAAAAAAAAAAAAAAAAAAUHCAn/xAAXAQADAQAAAAAA"
        + "AAAAAAAAAAABBwgF/9oADAMBAAIQAxAAAAGuUAD40EsYrIcwwL9Z/S0Stuf/xAAXEAADAQAAAAAAAAAAAAAAAAAAFRYg/9oA"
        + "CAEBAAEFAsNRqSBIZ//EAB0RAAAFBQAAAAAAAAAAAAAAAAACBRZTEKGi0dL/2gAIAQMBAT8Bd6JPifkN1UiuXdf/xAAhEQAA"
        + "AQ0AAAAAAAAAAAAAAAAAAQIEBRAVFlNUoaLR0v/aAAgBAgEBPwGCV/T5GdByJ8u5Nt//xAAaEAABBQEAAAAAAAAAAAAAAAAA"
        + "IDM0oqPh/9oACAEBAAY/AkNWGrEvPpLz6n//xAAXEAADAQAAAAAAAAAAAAAAAAAg8PEA/9oACAEBAAE/IQSMkHVf/9oADAMB"
        + "AAIAAwAAABD7wLz/xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAEDAQE/EBxb/8QAFBEBAAAAAAAAAAAAAAAAAAAAIP/aAAgB"
        + "AgEBPxAfLf/EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEAAT8QSIVf/9k="
    ) ?? Data())

  /// The same with its last scan repeated.
  private static func scans(_ count: Int) -> [UInt8] {
    let starts = progressive.indices.dropLast().filter {
      progressive[$0] == 0xFF && progressive[$0 + 1] == 0xDA
    }
    guard let last = starts.last else { return [] }
    let scan = progressive[last...].dropLast(2)
    return progressive.dropLast(2) + (starts.count..<count).flatMap { _ in scan } + progressive.suffix(2)
  }

  /// A PNG with a valid header and nothing else.
  private static func png(side: UInt32) -> [UInt8] {
    func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let named = Array(name.utf8) + content
      return unsafe number(UInt32(content.count)) + named
        + number(UInt32(crc32(0, named, UInt32(named.count))))
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", number(side) + number(side) + [8, 2, 0, 0, 0]) + chunk("IDAT", [1, 2, 3])
      + chunk("IEND", [])
  }

  /// A photo with another precision in its frame header.
  private static func photo(precision: UInt8) throws -> [UInt8] {
    var bytes = try RunningInference.bytes()
    let frame = try #require(bytes.firstRange(of: [0xFF, 0xC0])).lowerBound
    bytes[frame + 4] = precision
    return bytes
  }

  @Test
  func `a broken or too large image is rejected with its reason, and the next one is answered`()
    async throws
  {
    let photo = try RunningInference.bytes()
    let rows: [(name: String, bytes: [UInt8], status: Int, code: String)] = [
      ("half a photo", Array(photo.prefix(photo.count / 2)), 422, "image-truncated"),
      ("12 bits", try Self.photo(precision: 12), 422, "image-unsupported"),
      ("a PNG without pixels", Self.png(side: 64), 422, "image-corrupt"),
      ("a PNG of 65,535 x 65,535", Self.png(side: 65_535), 413, "image-too-large"),
      ("a JPEG of 501 scans", Self.scans(501), 422, "image-corrupt"),
    ]
    try await RunningInference.run([.embedded]) { server in
      for row in rows {
        let answer = try server.send("POST", "/v1/detect", row.bytes)
        #expect(answer.status == row.status && answer.errorCode == row.code, "\(row.name): \(answer.body)")
        #expect(!answer.body.contains("ImageLimits"), "\(row.name)")
        let image = #"{"base64": "\#(Data(row.bytes).base64EncodedString())"}"#
        let pair = try server.post("/v1/detect", #"{"images": [\#(image), \#(image)]}"#)
        let error = try #require(answer.body.firstRange(of: #""error": {"#))
        let text = String(answer.body[error.lowerBound...].prefix { $0 != "}" })
        #expect(pair.body.components(separatedBy: text).count == 3, "\(row.name): \(pair.body)")
        #expect(try server.send("POST", "/v1/detect", photo).status == 200, "after \(row.name)")
      }
    }
  }

  /// A lossless WebP whose header says 16,384 x 16,384 pixels.
  private static let webp =
    Array("RIFF".utf8) + [18, 0, 0, 0] + Array("WEBPVP8L".utf8) + [5, 0, 0, 0, 0x2F, 255, 255, 255, 15, 0]

  /// A GIF of one frame of 65,535 x 65,535 pixels.
  private static let gif =
    Array("GIF89a".utf8) + [
      255, 255, 255, 255, 0, 0, 0, 0x2C, 0, 0, 0, 0, 255, 255, 255, 255, 0, 2, 0, 0x3B,
    ]

  /// A TIFF of 65,535 x 65,535 grey pixels in one missing strip.
  private static let tiff: [UInt8] = {
    func entry(_ tag: UInt8, _ value: UInt16) -> [UInt8] {
      [tag, 1, 3, 0, 1, 0, 0, 0, UInt8(value & 255), UInt8(value >> 8), 0, 0]
    }
    let entries = [
      entry(0, 65_535), entry(1, 65_535), entry(2, 8), entry(3, 1), entry(6, 1), entry(17, 8), entry(23, 9),
    ]
    return [0x49, 0x49, 42, 0, 8, 0, 0, 0, UInt8(entries.count), 0] + entries.flatMap { $0 } + [0, 0, 0, 0]
  }()

  @Test
  func `a small file of many pixels is rejected by its header, in each format enabled by an option`()
    async throws
  {
    let photo = try RunningInference.bytes()
    let rows = [("WebP", Self.webp), ("GIF", Self.gif), ("TIFF", Self.tiff)]
    try await RunningInference.run([.embedded], { $0.formats = Set(ImageFormat.allCases) }) { server in
      for (name, bytes) in rows {
        let answer = try server.send("POST", "/v1/detect", bytes)
        // The library that reads TIFF is optional.
        let isMissing = name == "TIFF" && answer.status == 415 && answer.errorCode == "library-missing"
        #expect(
          isMissing || answer.status == 413 && answer.errorCode == "image-too-large",
          "\(name): \(answer.body)")
        #expect(try server.send("POST", "/v1/detect", photo).status == 200, "after \(name)")
      }
    }
  }

  @Test func `a body that is not JSON is rejected with the place, and base64 is read in both alphabets`()
    async throws
  {
    let photo = Data(try RunningInference.bytes()).base64EncodedString()
    let sound = #"{"images": [{"base64": "\#(photo)"}]}"#
    let other = photo.replacing("+", with: "-").replacing("/", with: "_")
    let deep = String(repeating: "[", count: 65)
    let rows: [(name: String, body: [UInt8], status: Int)] = [
      ("65 brackets", Array(#"{"images": \#(deep)"#.utf8), 400),
      ("a member of 1 MB", Array(#"{"\#(String(repeating: "a", count: 1 << 20))": 1}"#.utf8), 400),
      ("NaN", Array(#"{"images": [{"base64": "\#(photo)"}], "parameters": {"threshold": NaN}}"#.utf8), 400),
      ("UTF-16", sound.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, 400),
      ("bytes behind the end", Array((sound + "x").utf8), 400),
      ("half a text", Array(sound.dropLast(4).utf8), 400),
      (
        "half of a surrogate pair", Array(#"{"images": [{"base64": "\#(photo)", "name": "\ud800"}]}"#.utf8),
        400
      ),
      (
        "both halves of a surrogate pair",
        Array(#"{"images": [{"base64": "\#(photo)", "name": "\ud83d\ude00"}]}"#.utf8), 200
      ),
      ("the alphabet of addresses", Array(#"{"images": [{"base64": "\#(other)"}]}"#.utf8), 200),
      (
        "base64 in lines",
        Array(#"{"images": [{"base64": "\#(photo.prefix(76)) \#(photo.dropFirst(76))"}]}"#.utf8), 200
      ),
      ("padding in the middle", Array(#"{"images": [{"base64": "aG=k"}]}"#.utf8), 400),
      ("three letters too many of padding", Array(#"{"images": [{"base64": "aGk==="}]}"#.utf8), 400),
    ]
    try await RunningInference.run([.embedded]) { server in
      for row in rows {
        let answer = try server.send(
          "POST", "/v1/detect", headers: ["Content-Type": "application/json"], row.body)
        #expect(answer.status == row.status, "\(row.name): \(answer.body.prefix(200))")
        if row.status == 400 { #expect(answer.errorCode == "request-malformed", "\(row.name)") }
        #expect(try server.post("/v1/detect", sound).status == 200, "after \(row.name)")
      }
    }
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The source of a video.
public enum VideoSource: Sendable, Hashable {
  /// A file or a named pipe, with any name.
  case file(String)
  /// Standard input.
  case standardInput
  /// A URL with one of `VideoSource.schemes`.
  case stream(String)
  /// A Video4Linux camera: "/dev/video0".
  case camera(String)

  /// The URL schemes of streams.
  public static let schemes: Set<String> = [
    "http", "https", "rtsp", "rtsps", "rtmp", "rtmps", "rtmpt", "rtp", "srtp", "udp", "tcp", "srt",
  ]

  /// Parses user input: "-" is standard input, an existing name a file or camera, and a URL a stream.
  public init(_ text: String) {
    var status = stat()
    if text == "-" {
      self = .standardInput
    } else if unsafe stat(text, &status) == 0 {
      self = Self.isCamera(text, status) ? .camera(text) : .file(text)
    } else if let scheme = Self.scheme(of: text), Self.schemes.contains(scheme) {
      self = .stream(text)
    } else {
      self = text.hasPrefix("/dev/video") ? .camera(text) : .file(text)
    }
  }

  /// The name in messages, without the password of a URL.
  public var name: String {
    switch self {
    case .file(let path), .camera(let path): path
    case .standardInput: "standard input"
    case .stream(let address): Self.withoutPassword(address)
    }
  }

  /// Whether the source may break off and be reconnected.
  var mayBeLost: Bool {
    switch self {
    case .stream, .camera: true
    case .file, .standardInput: false
    }
  }

  /// Whether the path is a character device with the major number of Video4Linux.
  private static func isCamera(_ path: String, _ status: stat) -> Bool {
    guard status.st_mode & S_IFMT == S_IFCHR else { return false }
    #if os(Linux)
    return (status.st_rdev >> 8) & 0xFFF == 81
    #else
    return path.hasPrefix("/dev/video")
    #endif
  }

  static func scheme(of text: String) -> String? {
    guard let end = text.utf8.firstRange(of: Array("://".utf8))?.lowerBound, end != text.utf8.startIndex
    else {
      return nil
    }
    return text[..<end].lowercased()
  }

  /// Removes the password: "rtsp://user:secret@host/path" becomes "rtsp://user@host/path".
  private static func withoutPassword(_ address: String) -> String {
    guard let start = address.utf8.firstRange(of: Array("://".utf8))?.upperBound else { return address }
    let end = address[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? address.endIndex
    guard let at = address[start..<end].lastIndex(of: "@"),
      let colon = address[start..<at].firstIndex(of: ":")
    else { return address }
    return String(address[..<colon] + address[at...])
  }
}

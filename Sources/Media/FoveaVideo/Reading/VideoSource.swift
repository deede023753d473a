// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The source of a video.
public enum VideoSource: Sendable, Hashable {
  /// The path of a file or a named pipe; the extension does not matter.
  case file(String)
  /// Standard input.
  case standardInput
  /// A URL with one of `VideoSource.schemes`.
  case stream(String)
  /// The path of a Video4Linux camera, such as "/dev/video0".
  case camera(String)

  /// The URL schemes of streams.
  package static let schemes: Set<String> = [
    "http", "https", "rtsp", "rtsps", "rtmp", "rtmps", "rtmpt", "rtp", "srtp", "udp", "tcp", "srt",
  ]

  /// Parses user input: "-" is standard input, an existing path is a file or a camera, a URL is a stream.
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

  /// The name for messages; a URL's password is removed.
  public var name: String {
    switch self {
    case .file(let path), .camera(let path): path
    case .standardInput: "standard input"
    case .stream(let address): Self.withoutPassword(address)
    }
  }

  /// Whether the connection to the source may be lost and can be opened again.
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

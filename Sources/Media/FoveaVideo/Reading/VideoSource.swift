// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Where a video comes from.
public enum VideoSource: Sendable, Hashable {
  /// A file or a named pipe, whatever its name looks like.
  case file(String)
  /// What another program writes into standard input.
  case standardInput
  /// An address: one of `VideoSource.schemes`.
  case stream(String)
  /// A camera of Video4Linux: "/dev/video0".
  case camera(String)

  /// The schemes of addresses that are streams.
  public static let schemes: Set<String> = [
    "http", "https", "rtsp", "rtsps", "rtmp", "rtmps", "rtmpt", "rtp", "srtp", "udp", "tcp", "srt",
  ]

  /// Understands what people type: "-" is standard input, an existing name a file or camera, and what begins as an
  /// address a stream.
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

  /// What messages call it; a password in an address is left out.
  public var name: String {
    switch self {
    case .file(let path), .camera(let path): path
    case .standardInput: "standard input"
    case .stream(let address): Self.withoutPassword(address)
    }
  }

  /// Whether the source may break off and come back.
  var mayBeLost: Bool {
    switch self {
    case .stream, .camera: true
    case .file, .standardInput: false
    }
  }

  /// Character devices with the number that Linux gives to Video4Linux.
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

  /// "rtsp://user:secret@host/path" becomes "rtsp://user@host/path".
  private static func withoutPassword(_ address: String) -> String {
    guard let start = address.utf8.firstRange(of: Array("://".utf8))?.upperBound else { return address }
    let end = address[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? address.endIndex
    guard let at = address[start..<end].lastIndex(of: "@"),
      let colon = address[start..<at].firstIndex(of: ":")
    else { return address }
    return String(address[..<colon] + address[at...])
  }
}

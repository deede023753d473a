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
      // FFmpeg knows schemes only in lower case.
      self = .stream(scheme + text.dropFirst(scheme.count))
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

  /// The place for the operator's log: the scheme, host and port of a URL, or the path.
  ///
  /// User, password, path and query of a URL are left out, since each of them can be secret. If a '@' follows
  /// the host, it may be the end of a password with '/', so the host is left out, too.
  package var place: String {
    guard case .stream(let address) = self, let authority = Self.authority(of: address) else { return name }
    let scheme = address[..<authority.lowerBound]
    guard !address[authority.upperBound...].contains("@") else { return "\(scheme)…" }
    let host = address[authority]
    return "\(scheme)\(host.lastIndex(of: "@").map { host[$0...].dropFirst() } ?? host)"
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
    guard let authority = authority(of: address) else { return address }
    let text = address[authority]
    if let at = text.lastIndex(of: "@") {
      guard let colon = text[..<at].firstIndex(of: ":") else { return address }
      return String(address[..<colon] + address[at...])
    }
    // A password with '/' instead of %2F: the text behind the colon is not a port.
    guard let colon = text.firstIndex(of: ":"), !text.hasPrefix("["),
      !text[colon...].dropFirst().allSatisfy(\.isWholeNumber),
      let at = address[authority.upperBound...].lastIndex(of: "@")
    else { return address }
    return String(address[..<colon] + address[at...])
  }

  /// Returns the part of a URL between "://" and the path, query or fragment; nil without "://".
  private static func authority(of address: String) -> Range<String.Index>? {
    guard let start = address.utf8.firstRange(of: Array("://".utf8))?.upperBound else { return nil }
    return start..<(address[start...].firstIndex { "/?#".contains($0) } ?? address.endIndex)
  }
}

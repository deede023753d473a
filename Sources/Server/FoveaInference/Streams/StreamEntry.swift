// SPDX-License-Identifier: Apache-2.0
#if Server
package import Fovea
import FoveaCore
package import FoveaVideo

/// A video that a server is asked to watch: what calls name it, and where it comes from.
///
/// The operator alone gives these; no request names an address.
package struct StreamEntry: Sendable, Equatable {
  package let name: String
  package let source: VideoSource
  /// What is looked for in its frames.
  var settings = LiveSettings()
  /// Whether it is watched also where no one views it: so that lines and zones count on.
  var isAlways = false

  package init(name: String, source: VideoSource) {
    self.name = name
    self.source = source
  }

  /// Reads `NAME=rtsp://…`, `NAME=/dev/video0` or `NAME=FILE`.
  /// - Throws: `option-invalid` without a name that an address can hold, and for standard input.
  package init(_ argument: String) throws(FoveaError) {
    // The argument may have a password, which no message shows.
    guard let equals = argument.firstIndex(of: "="), ModelEntry.isPart(String(argument[..<equals])) else {
      throw .optionInvalid(
        "A source has no name, or one that an address cannot hold",
        remedy: "Use letters, digits, '.', '_' and '-', 64 at most, as in gate=rtsp://camera/1")
    }
    name = String(argument[..<equals])
    let place = String(argument[argument.index(after: equals)...])
    source = VideoSource(place)
    guard !place.isEmpty, source != .standardInput else {
      throw .optionInvalid(
        "The source '\(name)' is no address, camera or file",
        remedy: "Name one, as in \(name)=rtsp://camera/1 or \(name)=/dev/video0")
    }
  }

  /// Whether it is a file, which begins again at its end.
  var isFile: Bool { if case .file = source { true } else { false } }

  /// Whether it is a file that is not there, which a name with `%` or `*` for a number need not be.
  var isMissing: Bool {
    guard case .file(let path) = source, !path.contains(where: { "%*?".contains($0) }) else { return false }
    return FileStatus(FilePath(path)) == nil
  }

  /// A text without the address, which is the operator's alone.
  func concealed(_ text: String) -> String {
    let text = text.replacing(source.name, with: name)
    guard case .stream(let address) = source else { return text }
    // FFmpeg names the server alone where it cannot connect.
    let server = address.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" }
    let host = server.split(separator: "@").last ?? server
    let concealed = text.replacing(address, with: name)
    return host.isEmpty ? concealed : concealed.replacing(host, with: name)
  }
}
#endif

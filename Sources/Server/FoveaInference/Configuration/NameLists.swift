// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaImage

/// Formats of images with commas between them, as `heic,avif`; `all` is each that there is.
package struct ImageFormatList: Sendable, Equatable, CustomStringConvertible {
  package let formats: Set<ImageFormat>

  /// The names that a list may have.
  package static let names = ImageFormat.allCases.map(\.rawValue).joined(separator: ", ")

  /// The names in alphabetical order: a set has none of its own.
  package var description: String { formats.map(\.rawValue).sorted().joined(separator: ",") }

  /// Reads a list; nil for a name that is no format's.
  package init?(_ text: String) {
    guard text != "all" else {
      formats = Set(ImageFormat.allCases)
      return
    }
    let names = text.split(separator: ",", omittingEmptySubsequences: false)
    let known = names.compactMap { ImageFormat(rawValue: String($0)) }
    guard known.count == names.count else { return nil }
    formats = Set(known)
  }
}

/// Protocols with commas between them, as `deepstack,doods`; `all` is each that there is, `none` leaves Fovea's own alone.
package struct ClientProtocolList: Sendable, Equatable, CustomStringConvertible {
  package let protocols: Set<ClientProtocol>

  /// The names that there are, for help and messages.
  package static let names = ClientProtocol.all.map(\.name).sorted().joined(separator: ", ")

  /// The names in alphabetical order: a set has none of its own.
  package var description: String { protocols.map(\.name).sorted().joined(separator: ",") }

  /// Reads a list; nil for a name that is no protocol's.
  package init?(_ text: String) {
    switch text {
    case "all": protocols = Set(ClientProtocol.all)
    case "none": protocols = []
    default:
      let names = text.split(separator: ",", omittingEmptySubsequences: false)
      let known = names.compactMap { name in ClientProtocol.all.first { $0.name == name } }
      guard known.count == names.count else { return nil }
      protocols = Set(known)
    }
  }
}
#endif

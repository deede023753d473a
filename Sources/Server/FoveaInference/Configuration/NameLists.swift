// SPDX-License-Identifier: Apache-2.0
#if Server
package import FoveaImage

/// Image formats separated by commas, such as `heic,avif`; `all` selects all formats.
package struct ImageFormatList: Sendable, Equatable, CustomStringConvertible {
  package let formats: Set<ImageFormat>

  /// The valid names in a list.
  package static let names = ImageFormat.allCases.map(\.rawValue).joined(separator: ", ")

  /// The names in alphabetical order, since a set has no order.
  package var description: String { formats.map(\.rawValue).sorted().joined(separator: ",") }

  /// Reads a list; nil for an unknown format.
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

/// Protocols separated by commas, such as `deepstack,doods`; `all` selects all, `none` leaves only Fovea's
/// own.
package struct ClientProtocolList: Sendable, Equatable, CustomStringConvertible {
  package let protocols: Set<ClientProtocol>

  /// The valid names, for help and messages.
  package static let names = ClientProtocol.all.map(\.name).sorted().joined(separator: ", ")

  /// The names in alphabetical order, since a set has no order.
  package var description: String { protocols.map(\.name).sorted().joined(separator: ",") }

  /// Reads a list; nil for an unknown protocol.
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

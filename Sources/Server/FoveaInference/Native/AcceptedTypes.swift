// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaImage

/// The media types that a caller accepts, in its order, without weights.
///
/// **Source:** RFC 9110 section 12.5.1.
struct AcceptedTypes: Sendable {
  private let names: [String]

  init(_ header: String?) {
    names = (header ?? "").lowercased().split(separator: ",").compactMap { part in
      let pieces = part.split(separator: ";").map { $0.filter { $0 != " " } }
      guard let name = pieces.first, !pieces.dropFirst().contains(where: AcceptedTypes.isNever) else {
        return nil
      }
      return name
    }
  }

  private static func isNever(_ parameter: String) -> Bool {
    parameter.hasPrefix("q=") && Double(parameter.dropFirst(2)) == 0
  }

  /// Returns whether the caller explicitly accepts one of these types.
  func names(_ types: String...) -> Bool { types.contains(where: names.contains) }

  /// The first accepted image format; JPEG for any image.
  var imageFormat: ImageFormat? {
    for name in names {
      switch name {
      case "image/jpeg", "image/*": return .jpeg
      case "image/png": return .png
      case "image/webp": return .webp
      default: continue
      }
    }
    return nil
  }
}
#endif

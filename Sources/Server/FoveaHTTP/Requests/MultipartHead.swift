// SPDX-License-Identifier: Apache-2.0
#if Server
/// What the head of a part of `multipart/form-data` names.
///
/// **Source:** RFC 7578 section 4.2.
struct MultipartHead: Equatable {
  /// The name of the field; nil where the part has none.
  private(set) var name: String?
  /// The name of the file; nil for a field.
  private(set) var fileName: String?

  /// Reads the lines of a head; those that name nothing are passed over.
  init(_ bytes: some Collection<UInt8>) {
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      guard line.lowercased().hasPrefix("content-disposition:") else { continue }
      name = BoundaryText.parameter("name", of: String(line))
      fileName = BoundaryText.parameter("filename", of: String(line))
    }
  }
}
#endif

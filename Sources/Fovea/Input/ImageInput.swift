// SPDX-License-Identifier: Apache-2.0

/// Where a picture comes from.
public struct ImageInput: Sendable {
  enum Storage: Sendable {
    case file(String)
    case data([UInt8], name: String)
  }
  let storage: Storage

  /// A picture in a file: JPEG, PNG or WebP, told by its first bytes, not by its name.
  public static func file(_ path: String) -> ImageInput { ImageInput(storage: .file(path)) }

  /// An encoded picture in memory: the bytes of a JPEG, PNG or WebP file.
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: What errors call it.
  /// - Returns: The input.
  public static func data(_ bytes: some Sequence<UInt8>, name: String = "image data") -> ImageInput {
    ImageInput(storage: .data([UInt8](bytes), name: name))
  }
}

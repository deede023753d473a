// SPDX-License-Identifier: Apache-2.0

/// Why an image could not be opened, decoded, turned into a tensor or written.
public struct ImageError: Error, Sendable {
  /// The kind of failure: stable text that programs may compare.
  public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The code as results print it, in kebab case: "truncated".
    public var rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The code's text.
    public var description: String { rawValue }

    /// No file has this name.
    public static let notFound = Code(rawValue: "not-found")
    /// The file exists and cannot be read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The name is a folder's.
    public static let isDirectory = Code(rawValue: "is-directory")
    /// The file has no bytes.
    public static let empty = Code(rawValue: "empty")
    /// The bytes are no image that Fovea reads.
    public static let unknownFormat = Code(rawValue: "unknown-format")
    /// The bytes contradict the format.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The file ends before the image does.
    public static let truncated = Code(rawValue: "truncated")
    /// The image is beyond an `ImageLimits` value.
    public static let tooLarge = Code(rawValue: "too-large")
    /// The image uses a part of its format that Fovea does not read.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The library that reads the format is not installed, or lacks a part.
    public static let libraryMissing = Code(rawValue: "library-missing")
    /// The name is an address on the network.
    public static let networkAddress = Code(rawValue: "network-address")
    /// There was no memory for the pixels.
    public static let outOfMemory = Code(rawValue: "out-of-memory")
    /// The image could not be encoded.
    public static let writeFailed = Code(rawValue: "write-failed")
    /// The region covers no pixel of the image.
    public static let emptyRegion = Code(rawValue: "empty-region")
    /// The tensor's description contradicts itself or its memory.
    public static let invalidTensor = Code(rawValue: "invalid-tensor")
    /// A pixel buffer's size, row distances or bytes do not fit together.
    public static let invalidBuffer = Code(rawValue: "invalid-buffer")
    /// The pixel format is not one that Fovea reads.
    public static let unsupportedPixelFormat = Code(rawValue: "unsupported-pixel-format")
    /// The pixels were lent for one call, which is over.
    public static let bufferExpired = Code(rawValue: "buffer-expired")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, as one sentence without a final stop.
  public var message: String
  /// What to do next, as one sentence without a final stop.
  public var remedy: String
  /// The image's name as the caller gave it.
  public var imageName: String

  /// Makes an error.
  public init(code: Code, message: String, remedy: String, imageName: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.imageName = imageName
  }
}

extension ImageError: CustomStringConvertible {
  /// Name, message and remedy, for people.
  public var description: String { "\(imageName): \(message). \(remedy)." }
}

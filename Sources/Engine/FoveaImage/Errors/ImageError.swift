// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// The error if an image cannot be opened, decoded, converted to a tensor or written.
public typealias ImageError = Failure<ImageCode>

/// The kinds of ``ImageError``.
public struct ImageCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = "image-"
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The file does not exist.
  ///
  /// **Remedy:** check the path.
  public static let notFound = Self(rawValue: "not-found")
  /// The file cannot be read, or is a device, pipe or socket.
  ///
  /// **Remedy:** check its permissions.
  public static let unreadable = Self(rawValue: "unreadable")
  /// The path is a folder.
  ///
  /// **Remedy:** name a file; the command line also accepts folders.
  public static let isDirectory = Self(rawValue: "is-directory")
  /// The file has no bytes.
  ///
  /// **Remedy:** copy or download it again.
  public static let empty = Self(rawValue: "empty")
  /// The file is not in an image format that Fovea reads.
  ///
  /// **Remedy:** the message names the kind of file and a way to convert it.
  public static let unknownFormat = Self(rawValue: "unknown-format")
  /// The format of the image is excluded by `ImageLimits.formats`.
  ///
  /// **Remedy:** convert it, or allow the format (`--formats` of a server).
  public static let formatOff = Self(rawValue: "format-off")
  /// The bytes contradict the format.
  ///
  /// **Remedy:** save the image again, or take it from its source.
  public static let corrupt = Self(rawValue: "corrupt")
  /// The file ends before the image does.
  ///
  /// **Remedy:** copy or download it again.
  public static let truncated = Self(rawValue: "truncated")
  /// More than 200 million pixels, a side above 65,535, or a file above 512 MiB.
  ///
  /// **Remedy:** raise `--max-pixels` or `ImageLimits`, or use a smaller image.
  public static let tooLarge = Self(rawValue: "too-large")
  /// The file uses a feature that is not supported, such as 12-bit JPEG.
  ///
  /// **Remedy:** convert to an ordinary 8-bit image.
  public static let unsupported = Self(rawValue: "unsupported")
  /// The library for HEIC, AVIF, TIFF, GIF or BMP is not installed, or lacks a decoder.
  ///
  /// **Remedy:** the message names the package.
  public static let libraryMissing = Self(rawValue: "library-missing")
  /// The path is a URL.
  ///
  /// **Remedy:** download the image.
  public static let networkAddress = Self(rawValue: "network-address")
  /// Memory for the pixels is exhausted.
  ///
  /// **Remedy:** reduce `--jobs`, or use a smaller image.
  public static let outOfMemory = Self(rawValue: "out-of-memory")
  /// An annotated image could not be encoded.
  ///
  /// **Remedy:** use another format, or a smaller size.
  public static let writeFailed = Self(rawValue: "write-failed")
  /// A region contains no pixel.
  ///
  /// **Remedy:** choose a region inside the image.
  public static let emptyRegion = Self(rawValue: "empty-region")
  /// The description of an input tensor is inconsistent.
  ///
  /// **Remedy:** correct the normalisation or quantisation.
  public static let invalidTensor = Self(rawValue: "invalid-tensor")
  /// Size, row distances and number of bytes of a pixel buffer are inconsistent.
  ///
  /// **Remedy:** the message contains the actual and the expected number of bytes.
  public static let invalidBuffer = Self(rawValue: "invalid-buffer")
  /// The pixel format is not supported, such as the ten-bit `x420`.
  ///
  /// **Remedy:** request BGRA, RGB, NV12 or I420 with 8 bits from the camera or decoder.
  public static let unsupportedPixelFormat = Self(rawValue: "unsupported-pixel-format")
  /// A buffer was used after the call for which its memory was lent.
  ///
  /// **Remedy:** use it inside the closure, or create one that owns its bytes.
  public static let bufferExpired = Self(rawValue: "buffer-expired")
}

extension ImageError {
  static func corrupt(_ name: String, _ format: ImageFormat, _ detail: String) -> ImageError {
    ImageError(
      .corrupt, "the \(format) data is damaged: \(detail)",
      remedy: "Open it in an image editor and save it again, or get it from its source again",
      subject: name)
  }

  static func truncated(_ name: String, _ format: ImageFormat, byteCount: Int) -> ImageError {
    ImageError(
      .truncated,
      "the \(format) file ends before the image does, after \(byteCount) bytes",
      remedy: "Copy or download the file again", subject: name)
  }

  static func unsupported(_ name: String, _ message: String) -> ImageError {
    ImageError(
      .unsupported, message,
      remedy: "Convert the image to an ordinary 8-bit JPEG or PNG", subject: name)
  }

  static func outOfMemory(_ name: String, byteCount: Int) -> ImageError {
    ImageError(
      .outOfMemory, "no memory for \(byteCount) bytes of pixels",
      remedy: "Use a smaller image, fewer parallel jobs, or a machine with more memory", subject: name)
  }
}

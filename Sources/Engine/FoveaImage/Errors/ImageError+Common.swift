// SPDX-License-Identifier: Apache-2.0

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

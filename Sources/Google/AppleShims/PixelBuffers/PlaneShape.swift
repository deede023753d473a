// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage

/// The shape of one plane of a buffer.
struct PlaneShape {
  /// The number of samples per row; a pair of Cb and Cr counts as one.
  var width: Int
  /// The number of rows.
  var height: Int
  /// The number of bytes of a row's samples.
  var rowBytes: Int
  /// The distance between the starts of two rows in bytes.
  var bytesPerRow: Int

  /// Creates a shape; by default rows are a multiple of 64 bytes apart.
  init(width: Int, height: Int, rowBytes: Int, bytesPerRow: Int? = nil) {
    self.width = width
    self.height = height
    self.rowBytes = rowBytes
    self.bytesPerRow = bytesPerRow ?? (rowBytes + 63) / 64 * 64
  }

  /// Returns the planes of an image.
  /// - Returns: nil for an unsupported format or an invalid size.
  static func planes(of code: OSType, width: Int, height: Int) -> [PlaneShape]? {
    guard let format = try? PixelFormat(coreVideo: code),
      let tight = try? PixelLayout(format, size: PixelSize(width: width, height: height))
    else { return nil }
    return tight.bytesPerRow.enumerated().map { index, rowBytes in
      index == 0
        ? PlaneShape(width: width, height: height, rowBytes: rowBytes)
        : PlaneShape(width: (width + 1) / 2, height: (height + 1) / 2, rowBytes: rowBytes)
    }
  }
}

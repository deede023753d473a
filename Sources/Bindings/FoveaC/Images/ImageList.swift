// SPDX-License-Identifier: Apache-2.0

import CFovea
import FoveaCore

/// The images of one call, in the caller's memory.
@safe struct ImageList: @unchecked Sendable {
  // SAFETY: read only during the call, when the header forbids the caller to change them.
  private let base: UnsafeRawPointer?
  private let stride: Int
  let count: Int

  /// The maximum number of images per call.
  private static let most = 1_000_000
  /// The size of a struct up to and including width and height.
  private static let minimum = 32

  /// - Throws: `argument-invalid` for NULL, too many images, or structs of different or invalid sizes.
  init(_ images: UnsafePointer<fovea_image>?, _ count: Int) throws(FoveaError) {
    guard (0...Self.most).contains(count) else {
      throw .argument("'count' is \(UInt(bitPattern: count)), 0…\(Self.most) expected")
    }
    self.count = count
    guard count > 0 else {
      unsafe (base, stride) = (nil, 0)
      return
    }
    guard let images = unsafe images else { throw .argument("'images' is NULL, and 'count' is \(count)") }
    let start = unsafe UnsafeRawPointer(images)
    var first = unsafe fovea_image()
    stride = unsafe try CStruct.read(start, into: &first, minimum: Self.minimum, "images[0]")
    unsafe base = unsafe start
    for index in 1..<max(count, 1) {
      let size = Int(unsafe (start + index * stride).loadUnaligned(as: UInt32.self))
      guard size == stride else {
        throw .argument(
          "'size' of images[\(index)] is \(size), but 'size' of images[0] is \(stride)",
          remedy: "Set it to the sizeof of the struct, for each image of the array")
      }
    }
  }

  /// Reads an image of the list.
  /// - Throws: `option-invalid` for a newer caller's field that is not 0.
  subscript(index: Int) -> ImageArgument {
    get throws(FoveaError) {
      var image = unsafe fovea_image()
      if let base = unsafe base {
        unsafe try CStruct.read(
          base + index * stride, into: &image, minimum: Self.minimum, "images[\(index)]")
      }
      return unsafe try ImageArgument(unsafe image, name: "image \(index)")
    }
  }
}

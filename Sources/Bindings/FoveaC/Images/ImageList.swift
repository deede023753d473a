// SPDX-License-Identifier: Apache-2.0

import CFovea
import FoveaCore

/// The images of one call, where the caller has them.
@safe struct ImageList: @unchecked Sendable {
  // SAFETY: read while the call runs alone, and written by no one, as the header demands of the caller.
  private let base: UnsafeRawPointer?
  private let stride: Int
  let count: Int

  /// The most images of one call.
  private static let most = 1_000_000
  /// The size of a struct up to width and height.
  private static let minimum = 32

  /// - Throws: `argument-invalid` for images that are not there, too many, or of different or impossible sizes.
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
          "'size' of images[\(index)] is \(size), that of images[0] is \(stride)",
          remedy: "Set it to the sizeof of the struct, for each image of the array")
      }
    }
  }

  /// An image of the list.
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

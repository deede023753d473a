// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

extension PixelBuffer {
  /// Writes a part of the image into a model's input: cropped, scaled, rotated upright and in the model's numbers.
  ///
  /// The part is stretched to the tensor's size. Samples outside the part have no influence. YUV is converted at the
  /// tensor's size. With the same sizes as the call before, nothing is allocated.
  /// - Parameters:
  ///   - region: The part, in pixels of the stored image; nil takes all of it. What lies outside is cut off.
  ///   - spec: What the model wants.
  ///   - tensor: The model's input memory, exactly `spec.byteCount` bytes: rows from the top, pixels from the left,
  ///     three numbers each.
  ///   - scratch: Working memory, reused between calls.
  /// - Returns: The part of the image that fills the tensor, in pixels of the stored image.
  /// - Throws: `ImageError` when the region misses the image, the tensor's description is not consistent, or the
  ///   pixels were lent for a call that is over.
  @discardableResult
  public func write(
    region: BoundingBox? = nil, spec: ImageTensorSpec, into tensor: UnsafeMutableRawBufferPointer,
    scratch: TensorScratch
  ) throws(ImageError) -> BoundingBox {
    let whole = BoundingBox(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    return try unsafe decoded.write(
      region: region ?? whole, upright: orientation, spec: spec, into: tensor, scratch: scratch)
  }
}

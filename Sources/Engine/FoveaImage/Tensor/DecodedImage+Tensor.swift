// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

extension DecodedImage {
  /// Writes a part of the image into a model's input: cut, scaled, upright and in the model's numbers.
  ///
  /// The part is stretched to the tensor's size, or letterboxed where `spec` says so. Samples outside the
  /// part have no influence.
  /// - Parameters:
  ///   - region: The part, in pixels of the full-size stored image; what lies outside the image is cut off.
  ///   - orientation: The turn that makes the image upright.
  ///   - spec: What the model wants.
  ///   - tensor: The model's input memory, exactly `spec.byteCount` bytes: rows from the top, pixels from the
  ///     left, three numbers each, or one where it is grey.
  ///   - scratch: Working memory, reused between calls.
  /// - Returns: What the tensor shows, in pixels of the full-size stored image: `region` without what lay
  ///   outside, grown by the bars where it is letterboxed, so that it may reach beyond the image. Boxes that
  ///   a model finds in the tensor are mapped back with it.
  /// - Throws: `ImageError` when the region misses the image, or the tensor's description is not consistent.
  @discardableResult
  public func write(
    region: BoundingBox, upright orientation: Orientation, spec: ImageTensorSpec,
    into tensor: UnsafeMutableRawBufferPointer, scratch: TensorScratch
  ) throws(ImageError) -> BoundingBox {
    let used = region.clamped(to: fullSize)
    guard !region.isEmpty, !used.isEmpty else {
      throw ImageError(
        .emptyRegion, "the region \(region) covers no pixel of the image (\(fullSize))",
        remedy: "Choose a region inside the image", subject: name)
    }
    let limit = 1 << 15
    guard (1...limit).contains(spec.size.width), (1...limit).contains(spec.size.height) else {
      throw ImageError(
        .invalidTensor, "the tensor is \(spec.size) pixels, 1…\(limit) each way expected",
        remedy: "Give the model's input size", subject: name)
    }
    guard tensor.count == spec.byteCount else {
      throw ImageError(
        .invalidTensor,
        "the tensor has \(tensor.count) bytes, \(spec.byteCount) expected for \(spec.size) pixels",
        remedy: "Give memory of exactly ImageTensorSpec.byteCount bytes", subject: name)
    }
    if spec.elementType == .float32, let base = tensor.baseAddress, UInt(bitPattern: base) % 4 != 0 {
      throw ImageError(
        .invalidTensor, "the tensor's memory is not aligned to 4 bytes",
        remedy: "Give memory that floats may be stored in", subject: name)
    }
    let table = try scratch.table(for: spec, imageName: name)
    let place = spec.place(of: used, upright: orientation)
    try unsafe withPlanes { (picture) throws(ImageError) in
      let pass = unsafe TensorPass(
        image: picture, region: used, orientation: orientation, size: place.picture,
        sampling: spec.sampling)
      try unsafe pass.run(scratch: scratch) { band in
        unsafe table.write(band, at: place, spec: spec, into: tensor)
      }
    }
    guard !place.isWhole else { return used }
    let upright = orientation.uprightBox(fromStored: used, stored: fullSize)
    return orientation.storedBox(fromUpright: place.grown(upright), stored: fullSize)
  }

  /// Writes the whole image, upright, into a model's input.
  /// - Parameters:
  ///   - spec: What the model wants.
  ///   - tensor: The model's input memory, exactly `spec.byteCount` bytes.
  ///   - scratch: Working memory, reused between calls.
  /// - Returns: What the tensor shows, in pixels of the full-size stored image: all of it, and the bars of a
  ///   letterbox.
  /// - Throws: `ImageError` when the tensor's description is not consistent.
  @discardableResult
  public func write(
    spec: ImageTensorSpec, into tensor: UnsafeMutableRawBufferPointer, scratch: TensorScratch
  ) throws(ImageError) -> BoundingBox {
    try unsafe write(
      region: BoundingBox(x: 0, y: 0, width: Double(fullSize.width), height: Double(fullSize.height)),
      upright: orientation, spec: spec, into: tensor, scratch: scratch)
  }
}

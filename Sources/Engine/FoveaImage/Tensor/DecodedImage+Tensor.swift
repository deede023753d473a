// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

extension DecodedImage {
  /// Writes a region of the image into a model's input: cropped, scaled, upright and normalised.
  ///
  /// The region is stretched to the tensor's size, or letterboxed if `spec` requires it. Samples outside the
  /// region have no influence.
  /// - Parameters:
  ///   - region: The region, in pixels of the full-size stored image, clipped to the image.
  ///   - orientation: The rotation that makes the image upright.
  ///   - spec: The input that the model expects.
  ///   - tensor: The model's input memory, exactly `spec.byteCount` bytes: rows from the top, pixels from the
  ///     left, three numbers each, or one for grey.
  ///   - scratch: Working memory, reused between calls.
  /// - Returns: The area in the tensor, in pixels of the full-size stored image: the clipped `region`,
  ///   extended by the bars of a letterbox, so that it may reach beyond the image. Use it to map boxes in the
  ///   tensor back to the image.
  /// - Throws: `ImageError` if the region is outside the image, or the tensor's description is inconsistent.
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
    let table = try unsafe table(for: spec, tensor, scratch)
    let fit = TensorFit(used, upright: orientation, stored: fullSize, spec)
    try unsafe withPlanes { (image) throws(ImageError) in
      let pass = unsafe TensorPass(
        image: image, region: fit.source, orientation: orientation, size: fit.place.image,
        sampling: spec.sampling)
      try unsafe pass.run(scratch: scratch) { band in
        unsafe table.write(band, at: fit.place, spec: spec, into: tensor)
      }
    }
    return fit.shown
  }

  /// Writes a rotated rectangle of the image into a model's input: scaled to fill it, upright and
  /// normalised.
  ///
  /// Two pixels contribute in each direction. Outside the image, its outermost pixels are repeated.
  /// - Parameters:
  ///   - crop: The rectangle, in pixels of the full-size upright image; its side that is at the top at an
  ///     angle of 0 becomes the first row.
  ///   - orientation: The rotation that makes the image upright.
  ///   - spec: The input that the model expects; its letterbox does not apply.
  ///   - tensor: The model's input memory, exactly `spec.byteCount` bytes.
  ///   - scratch: Working memory, reused between calls.
  /// - Throws: `ImageError` if the rectangle is empty, or the tensor's description is inconsistent.
  package func write(
    crop: OrientedBox, upright orientation: Orientation, spec: ImageTensorSpec,
    into tensor: UnsafeMutableRawBufferPointer, scratch: TensorScratch
  ) throws(ImageError) {
    guard !crop.isEmpty else {
      throw ImageError(
        .emptyRegion, "the rectangle \(crop) covers nothing",
        remedy: "Choose a rectangle with finite numbers and sides above 0", subject: name)
    }
    let table = try unsafe table(for: spec, tensor, scratch)
    let place = ImagePlace(x: 0, y: 0, image: spec.size, tensor: spec.size)
    try unsafe withPlanes { (image) throws(ImageError) in
      let pass = unsafe TurnedPass(
        image: image, crop: crop, orientation: orientation, size: spec.size, sampling: spec.sampling)
      unsafe table.write(try pass.planes(in: scratch), at: place, spec: spec, into: tensor)
    }
  }

  /// Returns the values of pixels in a tensor.
  /// - Throws: `ImageError` if the tensor's description is inconsistent, or its memory does not fit.
  private func table(
    for spec: ImageTensorSpec, _ tensor: UnsafeMutableRawBufferPointer, _ scratch: TensorScratch
  ) throws(ImageError) -> PixelTable {
    let limit = 1 << 15
    guard (1...limit).contains(spec.size.width), (1...limit).contains(spec.size.height) else {
      throw ImageError(
        .invalidTensor, "the tensor is \(spec.size) pixels; each side must be 1…\(limit)",
        remedy: "Give the model's input size", subject: name)
    }
    guard tensor.count == spec.byteCount else {
      throw ImageError(
        .invalidTensor,
        "the tensor has \(tensor.count) bytes, \(spec.byteCount) expected for \(spec.size) pixels",
        remedy: "Give memory of exactly ImageTensorSpec.byteCount bytes", subject: name)
    }
    if spec.elementType.byteCount == 4, let base = tensor.baseAddress, UInt(bitPattern: base) % 4 != 0 {
      throw ImageError(
        .invalidTensor, "the tensor's memory is not aligned to 4 bytes",
        remedy: "Pass memory that is aligned to 4 bytes", subject: name)
    }
    return try scratch.table(for: spec, imageName: name)
  }

  /// Writes the whole image, upright, into a model's input.
  /// - Parameters:
  ///   - spec: The input that the model expects.
  ///   - tensor: The model's input memory, exactly `spec.byteCount` bytes.
  ///   - scratch: Working memory, reused between calls.
  /// - Returns: The area in the tensor, in pixels of the full-size stored image: the image and its letterbox.
  /// - Throws: `ImageError` if the tensor's description is inconsistent.
  @discardableResult
  public func write(
    spec: ImageTensorSpec, into tensor: UnsafeMutableRawBufferPointer, scratch: TensorScratch
  ) throws(ImageError) -> BoundingBox {
    try unsafe write(
      region: BoundingBox(x: 0, y: 0, width: Double(fullSize.width), height: Double(fullSize.height)),
      upright: orientation, spec: spec, into: tensor, scratch: scratch)
  }
}

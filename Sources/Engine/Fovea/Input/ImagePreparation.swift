// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// The decoder of a worker, and the rules for decoding images.
final class ImagePreparation {
  private let decoder = ImageDecoder()
  private let limits: ImageLimits
  private let reducedSizeDecoding: Bool

  init(_ options: some ModelOptions) {
    limits = options.imageLimits
    reducedSizeDecoding = options.reducedSizeDecoding
  }

  func open(_ input: ImageInput) throws(ImageError) -> OpenedImage { try input.open(limits: limits) }

  /// Decodes so that `region` becomes at least `size` pixels, both upright; returns a prepared image
  /// unchanged.
  func decode(
    _ input: ImageInput, _ image: OpenedImage, region: BoundingBox, atLeast size: PixelSize
  ) throws(ImageError) -> DecodedImage {
    if case .prepared(let prepared) = input.storage { return prepared.decoded }
    return try decode(image, target(for: image, region: region, atLeast: size))
  }

  /// Decodes a region for a tensor; in its letterbox, the image itself is smaller than the tensor.
  func decode(
    _ input: ImageInput, _ image: OpenedImage, region: BoundingBox, for spec: ImageTensorSpec
  ) throws(ImageError) -> DecodedImage {
    let size = ImageInputTensor.decodeSize(
      for: spec.place(of: region, upright: image.orientation).image, spec.sampling)
    return try decode(input, image, region: region, atLeast: size)
  }

  /// Writes a whole image into an input of a session.
  func fill(
    _ index: Int, of session: Session, with image: ImageInput, _ spec: ImageTensorSpec,
    scratch: TensorScratch
  ) throws {
    let opened = try open(image)
    let region = try RegionOfInterest.resolve(nil, in: opened)
    let decoded = try decode(image, opened, region: region, for: spec)
    unsafe try session.withUnsafeInputBytes(index) { bytes throws(ImageError) in
      unsafe _ = try decoded.write(
        region: region, upright: opened.orientation, spec: spec, into: bytes, scratch: scratch)
    }
  }

  /// Decodes again if a region is smaller than `size` in `decoded` although the file has more detail.
  func refine(
    _ decoded: DecodedImage, of image: OpenedImage, regions: [BoundingBox], atLeast size: PixelSize
  ) throws(ImageError) -> DecodedImage {
    guard reducedSizeDecoding, decoded.size != image.size else { return decoded }
    let present = Double(decoded.size.width) / Double(image.size.width)
    let smallest = regions.filter { needed(for: $0, image, size) > present }
      .max { needed(for: $0, image, size) < needed(for: $1, image, size) }
    guard let smallest else { return decoded }
    let finer = target(for: image, region: smallest, atLeast: size)
    return try decode(image, finer)
  }

  private func decode(_ image: OpenedImage, _ target: DecodeTarget) throws(ImageError) -> DecodedImage {
    switch image.source {
    case .encoded(let encoded): try decoder.decode(encoded, scaledFor: target)
    case .pixels(let decoded): decoded
    }
  }

  /// Returns the fraction of the full size, 0…1, at which `region` has `size` pixels in both directions.
  private func needed(for region: BoundingBox, _ image: OpenedImage, _ size: PixelSize) -> Double {
    let stored = image.orientation.isTransposed ? size.transposed : size
    guard !region.isEmpty else { return 0 }
    return min(1, max(Double(stored.width) / region.width, Double(stored.height) / region.height))
  }

  private func target(for image: OpenedImage, region: BoundingBox, atLeast size: PixelSize) -> DecodeTarget {
    guard reducedSizeDecoding else { return .full }
    let stored = image.orientation.isTransposed ? size.transposed : size
    let width = Double(stored.width) * Double(image.size.width) / max(region.width, 1)
    let height = Double(stored.height) * Double(image.size.height) / max(region.height, 1)
    return .atLeast(
      PixelSize(
        width: Int(min(width.rounded(.up), Double(image.size.width))),
        height: Int(min(height.rounded(.up), Double(image.size.height)))))
  }
}

// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// One session of an embedder with all memory that is reused from image to image.
final class EmbeddingWorker: ImageWorker {
  private let plan: EmbeddingPlan
  private let session: Session
  private let preparation: ImagePreparation
  private let scratch = TensorScratch()
  private let greyScratch = TensorScratch()

  init(_ plan: EmbeddingPlan) throws {
    self.plan = plan
    session = try plan.makeSession()
    preparation = ImagePreparation(plan.options)
  }

  /// The assumptions, the repairs made to the model, and notes if it does not run as usual.
  var assumptions: [Advice] {
    (plan.backbone.repairs + session.notes).map { Advice($0) }
      + plan.input.assumptions(modelName: plan.backbone.name)
  }
  var classNames: [String] { [] }

  /// Returns the embedding of an image, or of a region in it.
  func analyze(
    _ image: ImageInput, region: BoundingBox?, token: CancellationToken
  ) throws -> ImageEmbedding {
    let start = ContinuousClock.now
    let opened = try preparation.open(image)
    let wanted = try RegionOfInterest.resolve(region, in: opened)
    let decoded = try preparation.decode(image, opened, region: wanted, atLeast: plan.input.decodeSize)
    let decodingTime = ContinuousClock.now - start
    var embedding = try embed(decoded, of: opened, region: wanted, token: token)
    embedding.timings.decode = decodingTime
    embedding.timings.total += decodingTime
    return embedding
  }

  /// Returns the embeddings of parts of an image, which is decoded finely enough for the smallest of them.
  func embed(
    _ image: ImageInput, regions: [BoundingBox], token: CancellationToken
  ) throws -> [ImageEmbedding] {
    let opened = try preparation.open(image)
    let wanted = try regions.map { region throws(FoveaError) in
      try RegionOfInterest.resolve(region, in: opened)
    }
    let size = plan.input.decodeSize
    let whole = try RegionOfInterest.resolve(nil, in: opened)
    let coarse = try preparation.decode(image, opened, region: whole, atLeast: size)
    let decoded = try preparation.refine(coarse, of: opened, regions: wanted, atLeast: size)
    return try wanted.map { try embed(decoded, of: opened, region: $0, token: token) }
  }

  private func embed(
    _ decoded: DecodedImage, of opened: OpenedImage, region wanted: BoundingBox, token: CancellationToken
  ) throws -> ImageEmbedding {
    var timings = StageTimings()
    let start = ContinuousClock.now
    unsafe try session.withUnsafeInputBytes(0) { bytes throws(ImageError) in
      unsafe _ = try decoded.write(
        region: wanted, upright: decoded.orientation, spec: plan.input.spec, into: bytes, scratch: scratch)
    }
    let grey =
      plan.options.includesGrey
      ? try GreyImage.pixels(of: decoded, region: wanted, scratch: greyScratch) : []
    let prepared = ContinuousClock.now
    timings.prepare = prepared - start
    try session.run(cancelledBy: token)
    var values: [Float] = []
    try session.readNumbers(output: 0, into: &values)
    try check(values, imageName: opened.name)
    let end = ContinuousClock.now
    timings.detect = end - prepared
    timings.total = end - start
    return ImageEmbedding(
      size: opened.size, orientation: opened.orientation, values: values, grey: grey, timings: timings)
  }

  private func check(_ values: [Float], imageName: String) throws(FoveaError) {
    guard let index = values.firstIndex(where: { !$0.isFinite }) else { return }
    throw FoveaError(
      FoveaCode(LabelingCode.invalidOutput),
      "Number \(index) of the embedding by '\(plan.backbone.name)' is \(values[index])",
      remedy: "Check how the model was exported; \(term: .inspect) shows its tensors", subject: imageName)
  }
}

/// An image shrunk to a few grey pixels, which stay similar in copies of any size and quality.
enum GreyImage {
  /// 9 × 8 pixels, the size that difference hashes compare.
  private static let spec = ImageTensorSpec(size: PixelSize(width: 9, height: 8), channelOrder: .grey)

  /// Returns the pixels of a region, upright, row by row.
  static func pixels(
    of image: DecodedImage, region: BoundingBox, scratch: TensorScratch
  ) throws(ImageError) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: spec.byteCount)
    let written: Result<Void, ImageError> = unsafe pixels.withUnsafeMutableBytes { bytes in
      Result { () throws(ImageError) in
        unsafe try image.write(
          region: region, upright: image.orientation, spec: spec, into: bytes, scratch: scratch)
      }
    }
    try written.get()
    return pixels
  }
}

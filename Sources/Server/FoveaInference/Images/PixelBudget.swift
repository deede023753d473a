// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaImage

/// The memory limit for decoded images: a file of a few kilobytes can have 50 million pixels.
struct PixelBudget: Sendable {
  private let memory: MemoryBudget
  private let limits: ImageLimits
  /// Whether all slots together could exceed the limit, so that each image has to be counted.
  private let counts: Bool

  /// The size of an RGBA pixel.
  private static let bytesPerPixel = 4
  /// The divisor for large JPEGs, which are decoded with at most a quarter of each side.
  private static let reduction = 16
  private static let small = 4 << 20
  /// The divisor for the share of the budget that one client with several images leaves to others.
  private static let rest = 16

  init(limit: Int, slots: Int, limits: ImageLimits) {
    memory = MemoryBudget(
      limit: limit, portion: limit - limit / PixelBudget.rest,
      problem: "Too many large images are being processed")
    self.limits = limits
    let (worst, isTooMuch) = (limits.maxPixels * PixelBudget.bytesPerPixel).multipliedReportingOverflow(
      by: slots)
    counts = isTooMuch || worst > limit
  }

  /// Calls `body` while an image's pixels are counted.
  /// - Throws: A refusal if there is too little memory now; the errors of `body`.
  func counting<R>(
    _ image: ReceivedImage, isDrawnOn: Bool, for client: String = "", _ body: () async throws -> R
  ) async throws -> R {
    try await memory.reserving(counts ? cost(of: image, isDrawnOn: isDrawnOn) : 0, for: client, body)
  }

  /// Returns the size from the image's header; 0 if it is not an image, which decoding reports.
  private func cost(of image: ReceivedImage, isDrawnOn: Bool) -> Int {
    guard let encoded = try? EncodedImage(bytes: image.bytes, name: ReceivedImage.subject, limits: limits)
    else {
      return 0
    }
    let bytes = encoded.size.width * encoded.size.height * PixelBudget.bytesPerPixel
    guard encoded.format == .jpeg, !isDrawnOn else { return bytes }
    return max(bytes / PixelBudget.reduction, min(bytes, PixelBudget.small))
  }
}
#endif

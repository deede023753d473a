// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaImage

/// The memory that decoded images may take at a time: a file of some kilobytes can have 50 million pixels.
struct PixelBudget: Sendable {
  private let memory: MemoryBudget
  private let limits: ImageLimits
  /// Whether all slots could take more than there is, so that each image has to be counted.
  private let counts: Bool

  /// RGBA.
  private static let bytesPerPixel = 4
  /// A JPEG is decoded at a part of its size, at most a quarter of each side where it is large.
  private static let reduction = 16
  private static let small = 4 << 20
  /// The part of all that one client leaves to others, as a divisor, where it has several images.
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

  /// Calls `body` while the pixels of an image are counted.
  /// - Throws: A refusal where there is no room for them now; what `body` throws.
  func counting<R>(
    _ picture: Picture, isDrawnOn: Bool, for client: String = "", _ body: () async throws -> R
  ) async throws -> R {
    try await memory.reserving(counts ? cost(of: picture, isDrawnOn: isDrawnOn) : 0, for: client, body)
  }

  /// By the header; 0 for what is none, which decoding reports.
  private func cost(of picture: Picture, isDrawnOn: Bool) -> Int {
    guard let image = try? EncodedImage(bytes: picture.bytes, name: Picture.subject, limits: limits) else {
      return 0
    }
    let bytes = image.size.width * image.size.height * PixelBudget.bytesPerPixel
    guard image.format == .jpeg, !isDrawnOn else { return bytes }
    return max(bytes / PixelBudget.reduction, min(bytes, PixelBudget.small))
  }
}
#endif

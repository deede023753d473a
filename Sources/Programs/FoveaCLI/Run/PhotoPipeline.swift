// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaImage
import FoveaRender

/// The outcome for one image.
struct FinishedImage: Sendable {
  var record: DetectionRecord
  /// Whether this is an argument or a folder without images, not an image.
  var isUnlisted = false
  /// The thumbnail, if a report needs it.
  var thumbnail: Thumbnail?
}

/// The processing of one image, from its bytes to its record.
struct PhotoPipeline: Sendable {
  /// The maximum size of an image from a pipe, in bytes.
  var byteLimit = 512 << 20
  /// The limits of a single image.
  var limits = ImageLimits()
  /// Whether boxes are reported in pixels of the upright image.
  var isUpright = false
  var annotation: AnnotationPlan?
  /// The folder of results, for formats that write a file for each image.
  var folder: (any DetectionFolder)?
  /// The number of thumbnails that the report still needs.
  var thumbnails: ThumbnailBudget?

  func record(of image: InputImage, by analyzer: any ImageAnalyzer, stop: StopSignal) async
    -> FinishedImage
  {
    let hasThumbnail = thumbnails?.take() ?? false
    do throws(FoveaError) {
      let photo = Photo(
        try image.load(limit: byteLimit, stop: stop), limits: limits,
        isShared: annotation != nil || hasThumbnail)
      let found = try await analyzer.findings(in: photo)
      try found.checkNumbers()
      var thumbnail = try annotation?.annotate(photo, of: image, with: found, hasThumbnail: hasThumbnail)
      if hasThumbnail, thumbnail == nil { thumbnail = try Self.thumbnail(of: photo) }
      let findings = isUpright ? found.upright() : found
      // Written last: this file marks the image as done.
      try folder?.write(findings, of: image.imageFile)
      return FinishedImage(
        record: DetectionRecord(name: image.imageName, result: .success(findings)), thumbnail: thumbnail)
    } catch {
      if hasThumbnail { thumbnails?.giveBack() }
      return FinishedImage(record: DetectionRecord(name: image.imageName, result: .failure(error)))
    }
  }

  private static func thumbnail(of photo: Photo) throws(FoveaError) -> Thumbnail {
    do { return try Thumbnail(of: try photo.image()) } catch { throw FoveaError(error) }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaImage
import FoveaRender

/// The outcome for one image.
struct FinishedImage: Sendable {
  var record: DetectionRecord
  /// Whether this is no image, but an argument or a folder that gave none.
  var isUnlisted = false
  /// The image, small, where a report wants it.
  var thumbnail: Thumbnail?
}

/// Everything that is done for one image, from its bytes to its record.
struct PhotoPipeline: Sendable {
  /// The most bytes that an image from a pipe may have.
  var byteLimit = 512 << 20
  /// What an image may cost.
  var limits = ImageLimits()
  /// Whether boxes are wanted in pixels of the upright image.
  var isUpright = false
  var annotation: AnnotationPlan?
  /// Where each image's own result goes, in formats that have one.
  var folder: (any DetectionFolder)?
  /// How many images a report wants to show.
  var thumbnails: ThumbnailBudget?

  func record(of picture: InputImage, by analyzer: any ImageAnalyzer, stop: StopSignal) async
    -> FinishedImage
  {
    let hasThumbnail = thumbnails?.take() ?? false
    do throws(FoveaError) {
      let photo = Photo(
        try picture.load(limit: byteLimit, stop: stop), limits: limits,
        isShared: annotation != nil || hasThumbnail)
      let found = try await analyzer.findings(in: photo)
      try found.checkNumbers()
      var thumbnail = try annotation?.annotate(photo, of: picture, with: found, hasThumbnail: hasThumbnail)
      if hasThumbnail, thumbnail == nil { thumbnail = try Self.thumbnail(of: photo) }
      let findings = isUpright ? found.upright() : found
      // Last: it says that the image is done.
      try folder?.write(findings, of: picture.imageFile)
      return FinishedImage(
        record: DetectionRecord(name: picture.imageName, result: .success(findings)), thumbnail: thumbnail)
    } catch {
      if hasThumbnail { thumbnails?.giveBack() }
      return FinishedImage(record: DetectionRecord(name: picture.imageName, result: .failure(error)))
    }
  }

  private static func thumbnail(of photo: Photo) throws(FoveaError) -> Thumbnail {
    do { return try Thumbnail(of: try photo.image()) } catch { throw FoveaError(error) }
  }
}

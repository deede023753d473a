// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaEvaluation
import FoveaFormats
import FoveaImage
import FoveaTraining

/// The class number of each pixel of an image.
struct ClassPixels: Sendable {
  /// The numbers, row by row from the top left.
  var numbers: [UInt8]
  /// The size of the image.
  var size: PixelSize

  init(_ numbers: [UInt8], size: PixelSize) {
    self.numbers = numbers
    self.size = size
  }

  /// Reads a PNG of class numbers.
  init(png file: Photo) throws(FoveaError) {
    let image = try file.image()
    let numbers: [UInt8]
    do throws(ImageError) { numbers = try ClassImage.numbers(in: image) } catch { throw FoveaError(error) }
    self.init(numbers, size: image.size)
  }
}

/// The source of the compared maps: files, a segmenter, or a function in tests.
struct MapSource: Sendable {
  /// The names of the classes by number; empty if there are none.
  var labels: [String] = []
  /// The assumptions made about the model.
  var assumptions: [Advice] = []
  /// Returns the class numbers of a map or of a photo.
  var pixels: @Sendable (Photo) async throws(FoveaError) -> ClassPixels

  /// Returns the source that reads maps from their files.
  static func files(labels: [String]) -> MapSource {
    MapSource(labels: labels) { (photo) async throws(FoveaError) in try ClassPixels(png: photo) }
  }

  /// Returns the source that makes maps of photos.
  /// - Parameters:
  ///   - segmenter: The segmenter.
  ///   - isUpright: True for maps of the photo as EXIF rotates it, false for maps of the stored photo.
  /// - Returns: The source.
  static func segmenter(_ segmenter: ImageSegmenter, isUpright: Bool) -> MapSource {
    MapSource(labels: segmenter.labels, assumptions: segmenter.assumptions) {
      (photo) async throws(FoveaError) in
      let found = try await segmenter.analyze(try photo.input())
      let size = isUpright ? found.orientation.uprightSize(ofStored: found.size) : found.size
      let map = isUpright ? found.map.upright(found.orientation, stored: found.size) : found.map
      return ClassPixels(map.classes(in: size), size: size)
    }
  }
}

/// The outcome of one image: its counted pixels, or the error of the named file.
struct MapOutcome: Sendable {
  var name: ImageName
  var result: Result<MapTally, FoveaError>
}

/// Compares the map of an image with its ground truth.
struct MapComparison: Sendable {
  let pairs: MapPairs
  let limits: ImageLimits
  let stop: StopSignal

  func outcome(of truth: InputImage, from source: MapSource) async -> MapOutcome {
    var name = truth.imageName
    do throws(FoveaError) {
      let partner = try pairs.partner(of: truth)
      let expected = try ClassPixels(png: photo(of: truth))
      name = partner.imageName
      let found = try await source.pixels(photo(of: partner))
      guard found.size == expected.size else {
        throw pairs.sizeMismatch(found.size, truth, expected.size)
      }
      var tally = MapTally()
      tally.add(found.numbers, groundTruth: expected.numbers)
      return MapOutcome(name: name, result: .success(tally))
    } catch {
      return MapOutcome(name: name, result: .failure(error))
    }
  }

  private func photo(of image: InputImage) throws(FoveaError) -> Photo {
    Photo(try image.load(limit: limits.maxFileBytes, stop: stop), limits: limits)
  }
}

/// The final stage of a comparison: adds up the pixels, and keeps the failures.
final class MapSink: RunSink {
  private let display: TrainingDisplay
  private let total: Int
  private(set) var tally = MapTally()
  private(set) var images = 0
  private(set) var failed: [(name: String, error: FoveaError)] = []
  var skipped = 0

  init(_ display: TrainingDisplay, total: Int) {
    self.display = display
    self.total = total
  }

  func accept(_ outcome: MapOutcome) {
    switch outcome.result {
    case .success(let pixels):
      tally.add(pixels)
      images += 1
    case .failure(let error): failed.append((outcome.name.text, error))
    }
    reportProgress()
  }

  func reportProgress() {
    display.show(TrainingProgress(.embedding, done: images + failed.count, total: total))
  }

  func finish() {}
}

// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore

/// The photos that choose the ranges, and those that are compared.
///
/// Photos of one colour and copies of other photos are left out: they show no further range, and on them a
/// destroyed model agrees as well as a sound one.
struct PhotoChoice: Sendable {
  /// From this number of photos, some are kept from choosing the ranges, to be compared.
  private static let fewestToSplit = 8

  /// The photos that choose the ranges; fewer than 8 are compared, too.
  private(set) var calibration: [ComparedPhoto] = []
  /// The photos on which both models run.
  private(set) var compared: [ComparedPhoto] = []
  /// The photos that were not read, as there are more than needed.
  let unread: [ComparedPhoto]
  /// The number of photos that were read, or should have been.
  let readCount: Int
  /// The photos that could not be read.
  private(set) var failed: [ComparedModels.Failed] = []
  /// The number of photos of one colour.
  private(set) var plainCount = 0
  /// The number of copies of other photos.
  private(set) var copyCount = 0

  /// Reads and divides photos.
  /// - Parameters:
  ///   - photos: The photos, of which at most 180 are read, at even distances.
  ///   - colors: Returns the colours of a photo; an error with a code of images leaves the photo out.
  /// - Throws: The other errors of `colors`.
  init(
    of photos: [ComparedPhoto], colors: (ComparedPhoto) throws(FoveaError) -> ColorGrid
  ) throws(FoveaError) {
    let used = EvenChoice.of(photos, Quantizer.mostPhotos)
    let others = Self.without(used, photos)
    let spare = EvenChoice.of(others, Quantizer.mostPhotos - Self.comparedCount(of: used.count))
    unread = Self.without(spare, others)
    readCount = used.count + spare.count
    var (showing, grids): ([ComparedPhoto], [ColorGrid]) = ([], [])
    for photo in used + spare {
      do throws(FoveaError) {
        let grid = try colors(photo)
        if grid.isPlain {
          plainCount += 1
        } else if grids.contains(where: grid.isCopy(of:)) {
          copyCount += 1
        } else {
          showing.append(photo)
          grids.append(grid)
        }
      } catch {
        guard error.code.rawValue.hasPrefix("image-") else { throw error }
        failed.append(.init(name: photo.name, error: error))
      }
    }
    divide(Array(showing.prefix(used.count)), Array(showing.dropFirst(used.count)))
  }

  /// Divides the photos that show something; `others` are further ones, which are compared.
  private mutating func divide(_ photos: [ComparedPhoto], _ others: [ComparedPhoto]) {
    guard photos.count >= Self.fewestToSplit else {
      (calibration, compared) = (photos, photos)
      return
    }
    let places = Set(EvenChoice.of(Array(photos.indices), Self.comparedCount(of: photos.count)))
    calibration = photos.indices.filter { !places.contains($0) }.map { photos[$0] }
    // Photos that choose nothing judge best: the more of them, the less does chance decide.
    compared = photos.indices.filter(places.contains).map { photos[$0] } + others
  }

  /// Returns the number of photos that choose no ranges.
  private static func comparedCount(of count: Int) -> Int { max(Quantizer.leastCompared, count / 5) }

  private static func without(_ some: [ComparedPhoto], _ photos: [ComparedPhoto]) -> [ComparedPhoto] {
    let names = Set(some.map(\.name))
    return photos.filter { !names.contains($0.name) }
  }
}

/// The mean colours of a photo in a grid, by which copies and photos of one colour are recognised.
struct ColorGrid: Sendable {
  /// The number of rows and columns.
  static let side = 32
  /// The largest difference, in steps of 256, of colours that count as the same.
  ///
  /// Noise moves the mean of a cell by one or two, a small thing that moves by more. A photo that is
  /// compressed, scaled or cropped once more mostly differs by more, too, and counts as another one.
  static let tolerance = 2

  private let bytes: [UInt8]

  /// Creates a grid from pixels of any number of channels, row by row.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the photo has nearly one colour.
  var isPlain: Bool {
    let channels = bytes.count / (Self.side * Self.side)
    return (0..<channels).allSatisfy { channel in
      var (least, most) = (UInt8.max, UInt8.min)
      for index in stride(from: channel, to: bytes.count, by: channels) {
        (least, most) = (min(least, bytes[index]), max(most, bytes[index]))
      }
      return Int(most) - Int(least) <= Self.tolerance
    }
  }

  /// Whether the photo shows what another shows.
  func isCopy(of other: ColorGrid) -> Bool {
    bytes.count == other.bytes.count
      && zip(bytes, other.bytes).allSatisfy { abs(Int($0) - Int($1)) <= Self.tolerance }
  }
}

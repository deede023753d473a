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
  /// True if the photos that choose the ranges are compared, too.
  private(set) var comparesCalibration = false
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
      (calibration, compared, comparesCalibration) = (photos, photos, true)
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
  /// The largest difference, in steps of 256, of the brightness of copies in a grid of half as many cells.
  ///
  /// A copy that was compressed or scaled once more differs by 4 at most in most photos: colours suffer more,
  /// and small cells, too. A person in front of a camera at rest moves by more; a cropped copy differs more.
  private static let copyTolerance = 3
  /// The largest difference of the cells of a photo of one colour.
  private static let plainTolerance = 4
  /// The brightest cell of a photo that is black except for noise.
  private static let black = 24

  private let bytes: [UInt8]
  private let channels: Int
  /// The brightness of the cells of a grid of half as many rows and columns, times 16.
  private let brightness: [Int]

  /// Creates a grid from pixels of any number of channels, row by row.
  init(_ bytes: [UInt8]) {
    let channels = bytes.count / (Self.side * Self.side)
    (self.bytes, self.channels) = (bytes, channels)
    var sums = [Int](repeating: 0, count: bytes.count / channels / 4)
    for cell in 0..<(bytes.count / channels) {
      let (row, column) = cell.quotientAndRemainder(dividingBy: Self.side)
      // Green counts twice, in either order of the others; with one channel, it is all of them.
      let places = [0, channels / 2, channels / 2, channels - 1].map { cell * channels + $0 }
      sums[row / 2 * (Self.side / 2) + column / 2] += places.reduce(0) { $0 + Int(bytes[$1]) }
    }
    brightness = sums
  }

  /// Whether the photo has nearly one colour, or is nearly black.
  var isPlain: Bool {
    guard bytes.contains(where: { $0 > Self.black }) else { return true }
    return (0..<channels).allSatisfy { channel in
      var (least, most) = (UInt8.max, UInt8.min)
      for index in stride(from: channel, to: bytes.count, by: channels) {
        (least, most) = (min(least, bytes[index]), max(most, bytes[index]))
      }
      return Int(most) - Int(least) <= Self.plainTolerance
    }
  }

  /// Whether the photo shows what another shows.
  func isCopy(of other: ColorGrid) -> Bool {
    zip(brightness, other.brightness).allSatisfy { abs($0 - $1) <= 16 * Self.copyTolerance }
  }
}

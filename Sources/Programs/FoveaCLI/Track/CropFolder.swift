// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaFormats
import FoveaGeometry
import FoveaImage
import FoveaTracking

/// The folder of `--crops`: the best image of each object.
///
/// An object's file is written when the tracker has forgotten the object, or at the end of the run. Until
/// then, its encoded image is kept.
final class CropFolder {
  private struct Crop {
    var quality: SightQuality
    var label: String?
    var frame: Int
    var jpeg: [UInt8]
  }

  private static let jpegQuality = 80

  private let path: String
  private let lock: FolderLock
  /// The best images of the identities that may still be seen.
  private var crops: [Int: Crop] = [:]

  /// Creates and locks the folder at `path`.
  /// - Throws: `output-in-use`, `output-unwritable`.
  init(path: String) throws(FoveaError) {
    self.path = path
    lock = try OutputReservation.folder(path, option: "crops") {
      FoveaError(
        .outputUnwritable, "the folder '\(path.printable)' cannot be written to: \($0.message)",
        remedy: "Name another folder with --crops")
    }
  }

  /// Processes a frame: keeps the images that are better, and writes those of forgotten objects.
  /// - Parameters:
  ///   - record: The frame, upright.
  ///   - size: The size of the upright frame.
  ///   - known: The identities that can still return; nil if unknown.
  ///   - canvas: Returns the upright frame.
  /// - Throws: `image-write-failed` or another error of encoding, and the write error.
  func accept(
    _ record: FrameRecord, in size: PixelSize, known: [Int]?,
    canvas: () throws(FoveaError) -> PixelCanvas
  ) throws(FoveaError) {
    for object in record.objects {
      guard let identity = object.trackingID else { continue }
      let quality = SightQuality(object.box, score: Double(object.score), in: size)
      guard quality.value > 0, crops[identity].map({ quality.replaces($0.quality) }) ?? true,
        let crop = try canvas().cropped(to: object.box)
      else { continue }
      do throws(ImageError) {
        crops[identity] = Crop(
          quality: quality, label: object.labels.first?.text, frame: record.number,
          jpeg: try crop.encoded(as: .jpeg, quality: Self.jpegQuality))
      } catch {
        throw FoveaError(error)
      }
    }
    guard let known else { return }
    let kept = Set(known)
    for identity in crops.keys.filter({ !kept.contains($0) }).sorted() { try write(identity) }
  }

  /// Writes the images of the remaining objects.
  /// - Throws: The write error.
  func finish() throws(FoveaError) {
    for identity in crops.keys.sorted() { try write(identity) }
  }

  private func write(_ identity: Int) throws(FoveaError) {
    guard let crop = crops.removeValue(forKey: identity) else { return }
    let label = crop.label.map(ShapeName.fitted) ?? ""
    let file = FilePath.joined(path, "\(identity)-\(label.isEmpty ? "object" : label)-\(crop.frame).jpg")
    do throws(SystemError) { try ReplacedFile.write(crop.jpeg, to: file) } catch {
      throw .writingFailed(file, error, option: "crops")
    }
  }
}

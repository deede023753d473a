// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaDecoding
import FoveaEvaluation
package import FoveaGeometry
package import FoveaTracking

/// The boxes of a `det.txt`, and what the `seqinfo.ini` of its sequence says.
package struct DetectionTable: Sendable {
  private var frames: TrackFrames
  /// What comes with the file: frame rate, length, size.
  package let info: MOTSequenceInfo
  /// What was odd in `seqinfo.ini`.
  private let infoWarnings: [String]

  /// Reads a file in the format of MOTChallenge, or one that `fovea track` or `fovea detect` has written.
  ///
  /// `seqinfo.ini` is looked for in the file's folder and in the one above, where the benchmarks have it.
  /// - Throws: The codes of `MOTReader`; `seqinfo.ini` is left out with a warning where it cannot be read.
  package init(path: String) throws(FoveaError) {
    do throws(EvaluationError) { frames = try TrackFile.read(path: path, .detections) } catch {
      throw FoveaError(error)
    }
    var warnings: [String] = []
    let folder = FilePath(path).parent
    var info = MOTSequenceInfo()
    for name in ["seqinfo.ini", "../seqinfo.ini"] {
      let candidate = FilePath.joined(folder.isEmpty ? "." : folder, name)
      guard FileStatus(FilePath(candidate))?.kind == .file else { continue }
      do throws(EvaluationError) { info = try MOTSequenceInfo(path: candidate) } catch {
        warnings.append("\(error.message); it is left out")
      }
      break
    }
    self.info = info
    infoWarnings = warnings
  }

  /// What was odd and what was done about it.
  package var warnings: [String] { frames.warnings.map(\.description) + infoWarnings }

  /// Puts the boxes on the images of a folder by the names of their images, and not by their places in the file.
  /// - Parameter paths: The images, the first of which is frame 1.
  /// - Returns: The same boxes if frames have numbers of their own, or images no names.
  /// - Throws: `evaluation-invalid-detections`: no image is in the folder, or one may be that of two folders.
  package func placed(on paths: [String]) throws(FoveaError) -> DetectionTable {
    var table = self
    do throws(EvaluationError) { table.frames = try frames.placed(on: paths) } catch {
      throw FoveaError(error)
    }
    return table
  }

  /// The number of the last frame: the sequence's length, the last one that the file lists, or the last one with a box.
  package var lastFrame: Int { max(info.frameCount ?? 0, frames.lastListedFrame, lastFrameWithBoxes) }

  /// The number of the last frame with a box; 0 where there is none.
  package var lastFrameWithBoxes: Int { frames.frames.last ?? 0 }

  /// The number of the first frame after `number` that has a box; nil after the last one.
  package func nextFrame(after number: Int) -> Int? {
    let numbers = frames.frames
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return low < numbers.count ? numbers[low] : nil
  }

  /// Frames a second, where `seqinfo.ini` says it.
  package var frameRate: Double? { info.frameRate }

  /// The frame's size, where it is known.
  package var size: PixelSize? {
    guard let width = info.width, let height = info.height else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// The boxes of a frame as the tracker takes them, with all digits of the file, in its order.
  package func detections(inFrame number: Int) -> [TrackingDetection] {
    frames.annotations(inFrame: number).map { annotation in
      TrackingDetection(
        box: annotation.box, score: annotation.score,
        classIndex: annotation.classID > 0 ? annotation.classID : nil)
    }
  }

  /// The objects of a frame, in the order of the file.
  package func objects(inFrame number: Int) -> [DetectedObject] {
    detections(inFrame: number).map { DetectedObject($0) }
  }
}

extension DetectedObject {
  /// A detection as an object without an identity; a class has a number and no name.
  package init(_ detection: TrackingDetection) {
    let score = Float(detection.score)
    self.init(
      box: detection.box, score: score,
      labels: detection.classIndex.map { [Label(text: nil, index: $0, confidence: score)] } ?? [])
  }
}

// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore
import FoveaDecoding
import FoveaEvaluation
package import FoveaGeometry
package import FoveaTracking

/// The boxes of a `det.txt`, with the facts from the `seqinfo.ini` of its sequence.
package struct DetectionTable: Sendable {
  private var frames: TrackFrames
  private let labels: BoxLabels
  /// The sequence's frame rate, length and size.
  package let info: MOTSequenceInfo
  /// The warnings about `seqinfo.ini`.
  private let infoWarnings: [String]

  /// Reads a file in MOTChallenge's format, or one written by `fovea track` or `fovea detect`.
  ///
  /// Looks for `seqinfo.ini` in the file's folder and in its parent, where the benchmarks keep it.
  /// - Throws: The codes of `MOTReader`; an unreadable `seqinfo.ini` is ignored with a warning.
  package init(path: String) throws(FoveaError) {
    let read: LabeledFrames
    do throws(EvaluationError) { read = try TrackFile.readLabeled(path: path, .detections) } catch {
      throw FoveaError(error)
    }
    (frames, labels) = (read.frames, read.labels)
    var warnings: [String] = []
    let folder = FilePath(path).parent
    var info = MOTSequenceInfo()
    for name in ["seqinfo.ini", "../seqinfo.ini"] {
      let candidate = FilePath.joined(folder.isEmpty ? "." : folder, name)
      guard FileStatus(FilePath(candidate))?.kind == .file else { continue }
      do throws(EvaluationError) { info = try MOTSequenceInfo(path: candidate) } catch {
        warnings.append("\(error.message); it is ignored")
      }
      break
    }
    self.info = info
    infoWarnings = warnings
  }

  /// The warnings: what was odd, and how it was handled.
  package var warnings: [String] { frames.warnings.map(\.description) + infoWarnings }

  /// Assigns the boxes to the images of a folder by image name rather than by order in the file.
  /// - Parameter paths: The images, starting with frame 1.
  /// - Returns: The same boxes if frames have their own numbers or images have no names.
  /// - Throws: `evaluation-invalid-detections` if no image is in the folder, or one may be of two folders.
  package func placed(on paths: [String]) throws(FoveaError) -> DetectionTable {
    var table = self
    do throws(EvaluationError) { table.frames = try frames.placed(on: paths) } catch {
      throw FoveaError(error)
    }
    return table
  }

  /// The number of the last frame: the highest of the sequence's length, the listed frames and the boxes.
  package var lastFrame: Int { max(info.frameCount ?? 0, frames.lastListedFrame, lastFrameWithBoxes) }

  /// The number of the last frame with a box; 0 if there is none.
  package var lastFrameWithBoxes: Int { frames.frames.last ?? 0 }

  /// Returns the number of the first frame after `number` with a box; nil after the last one.
  package func nextFrame(after number: Int) -> Int? {
    let numbers = frames.frames
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return low < numbers.count ? numbers[low] : nil
  }

  /// The frames per second, if `seqinfo.ini` declares them.
  package var frameRate: Double? { info.frameRate }

  /// The frame's size, if known.
  package var size: PixelSize? {
    guard let width = info.width, let height = info.height else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// Returns the boxes of a frame for the tracker, with all digits of the file, in file order.
  package func detections(inFrame number: Int) -> [TrackingDetection] {
    frames.annotations(inFrame: number).map { annotation in
      TrackingDetection(
        box: annotation.box, score: annotation.score, classIndex: labels(of: annotation).first?.index)
    }
  }

  /// Returns the objects of a frame with their labels, without identities, in file order.
  package func objects(inFrame number: Int) -> [DetectedObject] {
    frames.annotations(inFrame: number).map { annotation in
      DetectedObject(box: annotation.box, score: Float(annotation.score), labels: labels(of: annotation))
    }
  }

  /// Returns the labels of a box; the class of a line of MOTChallenge has a number but no name.
  private func labels(of annotation: TrackAnnotation) -> [Label] {
    guard annotation.labelPosition < 0, annotation.classID > 0 else {
      return labels[annotation.labelPosition]
    }
    return [Label(text: nil, index: annotation.classID, confidence: Float(annotation.score))]
  }
}

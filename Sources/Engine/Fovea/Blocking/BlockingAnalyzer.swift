// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaGeometry
package import FoveaRuntime

/// What was found in one image, by a detector or a labeler.
package enum BlockingFindings: Sendable {
  case objects(DetectionResult)
  case labels(LabelingResult)
}

/// A detector or a labeler whose calls run on the caller's thread: no task, no queue.
///
/// For languages that have neither, and for processes that fork. Any number of threads may call.
package protocol BlockingAnalyzer: Sendable {
  /// How many calls are worked on at the same time.
  var sessions: Int { get }
  /// The names of the classes by index; empty where none are known.
  var classNames: [String] { get }
  /// Assumptions made because neither the options nor the model decide it.
  var assumptions: [Advice] { get }

  /// Processes an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the stored image; nil takes all of it.
  ///   - token: Ends the call from another thread.
  /// - Returns: What was found.
  /// - Throws: As `ObjectDetector.detect(in:region:)`; `closed`.
  func analyze(
    _ image: ImageInput, region: BoundingBox?, cancelledBy token: CancellationToken
  ) throws(FoveaError) -> BlockingFindings

  /// Waits for the calls that run; those that wait for their turn, and all later ones, throw `closed`.
  func close()
}

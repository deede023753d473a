// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaGeometry
package import FoveaRuntime

/// The findings in one image.
package enum BlockingFindings: Sendable {
  case objects(DetectionResult)
  case labels(LabelingResult)
  case map(SegmentationResult)
  case features(ImageEmbedding)
}

/// A detector, labeler, segmenter or embedder whose calls run on the caller's thread, without tasks or
/// queues.
///
/// For languages that have neither, and for processes that fork. Any number of threads may call it.
package protocol BlockingAnalyzer: Sendable {
  /// The number of calls that can run at the same time.
  var sessions: Int { get }
  /// The class names by index; empty if unknown.
  var classNames: [String] { get }
  /// The assumptions made about facts that neither the options nor the model states.
  var assumptions: [Advice] { get }

  /// Processes an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - region: The part to process, in pixels of the stored image; nil for the whole image.
  ///   - token: Cancels the call from another thread.
  /// - Returns: The findings.
  /// - Throws: The errors of `ObjectDetector.detect(in:region:)`; `closed`.
  func analyze(
    _ image: ImageInput, region: BoundingBox?, cancelledBy token: CancellationToken
  ) throws(FoveaError) -> BlockingFindings

  /// Waits for running calls; waiting and later calls throw `closed`.
  func close()
}

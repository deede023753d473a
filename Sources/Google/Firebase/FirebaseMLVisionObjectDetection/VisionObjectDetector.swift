// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import FirebaseMLVision
public import Foundation
import FoveaCompatibility

/// Finds, labels and follows objects, with the coarse categories of the legacy library.
///
/// Create one with `Vision.vision().objectDetector()`. All detectors with equal options share their models
/// and their stream.
public final class VisionObjectDetector: NSObject, @unchecked Sendable {
  // SAFETY: its only property, `calls`, is constant and `Sendable`; mutexes guard its state.
  private let calls: VisionCalls<DetectionEngine>

  init(_ options: VisionObjectDetectorOptions) { calls = VisionCalls(options.request) }

  /// The queue on which completions are called; nil, the default, uses the main queue if something drains it,
  /// else the library's own queue.
  ///
  /// An addition. The main queue has 50 ms to run the first completion of the process; after that the
  /// library's queue is used until the main queue runs. `callbackQueue = .main` forces the main queue.
  public var callbackQueue: DispatchQueue? {
    get { calls.callbackQueue }
    set { calls.callbackQueue = newValue }
  }

  /// Finds the objects of an image and calls the completion.
  /// - Parameters:
  ///   - image: The image, in its state at the time of the call.
  ///   - completion: Called once, on `callbackQueue`, with the objects or an error.
  public func process(_ image: VisionImage, completion: @escaping VisionObjectDetectionCallback) {
    let completion = Completion<[FoundObject]> { objects, error in
      completion(objects?.map(VisionObject.init), error)
    }
    calls.process(image.visionInput, completion: completion)
  }

  /// Finds the objects of an image and waits for them on the caller's thread; any thread may call it.
  /// - Parameter image: The image.
  /// - Returns: The most prominent object, or up to five by descending score.
  /// - Throws: `MLError` if the image cannot be read.
  public func results(in image: VisionImage) throws -> [VisionObject] {
    try calls.results(in: image.visionInput).map(VisionObject.init)
  }

  /// Finds the objects of an image without blocking a thread or needing a queue.
  /// - Parameter image: The image.
  /// - Returns: As `results(in:)`.
  /// - Throws: As `results(in:)`, and `cancelled` if the task is cancelled.
  public func process(_ image: VisionImage) async throws -> [VisionObject] {
    try await calls.process(image.visionInput).map(VisionObject.init)
  }
}

/// The name of the detector in the text of the Portuguese guide.
public typealias FirebaseVisionObjectDetector = VisionObjectDetector

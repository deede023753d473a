// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation
import FoveaCompatibility
public import MLKitVision

/// Finds, labels and follows objects in images.
///
/// A detector costs next to nothing to make: its models are loaded at the first image and shared by all
/// detectors with equal options. In stream mode these detectors also share the stream: a detector may be
/// created for every frame, as in Google's sample, and tracking ids continue. `makeIsolated(options:)` makes
/// one with its own stream. A frame whose size or orientation differs from the previous frame's restarts the
/// stream.
///
/// A detector keeps the models that it has loaded: a replaced model file, or an updated or deleted remote
/// model, affects only detectors created afterwards.
///
/// Any number of threads and tasks may use a detector; images are processed one at a time, in the order of
/// the calls. Errors are `MLKitError`.
public final class ObjectDetector: NSObject, @unchecked Sendable {
  // SAFETY: its only property, `calls`, is constant and `Sendable`; mutexes guard its state.
  private let calls: VisionCalls<DetectionEngine>

  private init(_ calls: VisionCalls<DetectionEngine>) { self.calls = calls }

  /// Creates a detector.
  /// - Parameter options: The objects to find: `ObjectDetectorOptions` or `CustomObjectDetectorOptions`.
  /// - Returns: The detector; a missing or unusable model is reported at the first image.
  public class func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector {
    ObjectDetector(VisionCalls(options.request))
  }

  /// Creates a detector that shares nothing, for a second camera with the same options.
  ///
  /// An addition.
  /// - Parameter options: The objects to find.
  /// - Returns: The detector, with its own models and stream.
  public class func makeIsolated(options: CommonObjectDetectorOptions) -> ObjectDetector {
    ObjectDetector(VisionCalls(options.request, isIsolated: true))
  }

  /// The queue on which completions are called; nil, the default, selects one automatically.
  ///
  /// An addition. If unset, completions are called on the main queue if something drains it: an app,
  /// `RunLoop.main.run()`, `dispatchMain()`, an `async` main function. If the main thread waits instead, they
  /// are called on a queue of the library. Either way each is called once, in the order of the calls, and
  /// never two at a time.
  ///
  /// The main queue has 50 ms to run the first completion of the process; after that the library's queue is
  /// used until the main queue runs. If your main thread works longer before its run loop starts and your
  /// completions need the main queue, set `callbackQueue = .main`: completions then wait for it, however long
  /// it takes.
  public var callbackQueue: DispatchQueue? {
    get { calls.callbackQueue }
    set { calls.callbackQueue = newValue }
  }

  /// Finds the objects of an image and calls the completion.
  /// - Parameters:
  ///   - image: The image, in its state at the time of the call.
  ///   - completion: Called once, on `callbackQueue`, with the objects or an error.
  public func process(_ image: any MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback) {
    let completion = Completion<[FoundObject]> { objects, error in
      completion(objects?.map(Object.init), error)
    }
    calls.process(image.visionInput, completion: completion)
  }

  /// Finds the objects of an image and waits for them on the caller's thread.
  ///
  /// ML Kit raises an exception on the main thread; here any thread may call it, and is blocked meanwhile.
  /// - Parameter image: The image.
  /// - Returns: The objects: the most prominent one, or several by descending score.
  /// - Throws: `MLKitError` if the image cannot be read, or a model is missing or cannot be used.
  public func results(in image: any MLKitCompatibleImage) throws -> [Object] {
    try calls.results(in: image.visionInput).map(Object.init)
  }

  /// Finds the objects of an image without blocking a thread or needing a queue.
  /// - Parameter image: The image.
  /// - Returns: As `results(in:)`.
  /// - Throws: As `results(in:)`, and `cancelled` if the task is cancelled.
  public func process(_ image: any MLKitCompatibleImage) async throws -> [Object] {
    try await calls.process(image.visionInput).map(Object.init)
  }

  /// Restarts the stream: its objects are forgotten, and the next frame starts with the tracking id 0.
  ///
  /// An addition. Frames passed before the call are still followed. Detectors with equal options share the
  /// stream, so they restart with it.
  public func reset() { calls.reset() }
}

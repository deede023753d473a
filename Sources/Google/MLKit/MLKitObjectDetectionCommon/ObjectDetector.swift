// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation
import FoveaCompatibility
public import MLKitVision

/// Finds, labels and follows objects in images.
///
/// Making one costs next to nothing: models are loaded at its first image, and shared by all detectors with equal options.
/// In stream mode these share the stream as well, so that a detector may be made for every frame, as Google's sample does,
/// and tracking ids continue; `makeIsolated(options:)` makes one with its own stream. A frame of another size or
/// orientation than the one before begins the stream again.
///
/// A detector keeps the models that it has loaded. A model file that is replaced, and a remote model that is updated, is seen
/// by detectors that are made afterwards; one that is deleted is missing for these alone.
///
/// Any number of threads and tasks may use a detector; images are processed one after the other in the order of the calls.
/// Errors are `MLKitError`.
public final class ObjectDetector: NSObject, @unchecked Sendable {
  // SAFETY: its only property, `calls`, is constant and `Sendable`: its state is behind mutexes of its own.
  private let calls: VisionCalls<DetectionEngine>

  private init(_ calls: VisionCalls<DetectionEngine>) { self.calls = calls }

  /// Makes a detector.
  /// - Parameter options: What to find: `ObjectDetectorOptions` or `CustomObjectDetectorOptions`.
  /// - Returns: The detector; a model that is missing or cannot be used is an error of the first image.
  public class func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector {
    ObjectDetector(VisionCalls(options.request))
  }

  /// Makes a detector that shares nothing: for a second camera with the same options.
  ///
  /// An addition.
  /// - Parameter options: What to find.
  /// - Returns: The detector, with its own models and stream.
  public class func makeIsolated(options: CommonObjectDetectorOptions) -> ObjectDetector {
    ObjectDetector(VisionCalls(options.request, isIsolated: true))
  }

  /// The queue on which completions are called; nil, the default, chooses.
  ///
  /// An addition. Unset, completions are called on the main queue where something drains it: an app, `RunLoop.main.run()`,
  /// `dispatchMain()`, an `async` main function. A program whose main thread waits instead gets them on a queue of the
  /// library's own. Either way they are called once each, in the order of the calls, and never two at a time.
  ///
  /// The main queue has 50 ms to run the first completion of the process; after that the library's own queue is used until
  /// the main queue runs. A program whose main thread works for longer before its run loop starts, and whose completions
  /// need the main queue, sets `callbackQueue = .main`: there they wait for it, however long it takes.
  public var callbackQueue: DispatchQueue? {
    get { calls.callbackQueue }
    set { calls.callbackQueue = newValue }
  }

  /// Finds the objects of an image, and calls back.
  /// - Parameters:
  ///   - image: The image; what it says at this moment counts.
  ///   - completion: Called once, on `callbackQueue`, with the objects or an error.
  public func process(_ image: any MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback) {
    let completion = Completion<[FoundObject]> { objects, error in
      completion(objects?.map(Object.init), error)
    }
    calls.process(image.picture, completion: completion)
  }

  /// Finds the objects of an image, and waits for them on the caller's thread.
  ///
  /// ML Kit raises an exception on the main thread; here it works on every thread, and blocks it for as long.
  /// - Parameter image: The image.
  /// - Returns: The objects: the most prominent one, or several by falling score.
  /// - Throws: `MLKitError`: for an image that cannot be read, and for a model that is missing or cannot be used.
  public func results(in image: any MLKitCompatibleImage) throws -> [Object] {
    try calls.results(in: image.picture).map(Object.init)
  }

  /// Finds the objects of an image without blocking a thread or needing a queue.
  /// - Parameter image: The image.
  /// - Returns: As `results(in:)`.
  /// - Throws: As `results(in:)`, and `cancelled` where the task is cancelled.
  public func process(_ image: any MLKitCompatibleImage) async throws -> [Object] {
    try await calls.process(image.picture).map(Object.init)
  }

  /// Forgets the objects of the stream: the next frame begins again, with the tracking id 0.
  ///
  /// An addition. Frames that were given before are still followed; detectors with equal options share the stream, and so
  /// its end.
  public func reset() { calls.reset() }
}

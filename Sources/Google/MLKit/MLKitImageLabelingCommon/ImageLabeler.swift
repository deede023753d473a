// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation
import FoveaCompatibility
public import MLKitVision

/// Labels images.
///
/// A labeler is cheap to create: its model is loaded with the first image and shared by all labelers with
/// equal options. A labeler keeps the model that it has loaded: a replaced model file, or an updated or
/// deleted remote model, affects only labelers created afterwards.
///
/// Any number of threads and tasks may use a labeler; images are processed one at a time, in the order of the
/// calls. Errors are `MLKitError`.
public final class ImageLabeler: NSObject, @unchecked Sendable {
  // SAFETY: its only property, `calls`, is constant and `Sendable`; mutexes guard its state.
  private let calls: VisionCalls<LabelingEngine>

  private init(_ calls: VisionCalls<LabelingEngine>) { self.calls = calls }

  /// Creates a labeler.
  /// - Parameter options: The labels to report: `ImageLabelerOptions` or `CustomImageLabelerOptions`.
  /// - Returns: The labeler; a missing or unusable model is reported when the first image is processed.
  public class func imageLabeler(options: CommonImageLabelerOptions) -> ImageLabeler {
    ImageLabeler(VisionCalls(options.request))
  }

  /// Creates a labeler; the spelling of Google's guide for AutoML models, without an argument label.
  public class func imageLabeler(_ options: CommonImageLabelerOptions) -> ImageLabeler {
    imageLabeler(options: options)
  }

  /// The queue on which completions are called; nil, the default, selects one automatically.
  ///
  /// Not in ML Kit. If unset, completions are called on the main queue if something drains it: an app,
  /// `RunLoop.main.run()`, `dispatchMain()`, an `async` main function. If the main thread waits instead, they
  /// are called on the library's own queue. Either way each is called once, in the order of the calls, and
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

  /// Labels an image and calls the completion.
  /// - Parameters:
  ///   - image: The image, in its state at the time of the call.
  ///   - completion: Called once, on `callbackQueue`, with the labels or an error.
  public func process(_ image: any MLKitCompatibleImage, completion: @escaping ImageLabelingCallback) {
    let completion = Completion<[FoundLabel]> { labels, error in
      completion(labels?.map(ImageLabel.init), error)
    }
    calls.process(image.visionInput, completion: completion)
  }

  /// Labels an image and waits for the labels on the caller's thread.
  ///
  /// ML Kit raises an exception on the main thread; here any thread may call it, and is blocked meanwhile.
  /// - Parameter image: The image.
  /// - Returns: The labels, most confident first.
  /// - Throws: `MLKitError` if the image cannot be read, or the model is missing or cannot be used.
  public func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
    try calls.results(in: image.visionInput).map(ImageLabel.init)
  }

  /// Labels an image without blocking a thread and without a completion queue.
  /// - Parameter image: The image.
  /// - Returns: The labels, most confident first.
  /// - Throws: The errors of `results(in:)`, and `cancelled` if the task is cancelled.
  public func process(_ image: any MLKitCompatibleImage) async throws -> [ImageLabel] {
    try await calls.process(image.visionInput).map(ImageLabel.init)
  }
}

// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation
import FoveaCompatibility
public import MLKitVision

/// Says what an image shows.
///
/// Making one costs next to nothing: the model is loaded at its first image, and shared by all labelers with equal options.
/// A labeler keeps the model that it has loaded. A model file that is replaced, and a remote model that is updated, is seen
/// by labelers that are made afterwards; one that is deleted is missing for these alone.
///
/// Any number of threads and tasks may use a labeler; images are processed one after the other in the order of the calls.
/// Errors are `MLKitError`.
public final class ImageLabeler: NSObject, @unchecked Sendable {
  // SAFETY: its only property, `calls`, is constant and `Sendable`: its state is behind mutexes of its own.
  private let calls: VisionCalls<LabelingEngine>

  private init(_ calls: VisionCalls<LabelingEngine>) { self.calls = calls }

  /// Makes a labeler.
  /// - Parameter options: What to report: `ImageLabelerOptions` or `CustomImageLabelerOptions`.
  /// - Returns: The labeler; a model that is missing or cannot be used is an error of the first image.
  public class func imageLabeler(options: CommonImageLabelerOptions) -> ImageLabeler {
    ImageLabeler(VisionCalls(options.request))
  }

  /// Makes a labeler; as `imageLabeler(options:)`, without the label, as Google's guide for AutoML models writes it.
  public class func imageLabeler(_ options: CommonImageLabelerOptions) -> ImageLabeler {
    imageLabeler(options: options)
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

  /// Labels an image, and calls back.
  /// - Parameters:
  ///   - image: The image; what it says at this moment counts.
  ///   - completion: Called once, on `callbackQueue`, with the labels or an error.
  public func process(_ image: any MLKitCompatibleImage, completion: @escaping ImageLabelingCallback) {
    let completion = Completion<[FoundLabel]> { labels, error in
      completion(labels?.map(ImageLabel.init), error)
    }
    calls.process(image.picture, completion: completion)
  }

  /// Labels an image, and waits for the labels on the caller's thread.
  ///
  /// ML Kit raises an exception on the main thread; here it works on every thread, and blocks it for as long.
  /// - Parameter image: The image.
  /// - Returns: The labels, most confident first.
  /// - Throws: `MLKitError`: for an image that cannot be read, and for a model that is missing or cannot be used.
  public func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
    try calls.results(in: image.picture).map(ImageLabel.init)
  }

  /// Labels an image without blocking a thread or needing a queue.
  /// - Parameter image: The image.
  /// - Returns: As `results(in:)`.
  /// - Throws: As `results(in:)`, and `cancelled` where the task is cancelled.
  public func process(_ image: any MLKitCompatibleImage) async throws -> [ImageLabel] {
    try await calls.process(image.picture).map(ImageLabel.init)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Fovea
public import FoveaCore

/// Trains a classifier that names a detector's boxes: products, parts or species that have no detector of
/// their own.
///
///     let set = try ObjectSet(instances: "instances.json", images: "photos")
///     let trained = try await ObjectTrainer().train(set)
///     try trained.write(to: "parts")
///     print(trained.figures.boxRecall, trained.figures.rightLabels ?? 0)
///
/// Training uses the annotated boxes, the detector's boxes that match one (IoU 0.5 or more), and, as
/// `None_of_the_above`, the boxes that match none (below 0.3), but not more than the largest class has. Each
/// class has at most 400 crops. An object without a box of the detector is never named: the figures report
/// how many these are. Use the classifier with `ObjectDetector.Classifier.relabeling(_:)`, or as a classifier
/// of crops with ML Kit's rules.
///
/// Training runs on the CPU, without a network; the same images, options and kind of machine result in the
/// same bytes.
public struct ObjectTrainer: Sendable {
  /// The detector whose boxes are named, and the options for training names.
  package let options: Options

  /// Creates a trainer.
  /// - Parameter options: The detector whose boxes are named, and the options for training names.
  public init(_ options: Options = Options()) { self.options = options }

  /// Trains a classifier of crops.
  /// - Parameters:
  ///   - set: The images with their boxes.
  ///   - test: Images with the same classes that are only evaluated, never used for training.
  ///   - progress: Called after each image.
  /// - Returns: The model, with figures on how well it names the detector's boxes.
  /// - Throws: `training-set-invalid` for a class in fewer than two images that can be opened, and for a
  ///   single class if the detector finds nothing else; the errors of detectors and of `LabelTrainer`. Boxes
  ///   and embeddings computed so far stay in the cache.
  public func train(
    _ set: ObjectSet, test: ObjectSet? = nil, progress: (TrainingProgress) -> Void = { _ in }
  ) async throws(FoveaError) -> TrainedObjects {
    try options.check()
    var asked = set.images
    do throws(TrainingError) {
      try set.checkClasses(in: asked.filter { !$0.isTest }.map(\.objects))
      if let test { asked += try set.testImages(test) }
    } catch {
      throw FoveaError(error)
    }
    let finder = try await BoxFinder(options)
    let total = asked.count
    let (images, failed) = try await finder.run(asked) { done in
      progress(TrainingProgress(.detecting, done: done, total: total))
    }
    try check(images, failed, set)
    let crops = ObjectCrops(images, of: set, seed: options.classifier.seed)
    let work = ObjectWork(options: options, images: images, crops: crops, failed: failed)
    var trained = try await work.trained(progress)
    trained.notes += finder.notes
    trained.notes += ObjectTrainer.notes(set, images).map { Advice($0) }
    return trained
  }

  /// Checks the classes again, without images that could not be opened and boxes outside the image.
  private func check(
    _ images: [BoxedImage], _ failed: [TrainedLabels.Failed], _ set: ObjectSet
  ) throws(FoveaError) {
    guard !Task.isCancelled else { throw FoveaError(CancellationError()) }
    if options.classifier.isStrict, let first = failed.first {
      var error = first.error
      error.subject = error.subject ?? first.name
      throw error
    }
    do throws(TrainingError) {
      try set.checkClasses(in: images.filter { !$0.isTest }.map(\.objects))
    } catch {
      throw FoveaError(error)
    }
  }

  private static func notes(_ set: ObjectSet, _ images: [BoxedImage]) -> [String] {
    let outside = images.reduce(0) { $0 + $1.image.objects.count - $1.objects.count }
    guard outside > 0 else { return set.notes }
    return set.notes + [
      "\(DecimalText.counted(outside, "box lies", "boxes lie")) outside the image and "
        + "\(outside == 1 ? "is" : "are") left out: does the image have another size?"
    ]
  }
}

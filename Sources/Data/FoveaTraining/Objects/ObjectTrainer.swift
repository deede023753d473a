// SPDX-License-Identifier: Apache-2.0

import Fovea
public import FoveaCore

/// Trains a classifier that names what a detector finds: products, parts, species for which no detector was trained.
///
///     let set = try ObjectSet(instances: "instances.json", images: "photos")
///     let trained = try await ObjectTrainer().train(set)
///     try trained.write(to: "parts")
///     print(trained.figures.boxRecall, trained.figures.rightLabels ?? 0)
///
/// It learns the annotated boxes, the detector's boxes that meet one (IoU 0.5 or more), and as `None_of_the_above` those that meet
/// none (below 0.3), at most as many as the largest class has; at most 400 crops of a class. What no box of the detector meets is
/// never named: the figures say how much that is. The classifier is used with `ObjectDetector.Classifier.relabeling(_:)`, or as a
/// classifier of crops with ML Kit's rules.
///
/// It runs on the processor, without a network; the same images, options and kind of machine give the same bytes.
public struct ObjectTrainer: Sendable {
  /// Whose boxes are named, and how names are learned.
  public let options: Options

  /// Makes a trainer.
  /// - Parameter options: Whose boxes are named, and how names are learned.
  public init(_ options: Options = Options()) { self.options = options }

  /// Trains a classifier of crops.
  /// - Parameters:
  ///   - set: The images with their boxes.
  ///   - test: Images that are judged, and never learned from, with the same classes.
  ///   - progress: Hears how far it is, after each image.
  /// - Returns: The model, and how well it names what the detector finds.
  /// - Throws: `training-set-invalid` for a class in fewer than two images that can be opened, and for one class alone where the
  ///   detector finds nothing else; the errors of detectors, and of `LabelTrainer`. Boxes that were found, and embeddings, are kept in
  ///   the cache whatever happens.
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

  /// Refuses what is left where images could not be opened, and boxes lie outside.
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
      "\(DecimalText.counted(outside, "box lies", "boxes lie")) outside the image, and \(outside == 1 ? "is" : "are") left out: is it another size?"
    ]
  }
}

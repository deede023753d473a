// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaDecoding
package import FoveaTracking

/// Options by name, before it is known which kind of model or tracker they are for.
package struct NamedOptions: Sendable, Equatable {
  /// The options that a call may set.
  package var selection = ObjectDetector.Selection()
  /// The options for creating a detector; others use those that apply to them.
  var fixed = ObjectDetector.Options()
  /// The family of the model.
  var family: Family?
  /// The path of a classifier.
  package internal(set) var classifier: String?
  /// Whether no classifier labels the objects.
  package internal(set) var isUnclassified = false
  /// The maximum number of labels of a labeler.
  package var maxResults: Int?
  package internal(set) var tracker: TrackerKind?
  /// The interval of frames on which a tracker's detector runs.
  package internal(set) var every: Int?
  package internal(set) var frameRate: Double?
  /// The path of a tracker's parameters.
  package internal(set) var config: String?
  /// The least agreement of an int8 model with the float model.
  package internal(set) var leastAgreement: Double?
  /// The layers of a model that stay float.
  package internal(set) var keptLayers: [String] = []
  /// The most layers that a quantisation keeps float besides.
  package internal(set) var mostFloatLayers: Int?
  /// The path of the correct results of compared photos.
  package internal(set) var groundTruth: String?
  /// The names of the options set.
  package private(set) var given: Set<String> = []

  /// The family of a detector or of a segmenter.
  enum Family: Sendable, Equatable {
    case objects(DetectorFamily)
    case maps(MapFamily)
  }

  package init() {}

  /// Sets an option; a later value replaces an earlier one.
  /// - Throws: `option-invalid` with the option and the value; nothing is changed then.
  package mutating func set(_ option: NamedOption, to value: OptionValue) throws(FoveaError) {
    var changed = self
    do throws(OptionProblem) { try option.read(value, into: &changed) } catch { throw error.error() }
    changed.given.insert(option.name)
    do throws(FoveaError) { try changed.check() } catch {
      guard var problem = error.option else { throw error }
      problem.value = value.text
      throw problem.error()
    }
    self = changed
  }

  private func check() throws(FoveaError) {
    try detector.check()
    try labeler.check()
    try ObjectTracker.Options.check(every: every, frameRate: frameRate)
    try OptionChecks.range("at-least", leastAgreement, 0...1)
    try OptionChecks.range("float-layers", mostFloatLayers, 0...10_000)
  }

  /// Returns the names of options that are set but do not apply to a user, in alphabetical order.
  package func unused(by user: NamedOption.User) -> [String] {
    NamedOption.all.filter { given.contains($0.name) && !$0.users.contains(user) }.map(\.name).sorted()
  }

  /// The family of a segmenter; nil for a detector's, and if none is set.
  package var mapFamily: MapFamily? { if case .maps(let family) = family { family } else { nil } }

  /// Throws for a family of other models than the user's.
  package func checkFamily(for user: NamedOption.User) throws(FoveaError) {
    let (name, names): (String, [String])
    switch (family, user) {
    case (.maps(let family), .detector), (.maps(let family), .quantizer), (.maps(let family), .comparison):
      (name, names) = (family.name, DetectorFamily.all.map(\.name))
    case (.objects(let family), .segmenter): (name, names) = (family.name, MapFamily.all.map(\.name))
    default: return
    }
    throw .optionInvalid(
      "The family '\(name)' is not one of \(user.rawValue)",
      remedy: "Use one of \(names.joined(separator: ", "))")
  }

  /// The tiles; setting a size or an overlap turns slicing on.
  var tiles: Slicing {
    get { selection.slicing ?? Slicing() }
    set {
      selection.slicing = newValue
      selection.isUnsliced = false
    }
  }

  mutating func slice(_ isAsked: Bool) {
    guard isAsked || given.isDisjoint(with: ["slice-size", "slice-overlap"]) else { return }
    selection.slicing = isAsked ? tiles : nil
    selection.isUnsliced = !isAsked
  }

  /// The options of a detector.
  package var detector: ObjectDetector.Options {
    var options = fixed
    options.apply(selection)
    if case .objects(let family) = family { options.family = family }
    if let classifier { options.classifier = .model(.file(classifier)) }
    if isUnclassified { options.classifier = .none }
    return options
  }

  /// The options of a labeler; the maximum number of labels per object applies to the image.
  package var labeler: ImageLabeler.Options {
    var options = ImageLabeler.Options(detector)
    options.maxResults = maxResults ?? selection.maxLabels ?? options.maxResults
    return options
  }

  /// The options of a segmenter.
  package var segmenter: ImageSegmenter.Options {
    var options = ImageSegmenter.Options(fixed)
    options.family = mapFamily
    return options
  }

  /// The options of an embedder.
  package var embedder: ImageEmbedder.Options { ImageEmbedder.Options(fixed) }

  /// A call's selection for a labeler.
  package var labelSelection: ImageLabeler.Selection {
    var labels = ImageLabeler.Selection()
    labels.threshold = selection.threshold
    labels.maxResults = maxResults ?? selection.maxLabels
    labels.allowedLabels = selection.allowedLabels
    labels.deniedLabels = selection.deniedLabels
    return labels
  }
}

// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaTracking

/// Options by name, before it is known whether they are for a detector, a labeler or a tracker.
package struct NamedOptions: Sendable, Equatable {
  /// The options that a call may set.
  package var selection = ObjectDetector.Selection()
  /// The options for creating a detector; a labeler uses those that apply to it.
  var fixed = ObjectDetector.Options()
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
  /// The names of the options set.
  package private(set) var given: Set<String> = []

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
  }

  /// Returns the names of options that are set but do not apply to a user, in alphabetical order.
  package func unused(by user: NamedOption.User) -> [String] {
    NamedOption.all.filter { given.contains($0.name) && !$0.users.contains(user) }.map(\.name).sorted()
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

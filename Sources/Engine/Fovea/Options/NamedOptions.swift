// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaTracking

/// Options by their names, before it is known whether a detector, a labeler or a tracker takes them.
package struct NamedOptions: Sendable, Equatable {
  /// Those that a call may give.
  package var selection = ObjectDetector.Selection()
  /// Those with which a detector is made; a labeler takes what it knows of them.
  var fixed = ObjectDetector.Options()
  /// The file of a classifier.
  package internal(set) var classifier: String?
  /// Whether no classifier labels the objects.
  package internal(set) var isUnclassified = false
  /// The most labels of a labeler.
  package var maxResults: Int?
  package internal(set) var tracker: TrackerKind?
  /// On which frames a tracker's detector looks.
  package internal(set) var every: Int?
  package internal(set) var frameRate: Double?
  /// The file of a tracker's parameters.
  package internal(set) var config: String?
  /// The names of what is set.
  package private(set) var given: Set<String> = []

  package init() {}

  /// Sets an option; a later value replaces an earlier one.
  /// - Throws: `option-invalid` with the option and the value, after which nothing is changed.
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

  /// The names of what is set and means nothing for a user, in the order of the alphabet.
  package func unused(by user: NamedOption.User) -> [String] {
    NamedOption.all.filter { given.contains($0.name) && !$0.users.contains(user) }.map(\.name).sorted()
  }

  /// Tiles, which a size or an overlap asks for as well.
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

  /// The options of a labeler, for which the most labels of an object are its own.
  package var labeler: ImageLabeler.Options {
    var options = ImageLabeler.Options(detector)
    options.maxResults = maxResults ?? selection.maxLabels ?? options.maxResults
    return options
  }

  /// What a call asks a labeler for.
  package var labelSelection: ImageLabeler.Selection {
    var labels = ImageLabeler.Selection()
    labels.threshold = selection.threshold
    labels.maxResults = maxResults ?? selection.maxLabels
    labels.allowedLabels = selection.allowedLabels
    labels.deniedLabels = selection.deniedLabels
    return labels
  }
}

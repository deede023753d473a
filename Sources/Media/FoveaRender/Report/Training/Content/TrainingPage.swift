// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The page about a classifier that was trained or evaluated: what it shows, as plain numbers and strings.
///
/// Each part is optional, and a part without content has no section. Shares, precision, recall and the like are 0…1; a
/// number that is not finite is shown as "–". Classes are named by their place in `labels`. All text is escaped, so it
/// may be of any origin.
///
/// ```swift
/// var page = TrainingPage(title: "flowers", labels: ["daisy", "rose"])
/// page.advice = [TrainingPage.adviceWithoutOther]
/// try page.write(to: "flowers-model/report.html")
/// ```
package struct TrainingPage: Sendable, Hashable {
  /// The heading.
  package var title: String
  /// The class names, in the order of the model's outputs.
  package var labels: [String]
  /// What else is known at the top: the model, the folder, the number of photos.
  package var facts: [HTMLReport.Fact] = []
  /// The result in a few sentences.
  package var summary: [String] = []
  /// What to do next, the most useful first.
  package var advice: [String] = []
  /// The figures, a set for each way of measuring: out of fold first, then on photos kept for the test; at most 3 are shown.
  package var figures: [Figures] = []
  /// How a detector's boxes and the names do together, for a classifier of what a detector finds; at most 3 are shown.
  package var boxes: [BoxFigures] = []
  /// The threshold of the model and what it does.
  package var threshold: Threshold?
  /// The figures of each class, in the order of `labels`; the page puts weak classes first.
  package var classes: [ClassFigures] = []
  /// Which class was taken for which.
  package var confusion: Confusion?
  /// Precision and recall at each threshold, averaged over all answers.
  package var curve: ThresholdCurve?
  /// How often answers are right at each score.
  package var reliability: Reliability?
  /// How the share of right answers grows with the photos.
  package var learning: LearningCurve?
  /// Photos with a wrong answer, in any order; the page shows the surest.
  package var mistakes: [Mistake] = []
  /// Photos that are probably mislabelled, the surest first.
  package var suspects: [Suspect] = []
  /// How many of the suspects are expected to be mislabelled; nil where no one knows.
  package var suspectsExpected: Int?
  /// Photos that are probably the same; the page lists those in two classes first.
  package var samePhotos: [SamePhotos] = []
  /// Photos that could not be used, and why.
  package var leftOut: [LeftOut] = []
  /// The backbones that were tried, in the order of the table.
  package var backbones: [Backbone] = []
  /// Every option with its value, so that the page is enough to make the model again.
  package var settings: [HTMLReport.Fact] = []
  /// The command that makes the model again.
  package var command: String?

  /// The advice for a training without photos of other things, which belongs first.
  package static let adviceWithoutOther =
    "This model puts every photo into one of its classes. Train again with "
    + "\(program: .flag("other")) FOLDER, 100 to 200 photos of what the camera sees otherwise: of all measures this one helps most."

  /// Makes a page that has nothing but a heading.
  package init(title: String, labels: [String]) {
    self.title = title
    self.labels = labels
  }
}

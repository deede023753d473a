// SPDX-License-Identifier: Apache-2.0

import FoveaDetection
import FoveaErrors

/// The first line of a label file that names the background, next to a detector that does not show how many classes it has.
///
/// The line is class 0 of models that count from 1, and a line too many of others: there each name would be that of its
/// neighbour.
struct NamedBackground: Sendable, Hashable {
  /// The label.
  let name: String
  /// The label file.
  let source: String
  let modelName: String

  /// What is assumed as long as no object is of class 0: a sentence without the final stop.
  var assumption: Advice {
    "'\(modelName)' does not show how many classes it has; '\(name)', the first label of '\(source)', is taken for class 0."
      + " Leave that label out if the classes begin with the next"
  }

  /// The error of an object of class 0.
  var error: FoveaError {
    FoveaError(
      FoveaCode(DetectionCode.labelsDoNotFit),
      "'\(modelName)' answered class 0, which '\(source)' names '\(name)', as the background",
      remedy:
        "Leave that label out if the classes begin with the next, or give class 0 the name of what it shows")
  }
}

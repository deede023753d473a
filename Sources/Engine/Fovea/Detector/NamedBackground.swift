// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding

/// The first line of a label file that names the background or is blank, next to a detector that does not show how many
/// classes it has.
///
/// The line is class 0 of models that count from 1, and a line too many of others: there each name would be that of its
/// neighbour.
struct NamedBackground: Sendable, Hashable {
  /// The label; nil for a blank line.
  let name: String?
  /// The label file.
  let source: String
  let modelName: String

  /// What is assumed as long as no object is of class 0: a sentence without the final stop.
  var assumption: Advice {
    let what = "'\(modelName)' does not show how many classes it has;"
    guard let name else {
      return
        "\(what) the blank line at the start of '\(source)' is taken for class 0. Remove it if the classes begin with the next line"
    }
    return "\(what) '\(name)', the first label of '\(source)', is taken for class 0."
      + " Leave that label out if the classes begin with the next"
  }

  /// The error of an object of class 0.
  var error: FoveaError {
    let code = FoveaCode(DetectionCode.labelsDoNotFit)
    guard let name else {
      return FoveaError(
        code, "'\(modelName)' answered class 0, which is a blank line in '\(source)'",
        remedy:
          "Remove that line if the classes begin with the next, or give class 0 the name of what it shows")
    }
    return FoveaError(
      code, "'\(modelName)' answered class 0, which '\(source)' names '\(name)', as the background",
      remedy:
        "Leave that label out if the classes begin with the next, or give class 0 the name of what it shows")
  }
}

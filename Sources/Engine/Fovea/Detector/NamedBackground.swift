// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding

/// A first line of a label file that names the background or is blank, for a detector that does not show its
/// number of classes.
///
/// The line is class 0 of models that count from 1. For other models it is an extra line, which shifts every
/// name by one.
struct NamedBackground: Sendable, Hashable {
  /// The label; nil for a blank line.
  let name: String?
  /// The label file.
  let source: String
  let modelName: String

  /// The assumption made until an object is of class 0: a sentence without the full stop.
  var assumption: Advice {
    let what = "'\(modelName)' does not show how many classes it has;"
    guard let name else {
      return
        "\(what) the blank line at the start of '\(source)' is used as class 0."
        + " Remove it if the classes begin with the next line"
    }
    return "\(what) '\(name)', the first label of '\(source)', is used as class 0."
      + " Remove that label if the classes begin with the next"
  }

  /// The error of an object of class 0.
  var error: FoveaError {
    let code = FoveaCode(DetectionCode.labelsDoNotFit)
    guard let name else {
      return FoveaError(
        code, "'\(modelName)' returned class 0, which is a blank line in '\(source)'",
        remedy:
          "Remove that line if the classes begin with the next, or set the name of class 0")
    }
    return FoveaError(
      code, "'\(modelName)' returned class 0, which is the background '\(name)' in '\(source)'",
      remedy:
        "Remove that label if the classes begin with the next, or set the name of class 0")
  }
}

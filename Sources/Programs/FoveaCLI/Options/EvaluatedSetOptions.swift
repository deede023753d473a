// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea
import FoveaEvaluation
import FoveaTraining

/// The photos that a classifier is evaluated on.
struct EvaluatedSetOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "CSV file of lines 'class,label' that maps classes to the classifier's labels.",
      valueName: "csv"))
  var map: String?

  @Option(help: ArgumentHelp("Photos that show none of the classes.", valueName: "folder"))
  var other: String?

  @OptionGroup var reading: PhotoSetOptions

  func validate() throws {
    if map?.isEmpty == true { throw ValidationError("--map needs the name of a file.") }
  }

  /// Returns the evaluation of the photos at a path.
  func evaluation(of path: String) throws(FoveaError) -> LabelEvaluation {
    var evaluation: LabelEvaluation
    do throws(TrainingError) { evaluation = LabelEvaluation(try reading.set(path, other: other)) } catch {
      throw FoveaError(error)
    }
    guard let map else { return evaluation }
    do throws(EvaluationError) { evaluation.renaming = try LabelRenaming(path: map) } catch {
      throw FoveaError(error)
    }
    return evaluation
  }
}

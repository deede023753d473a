// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaEvaluation
import FoveaFormats
import FoveaQuantization
import FoveaTraining

extension ComparisonTruth {
  /// Reads the ground truth of a task's models.
  init(path: String, for task: ComparedTask) throws(FoveaError) {
    guard task == .labeling else {
      do throws(EvaluationError) { self = .instances(try COCOGroundTruth(path: path)) } catch {
        throw FoveaError(error)
      }
      return
    }
    do throws(TrainingError) {
      self = .labels(LabelEvaluation(try TrainingSet(path, isNested: false, prefixes: [:], other: nil)))
    } catch {
      throw FoveaError(error)
    }
  }
}

extension PhotoListOptions {
  /// Returns a photo to compare models on.
  func photo(_ image: InputImage, _ stop: StopSignal) -> ComparedPhoto {
    let limits = pixels.limits
    return ComparedPhoto(name: image.name) { () throws(FoveaError) in
      try Photo(try image.load(limit: limits.maxFileBytes, stop: stop), limits: limits).input()
    }
  }
}

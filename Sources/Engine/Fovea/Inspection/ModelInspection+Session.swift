// SPDX-License-Identifier: Apache-2.0

import FoveaModelFile
package import FoveaRuntime

extension ModelInspection {
  /// Compiles the model as it is stored, to run it.
  /// - Returns: A session with its inputs zeroed.
  /// - Throws: `model-unsupported` for a model that LiteRT cannot prepare.
  package func session() throws(FoveaError) -> Session {
    do throws(RuntimeError) { return try Session(model: model) } catch { throw failure(error) }
  }

  /// The error of a model that does not run: what it was made for, if its operators show it, else what LiteRT says.
  private func failure(_ error: RuntimeError) -> FoveaError {
    guard let operators = try? model.withBytes(ModelGraphSummary.customNames),
      let foreign = ForeignOperator.recognized(operators)
        ?? ForeignOperator.missing(operators, error: error.message)
    else { return FoveaError(error) }
    return foreign.error(modelName: name)
  }
}

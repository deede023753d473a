// SPDX-License-Identifier: Apache-2.0

package import FoveaRuntime

extension ModelInspection {
  /// Compiles the model as it is stored, to run it.
  /// - Returns: A session with its inputs zeroed.
  /// - Throws: `model-unsupported` for a model that LiteRT cannot prepare.
  package func session() throws(FoveaError) -> Session {
    do throws(RuntimeError) { return try Session(model: model) } catch { throw FoveaError(error) }
  }
}

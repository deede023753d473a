// SPDX-License-Identifier: Apache-2.0

import FoveaModels

extension ModelReference {
  /// Loads a model; the first load of a downloaded version is its first-launch check.
  ///
  /// A version that has crashed the process or failed to load twice is rolled back to the previous one, whose
  /// path `path()` returns from then on.
  /// - Parameters:
  ///   - reference: The model; nil for an embedded one.
  ///   - body: Loads it.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  static func withFirstLaunchCheck<Engine>(
    _ reference: ModelReference?, _ body: () async throws(MLError) -> Engine
  ) async throws(MLError) -> Engine {
    guard case .remote(let name)? = reference, let store = try? RemoteModels.store(),
      let check = try? FirstLoad.begin(name, in: store)
    else { return try await body() }
    do throws(MLError) {
      let engine = try await body()
      check.succeeded()
      return engine
    } catch {
      check.failed()
      throw error
    }
  }
}

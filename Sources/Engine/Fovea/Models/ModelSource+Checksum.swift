// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaRuntime

extension ModelSource {
  /// The SHA-256 of the model as it is stored, in hexadecimal digits, for results that are kept from run to run.
  /// - Throws: `model-unreadable`, `model-invalid`.
  package func checksum() async throws(FoveaError) -> String {
    do {
      return try await LoadingThread.call {
        try LoadedModel(self, exact: true).stored.withSpan { SHA256.hexadecimal(of: $0) }
      }
    } catch {
      throw FoveaError(error)
    }
  }
}

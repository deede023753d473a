// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension ModelStoreError {
  /// The error of a request that could not be made.
  init(_ error: TransferError) {
    self.init(ModelStoreCode(rawValue: error.code.rawValue), error.message, remedy: error.remedy)
  }
}

extension HTTPTransfer {
  /// Runs the transfer as `run(into:)` does.
  /// - Throws: `libraryMissing`.
  func run(filling receiver: some Receiver) async throws(ModelStoreError) -> Outcome {
    do throws(TransferError) { return try await run(into: receiver) } catch { throw ModelStoreError(error) }
  }

  /// Runs the transfer for an answer in memory.
  /// - Throws: `libraryMissing`, `cancelled`.
  func answer(limit: Int) async throws(ModelStoreError) -> HTTPAnswer {
    do throws(TransferError) {
      return try await HTTPAnswer.of(self, limit: limit)
    } catch {
      throw ModelStoreError(error)
    }
  }
}

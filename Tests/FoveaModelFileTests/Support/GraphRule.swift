// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// A change to a sound model, and the graph check's result.
struct GraphRule: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The message; nil if the model is sound.
  let message: String?
  let change: @Sendable (inout TestModel) -> Void

  init(_ id: String, _ message: String? = nil, _ change: @escaping @Sendable (inout TestModel) -> Void) {
    testDescription = id
    self.message = message
    self.change = change
  }

  /// The error of the graph check for `model` with this change; nil if it passes.
  func failure(_ model: TestModel = TestModel.sound()) -> MetadataError? {
    var model = model
    change(&model)
    let bytes = model.bytes()
    return FoveaModelFileTests.failure { () throws(MetadataError) in try ModelGraphCheck.check(bytes.span) }
  }
}

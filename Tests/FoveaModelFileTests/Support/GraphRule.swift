// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaModelFile

/// A change to a sound model, and what the graph check answers to it.
struct GraphRule: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// What the message says; nil where the model is sound.
  let message: String?
  let change: @Sendable (inout TestModel) -> Void

  init(_ id: String, _ message: String? = nil, _ change: @escaping @Sendable (inout TestModel) -> Void) {
    testDescription = id
    self.message = message
    self.change = change
  }

  /// The error of the graph check for `model` with this change; nil where the check passes it.
  func failure(_ model: TestModel = TestModel.sound()) -> MetadataError? {
    var model = model
    change(&model)
    let bytes = model.bytes()
    return FoveaModelFileTests.failure { () throws(MetadataError) in try ModelGraphCheck.check(bytes.span) }
  }
}

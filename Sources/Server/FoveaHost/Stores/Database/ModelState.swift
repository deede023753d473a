// SPDX-License-Identifier: Apache-2.0
#if Server
import FoundationEssentials
import FoveaCore

/// The part of a model that its row keeps as JSON: everything not used in queries.
struct ModelState: Codable {
  var tags: [String]
  var source: String?
  var sourceGeneration: Int64?
  /// Missing in rows of older hosts.
  var sourceKey: String?
  var problem: FileProblem?
  var current: Int?
  var channels: [String: Int]
  var formerly: [String: [Int]]
  var rollout: Rollout?
  var experiment: ModelExperiment?
  var pendingOperations: [String]

  init(_ model: HostModel) {
    tags = model.tags
    source = model.source
    sourceGeneration = model.sourceGeneration
    sourceKey = model.sourceKey
    problem = model.problem
    current = model.current
    channels = model.channels
    formerly = model.formerly
    rollout = model.rollout
    experiment = model.experiment
    pendingOperations = model.pendingOperations
  }

  func apply(to model: inout HostModel) {
    model.tags = tags
    model.source = source
    model.sourceGeneration = sourceGeneration
    model.sourceKey = sourceKey
    model.problem = problem
    model.current = current
    model.channels = channels
    model.formerly = formerly
    model.rollout = rollout
    model.experiment = experiment
    model.pendingOperations = pendingOperations
  }
}

/// JSON in a column.
enum ColumnJSON {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func value<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
    try JSONValue.decode(type, from: text.utf8)
  }
}
#endif

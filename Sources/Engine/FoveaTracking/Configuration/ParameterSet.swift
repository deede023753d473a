// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The parameters of a tracker as a table.
protocol ParameterSet {
  /// Creates the defaults.
  init()
  /// All parameters. The range of one value may depend on another value.
  var parameters: [Parameter<Self>] { get }
}

extension ParameterSet {
  /// Validates all parameters.
  func check() throws(TrackingError) {
    for parameter in parameters { try parameter.validate(self) }
  }

  /// Replaces values with those of a JSON object, then validates all values.
  mutating func take(json: [UInt8]) throws(TrackingError) {
    guard let values = ParameterValue.values(json: json) else {
      throw TrackingError(
        .invalidConfiguration, "the tracker's configuration is not a JSON object",
        // Every tracker has this parameter.
        remedy: "Write an object of parameters and their values, such as {\"maxAge\": 10}")
    }
    let parameters = parameters
    // In the order of names, so that the same error is always reported first.
    for (name, given) in values.sorted(by: { $0.key < $1.key }) {
      guard let parameter = parameters.first(where: { $0.name == name }) else {
        let names = parameters.map(\.name)
        let near = NameDistance.nearest(to: name, among: names).first.map { "Did you mean '\($0)'? " } ?? ""
        throw TrackingError(
          .unknownParameter, "the tracker has no parameter '\(name)'",
          remedy: "\(near)Use one of \(names.joined(separator: ", "))")
      }
      guard given.count == 1 else {
        throw TrackingError(
          .invalidConfiguration, "the tracker's '\(name)' appears twice", remedy: "Give it one value")
      }
      try parameter.set(given[0], in: &self)
    }
    try check()
  }
}

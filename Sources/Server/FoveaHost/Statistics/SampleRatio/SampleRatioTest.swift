// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Whether the arms have the shares of units that were set, tested at every look.
///
/// The counts are multinomial. Against the weights stands a Dirichlet distribution around them; p is the least of 1 over the Bayes
/// factor so far, so it may be read at every look. A log whose shares are off is worth nothing, whatever its metrics say.
///
/// **Source:** Lindon, Malek, "Anytime-Valid Inference for Multinomial Count Data", NeurIPS 2022.
package struct SampleRatioTest: Sendable, Equatable {
  /// How close to the weights the alternative is: 10,000 expects deviations of a percent or so.
  package static let usual = 10_000.0
  /// The level below which results are hidden.
  package static let alarm = 0.001

  private let concentration: Double
  /// The parameters of the Dirichlet distribution now; nil before the first look.
  private var parameters: [Double]?
  private var weights: [Double] = []
  private var logBayesFactor = 0.0
  /// The least 1 / Bayes factor so far, from 0 to 1.
  package private(set) var p = 1.0

  package init(concentration: Double = SampleRatioTest.usual) { self.concentration = concentration }

  /// Takes the units of a look.
  ///
  /// With other weights than before, a new distribution begins around them, and its Bayes factor multiplies the one so far.
  /// - Parameters:
  ///   - units: New units of each arm.
  ///   - weights: What each arm should have of them; they need not add up to 1. As many as there are arms.
  package mutating func add(_ units: [Int], weights: [Double]) {
    let sum = weights.reduce(0, +)
    if parameters == nil || weights != self.weights {
      self.weights = weights
      parameters = weights.map { concentration * $0 / sum }
    }
    guard var present = parameters, units.contains(where: { $0 > 0 }) else { return }
    let count = units.reduce(0.0) { $0 + Double($1) }
    let total = present.reduce(0, +)
    var gain = LogGamma.rise(from: total, by: count) * -1
    for (arm, number) in units.enumerated() {
      let number = Double(number)
      gain += LogGamma.rise(from: present[arm], by: number)
      if number > 0 { gain -= number * log(weights[arm] / sum) }
      present[arm] += number
    }
    parameters = present
    logBayesFactor += gain
    p = min(p, exp(min(0, -logBayesFactor)))
  }

  /// Whether results are to be hidden.
  package var isAlarm: Bool { p < Self.alarm }
}

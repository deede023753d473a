// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Tests at every look whether the arms have their configured shares of units.
///
/// The counts are multinomial. The alternative to the weights is a Dirichlet distribution around them; p is
/// the smallest 1 / Bayes factor so far, so it may be read at every look. If the shares of a log are wrong,
/// its metrics are useless.
///
/// **Source:** Lindon, Malek, "Anytime-Valid Inference for Multinomial Count Data", NeurIPS 2022.
package struct SampleRatioTest: Sendable, Equatable {
  /// The closeness of the alternative to the weights: 10,000 expects deviations of about a percent.
  package static let usual = 10_000.0
  /// The level below which results are hidden.
  package static let alarm = 0.001

  private let concentration: Double
  /// The present parameters of the Dirichlet distribution; nil before the first look.
  private var parameters: [Double]?
  private var weights: [Double] = []
  private var logBayesFactor = 0.0
  /// The smallest 1 / Bayes factor so far, from 0 to 1.
  package private(set) var p = 1.0

  package init(concentration: Double = SampleRatioTest.usual) { self.concentration = concentration }

  /// Adds the units of a look.
  ///
  /// If the weights change, a new distribution starts around them, and its Bayes factor is multiplied with
  /// the current one.
  /// - Parameters:
  ///   - units: The new units of each arm.
  ///   - weights: The expected shares of the arms, one for each; they need not add up to 1.
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

  /// Whether results must be hidden.
  package var isAlarm: Bool { p < Self.alarm }
}

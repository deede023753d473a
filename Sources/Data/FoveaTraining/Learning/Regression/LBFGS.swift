// SPDX-License-Identifier: Apache-2.0

/// Minimizes a smooth function using its gradients.
///
/// **Source:** Nocedal, Wright, "Numerical Optimization", 2nd edition, algorithms 7.4 (limited-memory BFGS),
/// 3.5 and 3.6 (line search under the strong Wolfe conditions); Hager, Zhang, "A New Conjugate Gradient
/// Method with Guaranteed Descent and an Efficient Line Search", SIAM J. Optim. 16, 2005 (if rounding hides
/// the decrease).
package struct LBFGS: Sendable {
  /// The search stops when no component of the gradient is larger.
  package var tolerance = 1e-6
  /// The maximum number of steps.
  package var maximumSteps = 500

  private static let history = 10
  private static let sufficientDecrease = 1e-4
  private static let curvature = 0.9
  /// The relative precision of a value summed from products in Float32.
  private static let rounding = 1e-7
  private static let maximumTrials = 25

  /// Creates the settings of a final fit: a gradient of 1e-6, or 500 steps.
  package init() {}

  package init(tolerance: Double, maximumSteps: Int) {
    self.tolerance = tolerance
    self.maximumSteps = maximumSteps
  }

  /// The end of a search.
  package struct Minimum: Sendable {
    package var point: [Double]
    package var value: Double
    package var gradient: [Double]
    package var steps = 0
  }

  /// Searches from a point until convergence or until the current task is cancelled.
  /// - Parameters:
  ///   - start: The start of the search.
  ///   - function: Writes the gradient at a point and returns the value there.
  /// - Returns: The last point, which is the minimum if the function is convex.
  package func minimum(
    from start: [Double], of function: (_ point: [Double], _ gradient: inout [Double]) -> Double
  ) -> Minimum {
    var gradient = [Double](repeating: 0, count: start.count)
    let value = function(start, &gradient)
    var now = Minimum(point: start, value: value, gradient: gradient)
    var pairs: [Pair] = []
    while now.steps < maximumSteps, LBFGS.largest(now.gradient) > tolerance, !Task.isCancelled {
      var direction = LBFGS.direction(now.gradient, pairs)
      var slope = LBFGS.dot(direction, now.gradient)
      if !(slope < 0) {
        // Rounding has spoilt the pairs: restart from here.
        pairs = []
        direction = now.gradient.map { -$0 }
        slope = LBFGS.dot(direction, now.gradient)
      }
      let first = pairs.isEmpty ? 1 / LBFGS.dot(now.gradient, now.gradient).squareRoot() : 1
      guard let next = step(from: now, along: direction, slope: slope, first: first, function) else { break }
      let pair = Pair(from: now, to: next)
      if pair.curvature > 0 { pairs.append(pair) }
      if pairs.count > LBFGS.history { pairs.removeFirst() }
      now = next
      now.steps += 1
    }
    return now
  }

  // MARK: Direction

  /// The change of the gradient along a step.
  private struct Pair {
    let step: [Double]
    let change: [Double]
    let curvature: Double

    init(from old: Minimum, to new: Minimum) {
      step = zip(new.point, old.point).map(-)
      change = zip(new.gradient, old.gradient).map(-)
      curvature = LBFGS.dot(step, change)
    }
  }

  /// Computes the direction by the two loops of algorithm 7.4.
  private static func direction(_ gradient: [Double], _ pairs: [Pair]) -> [Double] {
    var result = gradient
    var factors: [Double] = []
    for pair in pairs.reversed() {
      let factor = dot(pair.step, result) / pair.curvature
      factors.append(factor)
      add(-factor, pair.change, to: &result)
    }
    if let last = pairs.last {
      let scale = last.curvature / dot(last.change, last.change)
      for index in result.indices { result[index] *= scale }
    }
    for (pair, factor) in zip(pairs, factors.reversed()) {
      add(factor - dot(pair.change, result) / pair.curvature, pair.step, to: &result)
    }
    for index in result.indices { result[index] = -result[index] }
    return result
  }

  // MARK: Line search

  /// A point on the line, with the value and slope there.
  private struct Trial {
    var length: Double
    var value: Double
    var slope: Double
  }

  /// Returns a step that satisfies the strong Wolfe conditions; nil if rounding allows none.
  private func step(
    from now: Minimum, along direction: [Double], slope: Double, first: Double,
    _ function: ([Double], inout [Double]) -> Double
  ) -> Minimum? {
    var found = now
    func trial(_ length: Double) -> Trial {
      for index in found.point.indices { found.point[index] = now.point[index] + length * direction[index] }
      found.value = function(found.point, &found.gradient)
      return Trial(length: length, value: found.value, slope: LBFGS.dot(found.gradient, direction))
    }
    // Near the minimum, rounding hides the decrease, and only the slopes show it (Hager, Zhang 2005, section
    // 2).
    let noise = LBFGS.rounding * abs(now.value)
    func isLow(_ trial: Trial) -> Bool {
      trial.value <= now.value + LBFGS.sufficientDecrease * trial.length * slope
        || trial.value <= now.value + noise && trial.slope <= (2 * LBFGS.sufficientDecrease - 1) * slope
    }
    func isFlat(_ trial: Trial) -> Bool { abs(trial.slope) <= -LBFGS.curvature * slope }

    var low = Trial(length: 0, value: now.value, slope: slope)
    var high: Trial?
    var length = first
    for _ in 0..<LBFGS.maximumTrials {
      let next = trial(length)
      guard next.value.isFinite else {
        high = Trial(length: length, value: .infinity, slope: .infinity)
        length = (low.length + length) / 2
        continue
      }
      if !isLow(next) || (next.value >= low.value && low.length > 0) {
        high = next
      } else {
        if isFlat(next) { return found }
        if let end = high {
          if next.slope * (end.length - low.length) >= 0 { high = low }
        } else if next.slope >= 0 {
          high = low
        }
        low = next
      }
      if let high {
        length = LBFGS.between(low, high)
        if abs(high.length - low.length) < 1e-14 * max(1, low.length) { break }
      } else {
        length = 2 * next.length
      }
    }
    // A lower point is accepted as a step, even if it is not a good one.
    guard low.length > 0, low.value < now.value else { return nil }
    _ = trial(low.length)
    return found
  }

  /// Returns the minimum of the cubic through both ends, kept away from them.
  private static func between(_ low: Trial, _ high: Trial) -> Double {
    let width = high.length - low.length
    let middle = low.length + width / 2
    guard high.value.isFinite else { return middle }
    let first = low.slope + high.slope - 3 * (low.value - high.value) / (low.length - high.length)
    let square = first * first - low.slope * high.slope
    guard square >= 0 else { return middle }
    let second = width.sign == .plus ? square.squareRoot() : -square.squareRoot()
    let length = high.length - width * (high.slope + second - first) / (high.slope - low.slope + 2 * second)
    let part = (length - low.length) / width
    return part.isFinite && (0.1...0.9).contains(part) ? length : middle
  }

  // MARK: Vectors

  private static func dot(_ a: [Double], _ b: [Double]) -> Double {
    var sum = 0.0
    for index in a.indices { sum += a[index] * b[index] }
    return sum
  }

  private static func add(_ factor: Double, _ a: [Double], to b: inout [Double]) {
    for index in b.indices { b[index] += factor * a[index] }
  }

  private static func largest(_ vector: [Double]) -> Double { vector.reduce(0) { max($0, abs($1)) } }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaTraining
import Testing

@Suite struct LBFGSTests {
  /// Rosenbrock's valley, in pairs of numbers; its minimum, 0, is at all ones.
  private static func rosenbrock(_ x: [Double], _ gradient: inout [Double]) -> Double {
    var sum = 0.0
    for index in stride(from: 0, to: x.count, by: 2) {
      let (a, b) = (1 - x[index], x[index + 1] - x[index] * x[index])
      sum += a * a + 100 * b * b
      gradient[index] = -2 * a - 400 * x[index] * b
      gradient[index + 1] = 200 * b
    }
    return sum
  }

  @Test(arguments: [
    [-1.2, 1], [0, 0], [3, -3], [1, 1], [-1.2, 1, 2, -1, 0.5, 0.5, -3, 4],
  ])
  func `it descends Rosenbrock's valley`(start: [Double]) {
    let found = LBFGS().minimum(from: start, of: Self.rosenbrock)
    #expect(found.point.allSatisfy { abs($0 - 1) < 1e-5 }, "\(found.point) after \(found.steps) steps")
    #expect(found.value < 1e-10 && found.steps < 200)
    #expect((found.steps == 0) == (start == [1, 1]))
  }

  @Test func `a parabola needs few steps, at any scale`() {
    for scale in [1e-3, 1, 1e6] {
      let found = LBFGS(tolerance: 1e-6 * scale, maximumSteps: 100).minimum(from: [5, -7]) { x, gradient in
        gradient = [2 * scale * x[0], 20 * scale * x[1]]
        return scale * (x[0] * x[0] + 10 * x[1] * x[1])
      }
      #expect(
        found.steps <= 15 && abs(found.point[0]) + abs(found.point[1]) < 1e-5, "\(scale): \(found.steps)")
    }
  }

  @Test func `it ends after the maximum of steps, and at an invalid value`() {
    let short = LBFGS(tolerance: 0, maximumSteps: 3).minimum(from: [-1.2, 1], of: Self.rosenbrock)
    #expect(short.steps == 3)
    // Left of 0 there is no value.
    let edge = LBFGS().minimum(from: [0.5]) { x, gradient in
      gradient = [x[0] > 0 ? 1 - 0.01 / x[0] : .nan]
      return x[0] > 0 ? x[0] + 0.01 * -log(x[0]) : .nan
    }
    #expect(edge.value.isFinite && abs(edge.point[0] - 0.01) < 1e-4, "\(edge.point)")
  }
}

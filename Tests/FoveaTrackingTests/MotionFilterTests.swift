// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaTesting
import Testing

@testable import FoveaTracking

@Suite struct MotionFilterTests {
  typealias Matrix = [[Double]]

  /// The usual filter of eight numbers, with full matrices: four positions, then their velocities.
  struct Dense {
    var state: [Double]
    var covariance: Matrix

    static func product(_ first: Matrix, _ second: Matrix) -> Matrix {
      first.map { row in
        second[0].indices.map { column in row.indices.reduce(0) { $0 + row[$1] * second[$1][column] } }
      }
    }

    static func transposed(_ matrix: Matrix) -> Matrix {
      matrix[0].indices.map { column in matrix.map { $0[column] } }
    }

    static func inverse(_ matrix: Matrix) -> Matrix {
      let size = matrix.count
      var work = matrix.enumerated().map { row, values in
        values + (0..<size).map { $0 == row ? 1.0 : 0 }
      }
      for pivot in 0..<size {
        let best = (pivot..<size).max { abs(work[$0][pivot]) < abs(work[$1][pivot]) } ?? pivot
        work.swapAt(pivot, best)
        work[pivot] = work[pivot].map { $0 / work[pivot][pivot] }
        for row in 0..<size where row != pivot {
          let factor = work[row][pivot]
          work[row] = zip(work[row], work[pivot]).map { $0 - factor * $1 }
        }
      }
      return work.map { Array($0[size...]) }
    }

    mutating func predict(noise: [Double]) {
      let step = (0..<8).map { row in (0..<8).map { $0 == row || $0 == row + 4 ? 1.0 : 0 } }
      state = Self.product(step, state.map { [$0] }).map { $0[0] }
      covariance = Self.product(Self.product(step, covariance), Self.transposed(step))
      for index in 0..<8 { covariance[index][index] += noise[index] }
    }

    mutating func correct(_ measured: [Double], noise: [Double]) {
      let observed = (0..<4).map { row in (0..<8).map { $0 == row ? 1.0 : 0 } }
      var spread = Self.product(Self.product(observed, covariance), Self.transposed(observed))
      for index in 0..<4 { spread[index][index] += noise[index] }
      let gain = Self.product(Self.product(covariance, Self.transposed(observed)), Self.inverse(spread))
      let residual = (0..<4).map { [measured[$0] - state[$0]] }
      let change = Self.product(gain, residual)
      for index in 0..<8 { state[index] += change[index][0] }
      let reduction = Self.product(Self.product(gain, observed), covariance)
      covariance = zip(covariance, reduction).map { zip($0, $1).map { $0 - $1 } }
    }
  }

  @Test("Four filters of two numbers equal one of eight, over a thousand steps")
  func dense() {
    var generator = SeededGenerator(seed: 3)
    let start = SIMD4(100.0, 50, 40, 90)
    var filter = MotionFilter(
      position: start, positionVariance: SIMD4(16, 81, 16, 81), velocityVariance: SIMD4(6, 30, 6, 30))
    let variances: [Double] = [16, 81, 16, 81, 6, 30, 6, 30]
    var dense = Dense(
      state: (0..<4).map { start[$0] } + [0, 0, 0, 0],
      covariance: variances.indices.map { row in
        variances.indices.map { $0 == row ? variances[row] : 0 }
      })
    func vary(_ range: ClosedRange<Double>) -> SIMD4<Double> {
      SIMD4(
        generator.number(range), generator.number(range), generator.number(range), generator.number(range))
    }
    func list(_ vector: SIMD4<Double>) -> [Double] { (0..<4).map { vector[$0] } }
    for _ in 0..<1000 {
      let position = vary(0.1...5)
      let velocity = vary(0.01...0.2)
      filter.predict(positionNoise: position, velocityNoise: velocity)
      dense.predict(noise: list(position) + list(velocity))
      // Some frames have no measurement.
      if generator.below(4) > 0 {
        let measured = filter.position + vary(-8...8)
        let noise = vary(0.5...6)
        filter.correct(measured, noise: noise)
        dense.correct(list(measured), noise: list(noise))
      }
      for index in 0..<4 {
        // Relative to the value, or to 1 if it is smaller.
        func near(_ first: Double, _ second: Double) -> Bool {
          abs(first - second) <= 1e-12 * max(1, abs(second))
        }
        #expect(near(filter.position[index], dense.state[index]))
        #expect(near(filter.velocity[index], dense.state[index + 4]))
        #expect(near(filter.positionVariance[index], dense.covariance[index][index]))
        #expect(near(filter.covariance[index], dense.covariance[index][index + 4]))
        #expect(near(filter.velocityVariance[index], dense.covariance[index + 4][index + 4]))
      }
    }
  }
}

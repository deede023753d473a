// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime

/// An output with a row of numbers for each point, x and y in pixels of the input first: [1, rows · columns],
/// or more dimensions of 1.
struct LandmarkRows: Sendable, Hashable {
  let output: Int
  let rows: Int
  let columns: Int

  /// Finds the first output of this width; nil without one.
  init?(rows: Int, columns: Int, among outputs: [TensorDescription]) {
    guard let index = Self.indices(ofWidth: rows * columns, among: outputs).first else { return nil }
    self.init(output: index, rows: rows, columns: columns)
  }

  init(output: Int, rows: Int, columns: Int) {
    (self.output, self.rows, self.columns) = (output, rows, columns)
  }

  /// Returns the outputs that are one row of this width.
  static func indices(ofWidth width: Int, among outputs: [TensorDescription]) -> [Int] {
    outputs.indices.filter { index in
      let shape = outputs[index].shape
      return shape.count > 1 && shape.last == width && shape.dropLast().allSatisfy { $0 == 1 }
    }
  }

  /// Returns the numbers of one run, of the first `limit` points or of all.
  /// - Throws: `invalidOutput` for another number of them, and for numbers that are not finite.
  func numbers(
    _ outputs: [[Float]], first limit: Int? = nil, unit: String = "", _ modelName: String
  ) throws(DetectionError) -> [Float] {
    let count = rows * columns
    guard outputs.indices.contains(output), outputs[output].count == count else {
      throw LandmarkHead.invalid(
        modelName, "\(outputs.map(\.count)) numbers; \(count) are expected as points\(unit)")
    }
    let numbers = outputs[output].prefix((limit ?? rows) * columns)
    if let wrong = numbers.first(where: { !$0.isFinite }) {
      throw LandmarkHead.invalid(modelName, "\(wrong.shown) as a coordinate of a point\(unit)")
    }
    return Array(numbers)
  }

  /// Returns the places of the points in fractions of the input.
  func places(_ numbers: [Float], of input: PixelSize) -> [NormalizedPoint] {
    (0..<rows).map { row in
      NormalizedPoint(
        x: Double(numbers[row * columns]) / Double(input.width),
        y: Double(numbers[row * columns + 1]) / Double(input.height))
    }
  }

  /// Returns z of the points, the third number of each, in fractions of the input's width.
  func depths(_ numbers: [Float], of input: PixelSize) -> [Double] {
    (0..<rows).map { Double(numbers[$0 * columns + 2]) / Double(input.width) }
  }
}

// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaRuntime
import Testing

@testable import FoveaDecoding

/// Each layout of each family of rows makes its own example: shapes, and tensors filled from two objects.
@Suite struct RowExampleTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var family: DetectorFamily
    var form: RowForm
    var width: Int
    var height: Int
    var isTransposed: Bool
    var isReversed: Bool
    var testDescription: String {
      let tensors = form.tensors.map { tensor in String(tensor.columns.groups.map(\.rawValue)) }
      return
        "\(family) \(tensors) × \(form.rows)\(form.tensors[0].isPerLevel ? ", levels" : "")"
        + "\(isTransposed ? ", columns" : "")\(isReversed ? ", reversed" : ""), \(width) × \(height)"
    }

    private var classCount: Int { family.classNames?.count ?? 3 }
    private static let masks = 32

    /// A row: the point of its cell and the distances of its box's edges in strides, with its scores.
    private struct Row {
      var point: (x: Float, y: Float)
      var stride: Float
      var distances: [Float] = [1, 1, 1, 1]
      /// The score and the class of an object; nil for the background.
      var object: (score: Float, classIndex: Int)?

      var edges: [Float] {
        let sides = distances.map { $0 * stride }
        return [point.x - sides[0], point.y - sides[1], point.x + sides[2], point.y + sides[3]]
      }
    }

    /// The rows of each level, or of all levels together.
    private var levels: [[Row]] {
      var levels: [[Row]]
      switch form.rows {
      case .cells(let perCell):
        let offset = family.cellOffset(form.strides[0].count)
        levels = form.strides[0].map { stride in
          YOLOGrid(width: width, height: height, strides: [stride]).cells.flatMap { cell in
            let point = ((cell.x + offset) * cell.stride, (cell.y + offset) * cell.stride)
            return Array(repeating: Row(point: point, stride: cell.stride), count: perCell)
          }
        }
      case .best: levels = [spread(300)]
      case .queries: levels = [spread(100)]
      case .people(let count): levels = [spread(count)]
      }
      // Two objects in the first level, in cells that do not touch.
      let (first, second) = (levels[0].count / 4, levels[0].count * 3 / 4)
      levels[0][first].distances = [1.25, 1, 1.5, 0.75]
      levels[0][first].object = (0.9, 2)
      if second != first {
        levels[0][second].distances = [0.5, 2, 1, 1.5]
        levels[0][second].object = (0.8, 0)
      }
      if family.classNames != nil {
        for row in levels[0].indices { levels[0][row].object?.classIndex = 0 }
      }
      return form.tensors[0].isPerLevel ? levels : [levels.flatMap { $0 }]
    }

    /// Rows of small boxes along the diagonal.
    private func spread(_ count: Int) -> [Row] {
      (0..<count).map { index in
        let place = 0.2 + 0.6 * Float(index) / Float(count)
        return Row(point: (place * Float(width), place * Float(height)), stride: 8)
      }
    }

    /// The objects as edges in pixels, the best first.
    var objects: [(score: Float, classIndex: Int, edges: [Float])] {
      levels.flatMap { $0 }.compactMap { row in row.object.map { ($0.score, $0.classIndex, row.edges) } }
    }

    private func numbers(of column: Column, _ row: Row) -> [Float] {
      let isLogits = form.rows == .queries || form.has(.distances)
      let hasNothing = form.has(.nothing)
      func score(_ value: Float) -> Float {
        hasNothing ? log(value) : isLogits ? log(value / (1 - value)) : value
      }
      let edges = row.edges
      switch column {
      case .edges: return edges
      case .center, .box:
        let unit: [Float] = form.rows == .queries ? [Float(width), Float(height)] : [1, 1]
        return [
          (edges[0] + edges[2]) / 2 / unit[0], (edges[1] + edges[3]) / 2 / unit[1],
          (edges[2] - edges[0]) / unit[0], (edges[3] - edges[1]) / unit[1],
        ]
      case .distances:
        return row.distances.flatMap { distance in
          (0..<form.bins[0]).map { log(max(1 - abs(distance - Float($0)), 1e-12)) }
        }
      case .size: return [row.distances[0] + row.distances[2], row.distances[1] + row.distances[3]]
      case .offset:
        return [0, 1].map { 0.5 + (row.distances[$0 + 2] - row.distances[$0]) / 2 }
      case .objectness: return [row.object == nil ? 0.01 : 1]
      case .classes:
        return (0..<classCount).map { index in
          score(row.object.map { $0.classIndex == index ? $0.score : 0.02 } ?? 0.01)
        }
      case .nothing: return [log(1 - (row.object.map { $0.score + 2 * 0.02 } ?? 3 * 0.01))]
      case .score: return [row.object?.score ?? 0.01]
      case .classIndex: return [Float(row.object?.classIndex ?? 0)]
      case .face: return (0..<5).flatMap { _ in [row.point.x, row.point.y] }
      case .masks: return Array(repeating: 0.5, count: Self.masks)
      case .points: return (0..<17).flatMap { _ in [row.point.x, row.point.y, 0.9] }
      case .angle: return [0]
      case .tensorFlowEdges:
        return [1, 0, 3, 2].map { edges[$0] / Float($0 % 2 == 0 ? width : height) }
      case .body:
        // The first and the last corner of the box in turn.
        return (0..<17).flatMap { point in
          let first = point % 2 * 2
          return [edges[first + 1] / Float(height), edges[first] / Float(width), row.object?.score ?? 0.01]
        }
      }
    }

    /// Returns the outputs as shapes and values.
    func outputs() -> [RowEncodingTests.Output] {
      let levels = levels
      var outputs = form.tensors.flatMap { tensor in
        zip(levels, form.strides[0]).map { rows, stride in
          let lines = rows.map { row in tensor.columns.groups.flatMap { numbers(of: $0, row) } }
          var output = RowEncodingTests.Output.list(lines, isTransposed: isTransposed)
          if case .people(1) = form.rows { output.shape = [1, 1, 17, 3] }
          if tensor.isPerLevel {
            let sides = YOLOGrid(width: width, height: height, strides: [stride]).sides
            output.shape = [1] + (isTransposed ? [lines[0].count] + sides : sides + [lines[0].count])
          }
          return output
        }
      }
      if form.extra == .masks {
        let shape = [1, height / 4, width / 4, Self.masks]
        outputs.append(
          RowEncodingTests.Output(
            shape: shape, values: Array(repeating: 0, count: shape.reduce(1, *))))
      }
      return isReversed ? outputs.reversed() : outputs
    }

    func model(_ outputs: [RowEncodingTests.Output]) -> DetectorRecognizer {
      let isPlanar = isTransposed && form.tensors[0].isPerLevel
      var model = FamilyReference.model(
        input: isPlanar ? [1, 3, height, width] : [1, height, width, 3], outputs.map(\.shape))
      model.labelCount = form.has(.classes) ? classCount : nil
      model.hints.task = form.extra?.task
      return model
    }
  }

  /// The examples with their outputs.
  static let examples = DetectorFamily.all.flatMap { family in
    family.forms.flatMap { form in
      [(96, 64), (64, 96), (128, 64)].enumerated().flatMap { index, size in
        form.isTransposed.map { isTransposed in
          let example = Example(
            family: family, form: form, width: size.0, height: size.1, isTransposed: isTransposed,
            isReversed: index == 1)
          return (example, outputs: example.outputs())
        }
      }
    }
  }

  @Test func `each row of the table is decoded to the objects that its example is made of`() throws {
    for (example, outputs) in Self.examples {
      let decoder = try example.model(outputs).decoder(family: example.family)
      #expect(
        decoder.family.name == example.form.decodedAs ?? example.family.name, "\(example.testDescription)")
      let found = try decoder.decode(outputs.map(\.values), threshold: 0.3, limit: 9)
      #expect(found.map(\.classIndex) == example.objects.map(\.classIndex), "\(example.testDescription)")
      for (one, object) in zip(found, example.objects) {
        #expect(abs(one.score - object.score) < 1e-4, "\(example.testDescription)")
        let box = one.box.pixels(in: PixelSize(width: example.width, height: example.height))
        for (value, edge) in zip([box.minX, box.minY, box.maxX, box.maxY], object.edges) {
          #expect(abs(value - Double(edge)) < 1e-3, "\(example.testDescription): \(box)")
        }
      }
    }
  }

  @Test func `each row of the table is recognised, or an error names its family`() {
    for (example, outputs) in Self.examples where example.form.evidence != .name {
      do throws(DetectionError) {
        let family = try example.model(outputs).decoder().family
        #expect(family == example.family, "\(example.testDescription)")
      } catch {
        #expect(error.code == .ambiguousFamily, "\(example.testDescription): \(error.message)")
        #expect(error.message.contains(example.family.name), "\(example.testDescription): \(error.message)")
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The classes of a map's cells, row by row from the top left.
package struct MapCells: Sendable, Hashable {
  /// The class of each cell; 255 means none.
  package var classes: [UInt8]
  /// The probability of that class, 0…255 for 0…1; empty for models that output only classes.
  package var confidences: [UInt8]

  /// Creates cells.
  package init(classes: [UInt8], confidences: [UInt8]) {
    self.classes = classes
    self.confidences = confidences
  }
}

extension MapHead {
  /// The rounding tolerance of probabilities outside 0…1.
  private static let rounding: Float = 0.011
  /// The tolerance of the sum of a cell's probabilities.
  private static let sumRounding: Float = 0.02
  /// The number of a cell without a class, as in PASCAL VOC.
  package static let noClass: UInt8 = 255

  /// Returns the classes and probabilities of the cells.
  /// - Parameters:
  ///   - values: The numbers of the output, in the order of its shape.
  ///   - modelName: The model's name in errors.
  /// - Returns: The cells.
  /// - Throws: `invalidOutput` for a number that is not finite, a probability outside 0…1, or a class that is
  ///   not a whole number 0…255.
  /// - Complexity: O(numbers).
  package func cells(_ values: [Float], modelName: String) throws(DetectionError) -> MapCells {
    precondition(
      values.count == layout.columns * layout.rows * layout.channels, "\(values.count) numbers of \(output)")
    if let index = values.firstIndex(where: { !$0.isFinite }) {
      throw invalid(
        modelName, "\(values[index].shown) as number \(index) of its map",
        remedy:
          "Give the normalisation it was trained with (\(option: "normalize", "MEAN,STD")), or check the"
          + " model with the tool that exported it")
    }
    switch family.numbers {
    case .classes: return MapCells(classes: try classes(values, modelName), confidences: [])
    case .foreground: return try foreground(values, modelName)
    case .scores: return layout.isPlanar ? planes(values) : cells(values)
    }
  }

  private func invalid(_ modelName: String, _ what: String, remedy: Advice) -> DetectionError {
    DetectionError(.invalidOutput, "'\(modelName)' returned \(what)", remedy: remedy)
  }

  private func classes(_ values: [Float], _ modelName: String) throws(DetectionError) -> [UInt8] {
    var classes = [UInt8](repeating: 0, count: values.count)
    for index in values.indices {
      guard let number = UInt8(exactly: values[index]) else {
        throw invalid(
          modelName, "\(values[index]) as the class of a cell; classes are 0 to 255",
          remedy: "Check the model with the tool that exported it")
      }
      classes[index] = number
    }
    return classes
  }

  private func foreground(_ values: [Float], _ modelName: String) throws(DetectionError) -> MapCells {
    var cells = MapCells(
      classes: [UInt8](repeating: 0, count: values.count),
      confidences: [UInt8](repeating: 0, count: values.count))
    for index in values.indices {
      var value = values[index]
      if probabilities == .sigmoid { value = 1 / (1 + exp(-value)) }
      guard value >= -Self.rounding, value <= 1 + Self.rounding else {
        throw invalid(
          modelName, "\(value) as the probability of the foreground, expected 0 to 1",
          remedy: "Check the model with the tool that exported it: a mask ends in a sigmoid")
      }
      let isForeground = value > 0.5
      cells.classes[index] = isForeground ? 1 : 0
      cells.confidences[index] = Self.byte(isForeground ? value : 1 - value)
    }
    return cells
  }

  /// Returns a probability as a byte.
  private static func byte(_ probability: Float) -> UInt8 {
    UInt8(min(max(probability, 0), 1) * 255 + 0.5)
  }

  /// Reads [1, H, W, C].
  private func cells(_ values: [Float]) -> MapCells {
    let count = layout.columns * layout.rows
    let channels = layout.channels
    let isDone = probabilities == .asIs || probabilities == .byValue && areProbabilities(values)
    var cells = MapCells(
      classes: [UInt8](repeating: 0, count: count), confidences: [UInt8](repeating: 0, count: count))
    unsafe values.withUnsafeBufferPointer { values in
      for cell in 0..<count {
        let start = cell &* channels
        var (best, place) = unsafe (values[start], 0)
        for channel in 1..<channels {
          let value = unsafe values[start &+ channel]
          if value > best { (best, place) = (value, channel) }
        }
        cells.classes[cell] = UInt8(truncatingIfNeeded: place)
        var confidence = best
        if !isDone {
          var sum: Float = 0
          for channel in 0..<channels {
            let difference = unsafe values[start &+ channel] - best
            // Smaller ones do not change the byte.
            if difference > -16 { sum += exp(difference) }
          }
          confidence = 1 / sum
        }
        cells.confidences[cell] = Self.byte(confidence)
      }
    }
    return cells
  }

  /// Reads [1, C, H, W].
  private func planes(_ values: [Float]) -> MapCells {
    let count = layout.columns * layout.rows
    let isDone = probabilities == .asIs || probabilities == .byValue && areProbabilities(values)
    var best = Array(values.prefix(count))
    var cells = MapCells(
      classes: [UInt8](repeating: 0, count: count), confidences: [UInt8](repeating: 0, count: count))
    var sums = [Float](repeating: 0, count: isDone ? 0 : count)
    unsafe values.withUnsafeBufferPointer { values in
      for channel in 1..<layout.channels {
        let start = channel &* count
        for cell in 0..<count {
          let value = unsafe values[start &+ cell]
          if value > best[cell] {
            best[cell] = value
            cells.classes[cell] = UInt8(truncatingIfNeeded: channel)
          }
        }
      }
      guard !isDone else { return }
      for channel in 0..<layout.channels {
        let start = channel &* count
        for cell in 0..<count {
          let difference = unsafe values[start &+ cell] - best[cell]
          if difference > -16 { sums[cell] += exp(difference) }
        }
      }
    }
    for cell in 0..<count { cells.confidences[cell] = Self.byte(isDone ? best[cell] : 1 / sums[cell]) }
    return cells
  }

  /// Whether the numbers of each cell are probabilities that add up to 1.
  private func areProbabilities(_ values: [Float]) -> Bool {
    let count = layout.columns * layout.rows
    let (cellStep, channelStep) = layout.isPlanar ? (1, count) : (layout.channels, 1)
    return unsafe values.withUnsafeBufferPointer { values in
      for cell in 0..<count {
        var sum: Float = 0
        for channel in 0..<layout.channels {
          let value = unsafe values[cell &* cellStep &+ channel &* channelStep]
          guard value >= -Self.rounding, value <= 1 + Self.rounding else { return false }
          sum += value
        }
        guard abs(sum - 1) <= Self.sumRounding else { return false }
      }
      return true
    }
  }
}

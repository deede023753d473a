// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaModelFile
import FoveaRuntime

/// Records the numbers of a graph's activations on photos, as histograms.
///
/// LiteRT shows only inputs and outputs, so the graph is written again with activations as outputs.
struct ActivationRecorder {
  /// The most bytes of outputs of one graph.
  static let mostBytes = 64 << 20

  let graph: FloatGraph
  let plan: LayerPlan
  let sessions: GraphSessions

  /// Records activations.
  /// - Parameters:
  ///   - tensors: The activations.
  ///   - photos: The input tensor of each photo.
  ///   - progress: Called with the parts of the work that are done and that there are.
  /// - Returns: A histogram of each activation.
  /// - Throws: `not-quantizable` for a number that is not finite; the errors of the runtime and of photos.
  func histograms(
    of tensors: [Int], _ photos: CalibrationPhotos, progress: (Int, Int) throws(FoveaError) -> Void
  ) throws(FoveaError) -> [Int: RangeHistogram] {
    var all: [Int: RangeHistogram] = [:]
    let batches = Self.batches(tensors, of: graph)
    var done = 0
    for batch in batches {
      let session = try session(returning: batch)
      var extremes = [Extremes](repeating: Extremes(), count: batch.count)
      for photo in 0..<photos.count {
        try session.run(try photos.tensor(photo))
        for (place, tensor) in batch.enumerated() {
          unsafe session.withOutput(place) { numbers in unsafe extremes[place].add(numbers) }
          try check(extremes[place], tensor)
        }
        done += 1
        try progress(done, 2 * batches.count * photos.count)
      }
      var histograms = extremes.map { RangeHistogram(Double($0.low)...Double($0.high)) }
      for photo in 0..<photos.count {
        try session.run(try photos.tensor(photo))
        for place in batch.indices {
          unsafe session.withOutput(place) { numbers in unsafe histograms[place].add(numbers) }
        }
        done += 1
        try progress(done, 2 * batches.count * photos.count)
      }
      for (tensor, histogram) in zip(batch, histograms) { all[tensor] = histogram }
    }
    return all
  }

  /// Verifies that all activations are finite on photos.
  /// - Throws: `not-quantizable` with the first activation in the order of the graph that is not; the errors
  ///   of the runtime and of photos.
  func check(_ photos: CalibrationPhotos) throws(FoveaError) {
    let activations = graph.nodes.flatMap(\.outputs).filter { graph.tensors[$0].isActivation }
    for batch in Self.batches(activations, of: graph) {
      let session = try session(returning: batch)
      for photo in 0..<photos.count {
        try session.run(try photos.tensor(photo))
        for (place, tensor) in batch.enumerated() {
          var extremes = Extremes()
          unsafe session.withOutput(place) { numbers in unsafe extremes.add(numbers) }
          try check(extremes, tensor)
        }
      }
    }
  }

  /// Compiles the graph in floats with activations as outputs.
  private func session(returning tensors: [Int]) throws(FoveaError) -> GraphSession {
    try sessions.session(
      of: QuantizedGraphWriter.model(graph, LayerPlan(like: plan), nil, returning: tensors), tensors)
  }

  private func check(_ extremes: Extremes, _ tensor: Int) throws(FoveaError) {
    guard !extremes.isFinite else { return }
    throw FoveaError(
      FoveaCode(MetadataCode.notQuantizable),
      "The activation '\(graph.tensors[tensor].name.printable)' has a number that is not finite",
      remedy: "Check how the model was exported, and the normalisation of its input", subject: sessions.name)
  }

  /// Returns the activations in parts of at most `mostBytes`; a larger one is a part by itself.
  static func batches(_ tensors: [Int], of graph: FloatGraph) -> [[Int]] {
    var batches: [[Int]] = []
    var free = 0
    for tensor in tensors {
      let size = 4 * graph.tensors[tensor].count
      if size > free || batches.isEmpty {
        batches.append([])
        free = mostBytes
      }
      batches[batches.count - 1].append(tensor)
      free -= size
    }
    return batches
  }
}

/// The least and the largest number of a tensor.
struct Extremes: Sendable {
  private(set) var low: Float = 0
  private(set) var high: Float = 0
  /// True until a number is not finite.
  private(set) var isFinite = true

  mutating func add(_ numbers: UnsafeBufferPointer<Float>) {
    typealias Lanes = SIMD16<Float>
    var (least, most, wrong) = (Lanes(repeating: low), Lanes(repeating: high), Lanes())
    let whole = numbers.count - numbers.count % Lanes.scalarCount
    let bytes = UnsafeRawBufferPointer(numbers)
    for start in stride(from: 0, to: whole, by: Lanes.scalarCount) {
      let lanes = unsafe bytes.loadUnaligned(fromByteOffset: 4 * start, as: Lanes.self)
      least = pointwiseMin(least, lanes)
      most = pointwiseMax(most, lanes)
      // 0 for finite numbers, else NaN.
      wrong += lanes * 0
    }
    (low, high) = (least.min(), most.max())
    isFinite = isFinite && wrong == Lanes()
    for index in whole..<numbers.count {
      let number = unsafe numbers[index]
      (low, high) = (min(low, number), max(high, number))
      isFinite = isFinite && number.isFinite
    }
  }
}

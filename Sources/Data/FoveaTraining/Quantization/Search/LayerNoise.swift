// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaModelFile

/// The noise that each layer adds if no other computes in int8, relative to the signal.
struct LayerNoise {
  /// The number of photos on which the noise is measured.
  private static let photoCount = 4
  /// The most bytes of the tensors at which the tail begins, of all photos: they are kept.
  private static let mostBytes = 256 << 20
  /// The noise of a layer that makes a number that is not finite, such as a quotient by a rounded 0, and of
  /// one whose scales float32 cannot hold.
  private static let worst = 1e6

  let graph: FloatGraph
  let plan: LayerPlan
  let sessions: GraphSessions
  let ranges: ActivationRanges

  /// Measures all layers.
  /// - Parameters:
  ///   - photos: The photos, of which a few are used.
  ///   - progress: Called with the number of layers that are done.
  /// - Returns: The noise of each layer, in the order of `plan.layers`: the energy of the difference divided
  ///   by that of the signal, the mean over the tensors at which the tail begins; 0 for a float layer.
  /// - Throws: The errors of the runtime, of photos and of `progress`.
  func all(
    _ photos: CalibrationPhotos, progress: (Int) throws(FoveaError) -> Void
  ) throws(FoveaError) -> [Double] {
    let boundary = plan.boundary(of: graph)
    let bytes = boundary.reduce(0) { $0 + 4 * graph.tensors[$1].count }
    let photos = photos.prefix(max(1, min(Self.photoCount, Self.mostBytes / max(bytes, 1))))
    let inputs = try (0..<photos.count).map { index throws(FoveaError) in try photos.tensor(index) }
    let signal = try outputs(LayerPlan(like: plan), nil, boundary, inputs)
    let energies = boundary.indices.map { place in
      signal.reduce(0) { $0 + Self.energy($1[place]) }
    }
    var noise: [Double] = []
    for layer in plan.layers {
      guard plan.isInt8[layer] else {
        noise.append(0)
        continue
      }
      let own = LayerPlan(of: layer, in: graph, like: plan)
      let scales = ranges.scales(graph, own)
      guard (try? scales.check(graph, own)) != nil else {
        noise.append(Self.worst)
        try progress(noise.count)
        continue
      }
      let reached = graph.reached(from: layer)
      let places = boundary.indices.filter { reached.contains(boundary[$0]) }
      let changed = try outputs(own, scales, places.map { boundary[$0] }, inputs)
      var sum = 0.0
      for (index, place) in places.enumerated() where energies[place] > 0 && energies[place].isFinite {
        let difference = zip(signal, changed).reduce(0) { $0 + Self.energy($1.0[place], $1.1[index]) }
        let part = difference / energies[place]
        sum += part < Self.worst ? part : Self.worst
      }
      noise.append(boundary.isEmpty ? 0 : sum / Double(boundary.count))
      try progress(noise.count)
    }
    return noise
  }

  /// Returns the numbers of some tensors for each input.
  private func outputs(
    _ plan: LayerPlan, _ scales: TensorScales?, _ tensors: [Int], _ inputs: [[Float]]
  ) throws(FoveaError) -> [[[Float]]] {
    guard !tensors.isEmpty else { return inputs.map { _ in [] } }
    let model = QuantizedGraphWriter.model(graph, plan, scales, returning: tensors)
    let session = try sessions.session(of: model, tensors)
    var all: [[[Float]]] = []
    for input in inputs {
      try session.run(input)
      var numbers: [[Float]] = []
      for place in tensors.indices {
        unsafe session.withOutput(place) { unsafe numbers.append(Array($0)) }
      }
      all.append(numbers)
    }
    return all
  }

  private static func energy(_ numbers: [Float]) -> Double {
    numbers.reduce(0) { $0 + Double($1) * Double($1) }
  }

  /// Returns the energy of the difference; outputs whose shapes depend on numbers may differ in length.
  private static func energy(_ first: [Float], _ second: [Float]) -> Double {
    guard first.count == second.count else { return energy(first) + energy(second) }
    var sum = 0.0
    for index in first.indices {
      let difference = Double(first[index] - second[index])
      sum += difference * difference
    }
    return sum
  }
}

/// The best ranges of activations, each found once.
final class ActivationRanges {
  private let histograms: [Int: RangeHistogram]
  let input: TensorScales.Input
  private var known: [Set<Int>: ClosedRange<Double>] = [:]

  init(_ histograms: [Int: RangeHistogram], input: TensorScales.Input) {
    (self.histograms, self.input) = (histograms, input)
  }

  /// Returns the scales of a plan.
  func scales(_ graph: FloatGraph, _ plan: LayerPlan) -> TensorScales {
    TensorScales(graph, plan, input: input) { tensors in
      if let range = known[tensors] { return range }
      let parts = tensors.sorted().compactMap { histograms[$0] }
      let range = parts.isEmpty ? 0...0 : RangeHistogram.joined(parts).best
      known[tensors] = range
      return range
    }
  }
}

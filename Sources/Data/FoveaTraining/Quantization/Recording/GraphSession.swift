// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaModelFile
import FoveaRuntime

/// Compiles graphs that are written from one model's.
struct GraphSessions: Sendable {
  /// The model's name in errors.
  let name: String
  let options: SessionOptions

  /// Compiles a graph.
  /// - Parameters:
  ///   - model: The model file.
  ///   - tensors: The tensors of the outputs.
  /// - Returns: A session of the graph.
  /// - Throws: The errors of the runtime.
  func session(of model: [UInt8], _ tensors: [Int]) throws(FoveaError) -> GraphSession {
    do {
      let model = try Model(bytes: model, name: name)
      return try GraphSession(Session(model: model, options: options), tensors)
    } catch {
      throw FoveaError(error)
    }
  }
}

/// A session of a graph whose outputs are activations.
struct GraphSession {
  private let session: Session
  /// The index of each tensor among the outputs, which the runtime may order by name.
  private let places: [Int]

  init(_ session: Session, _ tensors: [Int]) throws(RuntimeError) {
    self.session = session
    let names = Dictionary(
      session.outputs.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var places: [Int] = []
    for tensor in tensors {
      guard let place = names[QuantizedGraphWriter.name(of: tensor)] else {
        throw RuntimeError(
          .modelInvalid, "The graph written from '\(session.model.name)' lacks the output \(tensor)",
          remedy: "Report this model")
      }
      places.append(place)
    }
    self.places = places
  }

  /// Runs the graph on the numbers of an input.
  ///
  /// An int8 input takes the nearest numbers.
  func run(_ input: [Float]) throws(FoveaError) {
    do {
      if case .perTensor(let scale, let zeroPoint) = session.inputs[0].quantization {
        let scale = TensorScale(.int8, scale: scale, zeroPoint: zeroPoint)
        try session.write(input.map { scale.int8($0) }, toInput: 0)
      } else {
        try session.write(input, toInput: 0)
      }
      try session.run()
    } catch {
      throw FoveaError(error)
    }
  }

  /// Calls `body` with the numbers of an output.
  func withOutput(_ index: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) {
    unsafe session.withUnsafeOutputBytes(places[index]) { bytes in
      unsafe body(bytes.bindMemory(to: Float.self))
    }
  }
}

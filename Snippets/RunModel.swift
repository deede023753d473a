// SPDX-License-Identifier: Apache-2.0
//
// Runs any TFLite model by its tensors: on one thread, then from several tasks through a pool, with a
// timeout.
//
//     swift run RunModel model.tflite

import FoveaModelFile
import FoveaRuntime

let path =
  CommandLine.arguments.dropFirst().first ?? "Sources/C/CEmbeddedModels/models/coarse_int8.tflite"
print("LiteRT is loaded from \(try RuntimeLibrary.shared().path)")

let model = try Model(path: path)
// A few flaws of models are repaired in memory; for instance, a signature of other tensors is ignored.
for repair: ModelRepair in model.repairs where repair.code == ModelRepair.Code.signatureIgnored {
  print("\(path): \(repair.message)")
}
var options = SessionOptions(threads: 2)
options.kernels = SessionOptions.Kernels.optimized
let session = try Session(model: model, options: options)
for note in session.notes { print("\(note).") }

let input: TensorDescription = session.inputs[0]
switch input.elementType {
case ElementType.uint8: try fill(session, with: 128 as UInt8)
case .int8: try fill(session, with: 0 as Int8)
case .float32: try fill(session, with: 0 as Float)
default: print("\(input) is left empty")
}
try session.run()
var numbers: [Float] = []
for index in session.outputs.indices {
  // Converts quantised outputs to real numbers.
  try session.readNumbers(output: index, into: &numbers)
  print("\(session.outputs[index]): \(numbers.prefix(5)) …")
}

// A session has one owner. A pool runs each of its sessions on a thread, and tasks take turns.
let pool = try await WorkerPool(count: 2) { try Session(model: model) }
let token = CancellationToken()
let limit = Task {
  try await Task.sleep(for: .seconds(10))
  token.cancel()
}
try await withThrowingTaskGroup(of: Int.self) { group in
  for number in 1...4 {
    group.addTask {
      try await pool.withResource { session in
        try session.run(cancelledBy: token)
        return number
      }
    }
  }
  for try await number in group { print("run \(number) is done") }
}
limit.cancel()

/// Writes the same value into every element of the first input.
func fill<Scalar: TensorScalar>(_ session: Session, with value: Scalar) throws(RuntimeError) {
  let count = session.inputs[0].elementCount ?? 0
  try session.write([Scalar](repeating: value, count: count), toInput: 0)
}

// SPDX-License-Identifier: Apache-2.0
//
// Runs a detector with a memory on the frames of a stream: earlier frames affect the result of the next one.
//
//     swift run RememberFrames

import FoveaRuntime

let model = try Model(path: "Tests/Fixtures/models/lstm_ssd.tflite")
let session = try Session(model: model)

// Inputs that are fed from outputs; a model without a memory has none.
let state: StateTensors = StateTensors(
  of: ModelSignature(key: nil, inputs: session.inputs, outputs: session.outputs))
for pair in state.pairs {
  let pair: StateTensors.Pair = pair
  print("\(session.inputs[pair.input].name) is fed from \(session.outputs[pair.output].name)")
}

// Each stream has its own memory, so that one session can serve several.
var memories: [String: RecurrentState] = [:]
for (stream, frame) in [("left", 1), ("right", 1), ("left", 2), ("left", 3)] {
  if let memory = memories[stream] { try session.restore(memory, state) } else { session.clear(state) }
  try session.run()
  memories[stream] = session.remembered(state)
  var seen: [Float] = []
  try session.readNumbers(output: state.pairs[0].output, into: &seen)
  print("\(stream), frame \(frame): the model remembers \(seen[0])")
}

// SPDX-License-Identifier: Apache-2.0

import TensorFlowLite

func output(_ path: String, _ input: Data) throws -> Data {
  let interpreter = try Interpreter(modelPath: path)
  try interpreter.allocateTensors()
  try interpreter.copy(input, toInputAt: 0)
  try interpreter.invoke()
  return try interpreter.output(at: 0).data
}

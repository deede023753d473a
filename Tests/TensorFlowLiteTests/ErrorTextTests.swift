// SPDX-License-Identifier: Apache-2.0

import Foundation
import TensorFlowLite
import Testing

/// The texts of TensorFlowLiteSwift, which apps show and tests compare.
@Suite struct ErrorTextTests {
  static let interpreterTexts: [(InterpreterError, String)] = [
    (.invalidTensorIndex(index: 3, maxIndex: 0), "Invalid tensor index 3, max index is 0."),
    (
      .invalidTensorDataCount(provided: 1, required: 2),
      "Provided data count 1 must match the required count 2."
    ),
    (
      .invalidTensorDataType,
      "Tensor data type is unsupported or could not be determined due to a model error."
    ),
    (.failedToLoadModel, "Failed to load the given model."),
    (.failedToCreateInterpreter, "Failed to create the interpreter."),
    (.failedToResizeInputTensor(index: 1), "Failed to resize input tensor at index 1."),
    (.failedToCopyDataToInputTensor, "Failed to copy data to input tensor."),
    (.failedToAllocateTensors, "Failed to allocate memory for input tensors."),
    (.allocateTensorsRequired, "Must call allocateTensors()."),
    (.invokeInterpreterRequired, "Must call invoke()."),
    (.tensorFlowLiteError("no"), "TensorFlow Lite Error: no"),
  ]

  @Test(arguments: interpreterTexts)
  func `an interpreter's error has Google's text in all three places`(
    _ error: InterpreterError, _ text: String
  ) {
    #expect(error.errorDescription == text)
    #expect(error.description == text)
    #expect(error.localizedDescription == text)
  }

  static let runnerTexts: [(SignatureRunnerError, String)] = [
    (
      .invalidTensorDataCount(provided: 1, required: 2),
      "Provided data count 1 must match the required count 2."
    ),
    (
      .invalidTensorDataType,
      "Tensor data type is unsupported or could not be determined due to a model error."
    ),
    (
      .failedToCreateSignatureRunner(signatureKey: "k"),
      "Failed to create a signature runner. Signature with key (k) not found."
    ),
    (
      .failedToGetTensor(tensorType: "input", nameInSignature: "x"),
      "Failed to get input tensor with input name (x)."
    ),
    (.failedToResizeInputTensor(inputName: "x"), "Failed to resize input tensor with input name (x)."),
    (.failedToCopyDataToInputTensor, "Failed to copy data to input tensor."),
    (.failedToAllocateTensors, "Failed to allocate memory for input tensors."),
    (
      .failedToInvokeSignature(signatureKey: "k"),
      "Failed to invoke the signature runner with key (k)."
    ),
    (.allocateTensorsRequired, "Must call allocateTensors()."),
  ]

  @Test(arguments: runnerTexts)
  func `a signature runner's error has Google's text in all three places`(
    _ error: SignatureRunnerError, _ text: String
  ) {
    #expect(error.errorDescription == text)
    #expect(error.description == text)
    #expect(error.localizedDescription == text)
  }
}

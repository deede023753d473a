// SPDX-License-Identifier: Apache-2.0

import CLiteRT

/// Reads the signatures of a model that LiteRT has opened.
@safe
struct SignatureReader {
  // SAFETY: borrowed from a Model that outlives the reader.
  let library: RuntimeLibrary
  let model: fovea_model
  let modelName: String

  init(library: RuntimeLibrary, model: fovea_model, modelName: String) {
    self.library = library
    unsafe self.model = model
    self.modelName = modelName
  }

  // LiteRT reports one signature with this key for a model without signatures.
  private static let placeholderKey = "<placeholder signature>"

  func read() throws(RuntimeError) -> [ModelSignature] {
    let functions = unsafe library.functions
    var count = 0
    try check(unsafe functions.pointee.GetNumModelSignatures(model, &count), "its signatures")
    var signatures: [ModelSignature] = []
    for index in 0..<count {
      var signature: fovea_signature?
      try check(unsafe functions.pointee.GetModelSignature(model, index, &signature), "signature \(index)")
      guard let signature = unsafe signature else { throw unreadable("signature \(index)", status: 6) }
      unsafe signatures.append(try read(signature))
    }
    guard !signatures.isEmpty else {
      throw RuntimeError(
        .modelUnsupported, "\(theModel: modelName) has no graph to run", remedy: "Export the model again")
    }
    return signatures
  }

  private func read(_ signature: fovea_signature) throws(RuntimeError) -> ModelSignature {
    let functions = unsafe library.functions
    var key: UnsafePointer<CChar>?
    unsafe try check(functions.pointee.GetSignatureKey(signature, &key), "a signature's name")
    let name = unsafe text(key)
    var inputCount = 0
    var outputCount = 0
    unsafe try check(functions.pointee.GetNumSignatureInputs(signature, &inputCount), "its inputs")
    unsafe try check(functions.pointee.GetNumSignatureOutputs(signature, &outputCount), "its outputs")
    var inputs: [TensorDescription] = []
    for index in 0..<inputCount {
      var tensor: fovea_tensor?
      var label: UnsafePointer<CChar>?
      unsafe try check(
        functions.pointee.GetSignatureInputTensorByIndex(signature, index, &tensor), "input \(index)")
      unsafe try check(functions.pointee.GetSignatureInputName(signature, index, &label), "input \(index)")
      guard let tensor = unsafe tensor else { throw unreadable("input \(index)", status: 6) }
      unsafe inputs.append(try describe(tensor, signatureName: text(label)))
    }
    var outputs: [TensorDescription] = []
    for index in 0..<outputCount {
      var tensor: fovea_tensor?
      var label: UnsafePointer<CChar>?
      unsafe try check(
        functions.pointee.GetSignatureOutputTensorByIndex(signature, index, &tensor), "output \(index)")
      unsafe try check(functions.pointee.GetSignatureOutputName(signature, index, &label), "output \(index)")
      guard let tensor = unsafe tensor else { throw unreadable("output \(index)", status: 6) }
      unsafe outputs.append(try describe(tensor, signatureName: text(label)))
    }
    return ModelSignature(key: name == Self.placeholderKey ? nil : name, inputs: inputs, outputs: outputs)
  }

  private func describe(_ tensor: fovea_tensor, signatureName: String) throws(RuntimeError)
    -> TensorDescription
  {
    let functions = unsafe library.functions
    var name: UnsafePointer<CChar>?
    unsafe try check(functions.pointee.GetTensorName(tensor, &name), "a tensor's name")
    let tensorName = unsafe text(name)
    var type = fovea_tensor_type()
    unsafe try check(functions.pointee.GetRankedTensorType(tensor, &type), "the type of '\(tensorName)'")
    return TensorDescription(
      name: tensorName, signatureName: signatureName, elementType: ElementType(id: type.element_type),
      shape: type.layout.shape, quantization: unsafe try quantization(of: tensor, name: tensorName))
  }

  private func quantization(of tensor: fovea_tensor, name: String) throws(RuntimeError) -> Quantization {
    let functions = unsafe library.functions
    var kind: Int32 = 0
    unsafe try check(functions.pointee.GetQuantizationTypeId(tensor, &kind), "the quantisation of '\(name)'")
    switch kind {
    case 0: return .none
    case 1:
      var values = fovea_per_tensor_quantization()
      unsafe try check(
        functions.pointee.GetPerTensorQuantization(tensor, &values), "the quantisation of '\(name)'")
      return .perTensor(scale: values.scale, zeroPoint: Int(values.zero_point))
    case 2:
      var values = unsafe fovea_per_channel_quantization()
      unsafe try check(
        functions.pointee.GetPerChannelQuantization(tensor, &values), "the quantisation of '\(name)'")
      let count = unsafe Int(values.channel_count)
      let scales = unsafe UnsafeBufferPointer(start: values.scales, count: values.scales == nil ? 0 : count)
      let zeroPoints = unsafe UnsafeBufferPointer(
        start: values.zero_points, count: values.zero_points == nil ? 0 : count)
      return unsafe .perChannel(
        scales: Array(scales), zeroPoints: zeroPoints.map { Int($0) }, axis: Int(values.quantized_dimension))
    default: return .other(Int(kind))
    }
  }

  private func text(_ characters: UnsafePointer<CChar>?) -> String {
    guard let characters = unsafe characters else { return "" }
    return unsafe String(cString: characters)
  }

  private func check(_ status: fovea_status, _ what: String) throws(RuntimeError) {
    guard status == 0 else { throw unreadable(what, status: status) }
  }

  private func unreadable(_ what: String, status: Int32) -> RuntimeError {
    RuntimeError(
      .modelInvalid,
      "LiteRT does not report \(what) of \(theModel: modelName) (\(RuntimeError.statusText(status)))",
      remedy: "Export the model again, with TensorFlow 2.x or LiteRT's converter")
  }
}

extension fovea_layout {
  /// The dimensions, as many as the rank.
  var shape: [Int] {
    let rank = min(Int(rank_and_flags & 0x7F), 8)
    let all = [
      dimensions.0, dimensions.1, dimensions.2, dimensions.3, dimensions.4, dimensions.5, dimensions.6,
      dimensions.7,
    ]
    return all.prefix(rank).map(Int.init)
  }
}

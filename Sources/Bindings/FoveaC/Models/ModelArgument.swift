// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaCore
import FoveaRuntime

extension ModelSource {
  /// Returns the model of a C argument.
  /// - Parameter argument: The caller's struct.
  /// - Returns: The model; nil for the default of the function.
  /// - Throws: `argument-invalid`, `option-invalid`.
  static func named(_ argument: UnsafePointer<fovea_model>?) throws(FoveaError) -> ModelSource? {
    guard let argument = unsafe argument else { return nil }
    var model = unsafe fovea_model()
    unsafe try CStruct.read(argument, into: &model, minimum: 16, "fovea_model")
    let name = unsafe try CStruct.text(model.name, "name")
    let path = unsafe try CStruct.text(model.path, "path")
    let bytes = unsafe model.bytes
    guard unsafe path == nil || bytes == nil else {
      throw .argument("'path' and 'bytes' of fovea_model are both set", remedy: "Give one of them")
    }
    if let path {
      guard !path.isEmpty else { throw .argument("'path' of fovea_model is empty") }
      return .file(path)
    }
    if let bytes = unsafe bytes {
      return unsafe try memory(
        UnsafeRawBufferPointer(start: bytes, count: counted(model.length)), name ?? "model")
    }
    guard unsafe model.length == 0 else {
      throw .argument("'length' of fovea_model is \(unsafe UInt(bitPattern: model.length)), without 'bytes'")
    }
    return try name.map { (name) throws(FoveaError) in try embedded(name) }
  }

  private static func counted(_ length: Int) throws(FoveaError) -> Int {
    guard (1...ModelBytes.maximumCount).contains(length) else {
      throw .argument(
        "'length' of fovea_model is \(UInt(bitPattern: length)), 1…\(ModelBytes.maximumCount) expected")
    }
    return length
  }

  private static func memory(_ bytes: UnsafeRawBufferPointer, _ name: String) throws(FoveaError)
    -> ModelSource
  {
    .memory(
      ModelBytes(count: bytes.count, name: name) { target in
        unsafe target.withUnsafeMutableBytes { unsafe $0.copyMemory(from: bytes) }
      })
  }

  private static func embedded(_ name: String) throws(FoveaError) -> ModelSource {
    guard let model = EmbeddedModel(rawValue: name) else {
      throw .argument(
        "'name' of fovea_model is '\(name.prefix(80))', without 'path' and 'bytes'",
        remedy: "The embedded models are \(EmbeddedModel.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return .embedded(model)
  }
}

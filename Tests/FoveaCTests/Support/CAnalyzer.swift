// SPDX-License-Identifier: Apache-2.0

import CFovea
import Testing

/// A model as named in C.
enum CModel {
  case file(String)
  case bytes([UInt8], name: String)
  case embedded(String)

  /// Calls `body` with the struct.
  func with<R>(_ body: (UnsafePointer<fovea_model>) throws -> R) rethrows -> R {
    var model = fovea_model()
    model.size = UInt32(MemoryLayout<fovea_model>.size)
    switch self {
    case .file(let path):
      return try path.withCString { path in
        model.path = path
        return try body(&model)
      }
    case .embedded(let name):
      return try name.withCString { name in
        model.name = name
        return try body(&model)
      }
    case .bytes(let bytes, let name):
      return try name.withCString { name in
        try bytes.withUnsafeBytes { bytes in
          model.name = name
          model.bytes = bytes.baseAddress
          model.length = bytes.count
          return try body(&model)
        }
      }
    }
  }
}

/// Options of C, with their memory.
final class COptions {
  let pointer: OpaquePointer

  init(_ options: [String: String] = [:]) throws {
    var pointer: OpaquePointer?
    try CFailure.check(fovea_options_new(&pointer))
    self.pointer = try #require(pointer)
    for (name, value) in options { try CFailure.check(fovea_options_set(self.pointer, name, value)) }
  }

  deinit { fovea_options_free(pointer) }
}

/// A detector or a labeler of C.
final class CAnalyzer: @unchecked Sendable {
  let pointer: OpaquePointer
  private let isLabeler: Bool

  init(_ model: CModel? = nil, _ options: [String: String] = [:], isLabeler: Bool = false) throws {
    self.isLabeler = isLabeler
    var pointer: OpaquePointer?
    let options = try COptions(options)
    let open = isLabeler ? fovea_labeler_open : fovea_detector_open
    try withExtendedLifetime(options) {
      if let model {
        try CFailure.check(model.with { open($0, options.pointer, &pointer) })
      } else {
        try CFailure.check(open(nil, options.pointer, &pointer))
      }
    }
    self.pointer = try #require(pointer)
  }

  deinit { isLabeler ? fovea_labeler_close(pointer) : fovea_detector_close(pointer) }

  /// Processes images.
  func find(_ images: [CImage], _ call: UnsafePointer<fovea_call>? = nil) throws -> [CFindings] {
    var result: OpaquePointer?
    let run = isLabeler ? fovea_label : fovea_detect
    try CFailure.check(CImage.with(images) { run(pointer, $0, $1, call, &result) })
    return CFindings.taking(result, isOfLabels: isLabeler)
  }
}

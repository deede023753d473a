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

/// A detector, labeler, segmenter or embedder of C.
final class CAnalyzer: @unchecked Sendable {
  enum Kind {
    case detector, labeler, segmenter, embedder

    var open:
      (UnsafePointer<fovea_model>?, OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?)
        -> OpaquePointer?
    {
      switch self {
      case .detector: fovea_detector_open
      case .labeler: fovea_labeler_open
      case .segmenter: fovea_segmenter_open
      case .embedder: fovea_embedder_open
      }
    }

    var run:
      (
        OpaquePointer?, UnsafePointer<fovea_image>?, Int, UnsafePointer<fovea_call>?,
        UnsafeMutablePointer<OpaquePointer?>?
      ) -> OpaquePointer?
    {
      switch self {
      case .detector: fovea_detect
      case .labeler: fovea_label
      case .segmenter: fovea_segment
      case .embedder: fovea_embed
      }
    }

    var close: (OpaquePointer?) -> Void {
      switch self {
      case .detector: fovea_detector_close
      case .labeler: fovea_labeler_close
      case .segmenter: fovea_segmenter_close
      case .embedder: fovea_embedder_close
      }
    }
  }

  let pointer: OpaquePointer
  private let kind: Kind

  init(_ model: CModel? = nil, _ options: [String: String] = [:], kind: Kind = .detector) throws {
    self.kind = kind
    var pointer: OpaquePointer?
    let options = try COptions(options)
    try withExtendedLifetime(options) {
      if let model {
        try CFailure.check(model.with { kind.open($0, options.pointer, &pointer) })
      } else {
        try CFailure.check(kind.open(nil, options.pointer, &pointer))
      }
    }
    self.pointer = try #require(pointer)
  }

  deinit { kind.close(pointer) }

  /// Processes images.
  /// - Returns: The result, which the caller frees.
  func result(_ images: [CImage], _ call: UnsafePointer<fovea_call>? = nil) throws -> OpaquePointer? {
    var result: OpaquePointer?
    try CFailure.check(CImage.with(images) { kind.run(pointer, $0, $1, call, &result) })
    return result
  }

  /// Returns the objects or labels of images.
  func find(_ images: [CImage], _ call: UnsafePointer<fovea_call>? = nil) throws -> [CFindings] {
    CFindings.taking(try result(images, call), isOfLabels: kind == .labeler)
  }
}

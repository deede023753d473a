// SPDX-License-Identifier: Apache-2.0

import CFovea
import FoveaTesting
import Testing

/// `fovea_quantize` and `fovea_compare`.
@Suite struct ComparisonTests {
  static let model = CModel.bytes(TestModel.floatClassifier(side: 32).bytes(), name: "small.tflite")
  static let photos = (0..<4).map { index in
    CImage(
      kind: 3, bytes: (0..<32 * 32 * 3).map { UInt8(truncatingIfNeeded: $0 * (index + 3)) }, width: 32,
      height: 32)
  }

  /// Quantises a model; returns its bytes and its report.
  static func quantized(
    _ model: CModel = model, _ photos: [CImage] = photos, _ options: [String: String] = ["at-least": "0"],
    _ call: UnsafePointer<fovea_call>? = nil
  ) throws -> (bytes: [UInt8], report: String) {
    let options = try COptions(options)
    var (out, length): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 7)
    var report: UnsafeMutablePointer<CChar>?
    defer { fovea_string_free(report) }
    let failure = withExtendedLifetime(options) {
      CFailure.of(
        model.with { model in
          CImage.with(photos) { fovea_quantize(model, options.pointer, $0, $1, call, &out, &length, &report) }
        })
    }
    if let failure {
      #expect(out == nil && length == 0 && report == nil)
      throw failure
    }
    let bytes = Array(UnsafeBufferPointer(start: out, count: length))
    out?.withMemoryRebound(to: CChar.self, capacity: length) { fovea_string_free($0) }
    return (bytes, String(cString: try #require(report)))
  }

  /// Compares two models; returns the report.
  static func compared(
    _ first: CModel, _ second: CModel, _ photos: [CImage] = photos, _ options: [String: String] = [:],
    _ call: UnsafePointer<fovea_call>? = nil
  ) throws -> String {
    let options = try COptions(options)
    var report: UnsafeMutablePointer<CChar>?
    defer { fovea_string_free(report) }
    let failure = withExtendedLifetime(options) {
      CFailure.of(
        first.with { first in
          second.with { second in
            CImage.with(photos) { fovea_compare(first, second, options.pointer, $0, $1, call, &report) }
          }
        })
    }
    if let failure { throw failure }
    return String(cString: try #require(report))
  }

  @Test func `a float model becomes an int8 model that can be compared with it`() throws {
    let missing = CImage.file("/nowhere/a.jpg")
    let made = try Self.quantized(Self.model, Self.photos + [missing])
    #expect(made.report.hasPrefix(#"{"schema": "quantize/1", "noise": [{"layer": "#))
    let error = #""errors": [{"subject": "/nowhere/a.jpg", "code": "image-not-found", "message": "#
    #expect(made.report.contains(error))
    let second = CModel.bytes(made.bytes, name: "int8.tflite")
    let report = try Self.compared(Self.model, second)
    #expect(report.hasPrefix(#"{"schema": "compare/1", "task": "labeling", "agreement": {"value": "#))
    #expect(report.contains(#""second": \#(made.bytes.count)}"#))
    #expect(report.hasSuffix(#""errors": []}"# + "\n"))
  }

  static let refused: [(model: CModel, photos: [CImage], options: [String: String], code: String)] = [
    (model, [], [:], "calibration-empty"), (.embedded("detector"), photos, [:], "option-invalid"),
    (model, photos, ["keep-float": "third"], "option-invalid"),
    (model, photos, ["sessions": "2"], "option-invalid"),
    (model, photos, ["family": "map"], "option-invalid"),
    (model, photos, ["ground-truth": "/nowhere/truth.json"], "evaluation-"),
    (.file("/nowhere/m.tflite"), photos, [:], "metadata-missing-file"),
  ]

  @Test(arguments: refused.indices)
  func `what cannot be quantised is an error without an output`(_ index: Int) throws {
    let row = Self.refused[index]
    let failure = #expect(throws: CFailure.self) {
      try Self.quantized(row.model, row.photos, row.options)
    }
    #expect(failure?.code.hasPrefix(row.code) == true, "\(failure?.description ?? "no error")")
  }

  @Test func `missing arguments and regions are errors that name the argument`() throws {
    var report: UnsafeMutablePointer<CChar>?
    #expect(
      CFailure.of(fovea_compare(nil, nil, nil, nil, 0, nil, &report))?.message == "'first' names no model")
    #expect(CFailure.of(fovea_compare(nil, nil, nil, nil, 0, nil, nil))?.message == "'report' is NULL")
    #expect(
      CFailure.of(fovea_quantize(nil, nil, nil, 0, nil, nil, nil, &report))?.message == "'out' is NULL")
    var photo = Self.photos[0]
    photo.region = (0, 0, 4, 4)
    let failure = #expect(throws: CFailure.self) { try Self.compared(Self.model, Self.model, [photo]) }
    #expect(failure?.message == "'region' is set, whole photos expected" && failure?.subject == "image 0")
  }

  @Test func `a cancelled call ends with an error, and the progress comes before it`() throws {
    let cancel = fovea_cancel_new()
    defer { fovea_cancel_free(cancel) }
    var call = fovea_call()
    call.size = UInt32(MemoryLayout<fovea_call>.size)
    call.cancel = cancel
    call.context = UnsafeMutableRawPointer(cancel)
    call.progress = { context, _, _ in fovea_cancel_set(context.map { OpaquePointer($0) }) }
    let failure = #expect(throws: CFailure.self) {
      try Self.quantized(Self.model, Self.photos, ["at-least": "0"], &call)
    }
    #expect(failure?.code == "cancelled")
  }
}

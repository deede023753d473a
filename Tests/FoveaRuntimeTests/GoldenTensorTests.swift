// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaGeometry
import FoveaImage
import FoveaRuntime
import FoveaTesting
import Testing

/// Raw outputs compared with those of ai-edge-litert 2.3.0's own interpreter for the same images at model
/// size.
@Suite("Golden tensors", .enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
struct GoldenTensorTests {
  struct Golden: Decodable, Sendable, CustomTestStringConvertible {
    struct Output: Decodable, Sendable {
      var name: String
      var shape: [Int]
      var dtype: String?
      var values: [Float]?
      var top10: [[Float]]?
      var topRows: [String: [Float]]?

      enum CodingKeys: String, CodingKey {
        case name, shape, dtype, values, top10
        case topRows = "top_rows"
      }
    }
    var model: String
    var input: String?
    var rule: String?
    var outputs: [Output]?

    var testDescription: String { "\(model) on \(input ?? "–")" }

    /// Each golden with tensors; the file also has a few that only quote other projects' results.
    static let all: [Golden] = {
      guard SharedData.isPresent, let bytes = try? SharedData.bytes("goldens/goldens.json"),
        let goldens = try? JSONDecoder().decode([Golden].self, from: Data(bytes))
      else { return [] }
      return goldens.filter { $0.input != nil && $0.rule != nil && $0.outputs != nil }
    }()
  }

  @Test func `there are goldens for ten models on five images`() {
    #expect(Golden.all.count == 50)
  }

  @Test(arguments: Golden.all)
  func `reference kernels give the reference interpreter's outputs`(_ golden: Golden) throws {
    try compare(golden, kernels: .reference, floatTolerance: 1e-4, quantizedTolerance: 0)
  }

  // XNNPACK rounds quantised arithmetic in another order, and the goldens come from the reference kernels.
  // Sorting detections by score then swaps some, so only outputs with a fixed order are compared.
  @Test(arguments: Golden.all.filter { $0.outputs?.count == 1 })
  func `optimized kernels give the same within the rounding of quantised arithmetic`(_ golden: Golden)
    throws
  {
    try compare(golden, kernels: .optimized, floatTolerance: 1e-3, quantizedTolerance: 14)
  }

  private func compare(
    _ golden: Golden, kernels: SessionOptions.Kernels, floatTolerance: Float, quantizedTolerance: Float
  ) throws {
    let model = try Model(path: SharedData.path(golden.model))
    var options = SessionOptions()
    options.kernels = kernels
    let session = try Session(model: model, options: options)
    try fill(session, with: #require(golden.input), rule: #require(golden.rule))
    try session.run()
    for (index, expected) in try #require(golden.outputs).enumerated() {
      #expect(session.outputs[index].shape == expected.shape)
      #expect(session.outputs[index].elementType.description == expected.dtype ?? "float32")
      let actual = try rawValues(session, index)
      let tolerance = expected.dtype ?? "float32" == "float32" ? floatTolerance : quantizedTolerance
      if let values = expected.values {
        #expect(actual.count == values.count)
        for (a, b) in zip(actual, values) { #expect(abs(a - b) <= tolerance, "\(expected.name)") }
      }
      for pair in expected.top10 ?? [] {
        #expect(abs(actual[Int(pair[0])] - pair[1]) <= tolerance, "\(expected.name)[\(Int(pair[0]))]")
      }
      for (row, values) in expected.topRows ?? [:] {
        let start = try #require(Int(row)) * values.count
        for (offset, value) in values.enumerated() {
          // Coordinates in pixels have five significant digits in the golden file.
          let slack = max(tolerance, abs(value) * 1e-5)
          #expect(abs(actual[start + offset] - value) <= slack, "\(expected.name)[\(row)][\(offset)]")
        }
      }
    }
  }

  private func fill(_ session: Session, with file: String, rule: String) throws {
    let image = try EncodedImage(path: SharedData.path(file)).decode(scaledFor: .full)
    let shape = session.inputs[0].shape
    var spec = ImageTensorSpec(size: PixelSize(width: shape[2], height: shape[1]))
    switch rule {
    case "RGB uint8 as is": break
    case "RGB v-128": spec.elementType = .int8
    case "RGB (v-127.5)/127.5":
      spec.elementType = .float32
      spec.normalization = .init(mean: [127.5], standardDeviation: [127.5])
    case "BGR float 0..255, no letterbox":
      spec.elementType = .float32
      spec.channelOrder = .bgr
    default: Issue.record("unknown rule '\(rule)'")
    }
    unsafe try session.withUnsafeInputBytes(0) { bytes throws(ImageError) in
      unsafe _ = try image.write(spec: spec, into: bytes, scratch: TensorScratch())
    }
  }

  private func rawValues(_ session: Session, _ index: Int) throws -> [Float] {
    switch session.outputs[index].elementType {
    case .uint8: try session.read(output: index, as: UInt8.self).map(Float.init)
    case .int8: try session.read(output: index, as: Int8.self).map(Float.init)
    default: try session.read(output: index, as: Float.self)
    }
  }
}

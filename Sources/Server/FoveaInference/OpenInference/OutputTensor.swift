// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaFormats
import FoveaRuntime
import FoveaCore

/// An output tensor of the Open Inference Protocol.
struct OutputTensor: Sendable {
  /// The values of a tensor.
  enum Values: Sendable {
    case floats([Float])
    case integers([Int32])
    case texts([String])
    /// The elements of a model's own tensor, little endian.
    case elements(ElementType, [UInt8])
  }

  let name: String
  let shape: [Int]
  let values: Values

  var type: String {
    switch values {
    case .floats: "FP32"
    case .integers: "INT32"
    case .texts: "BYTES"
    case .elements(let type, _): type.protocolName
    }
  }

  /// Returns the outputs of ``ImageInterface``: a row for each object or label in all images.
  ///
  /// Boxes are x1, y1, x2, y2 in pixels of the upright image; a whole image's label has the image as its box.
  static func tensors(of records: [DetectionRecord]) -> [OutputTensor] {
    var boxes: [Float] = []
    var scores: [Float] = []
    var classes: [Int32] = []
    var labels: [String] = []
    var images: [Int32] = []
    for (index, record) in records.enumerated() {
      guard let findings = record.findings else { continue }
      for object in findings.objects {
        boxes += [object.box.minX, object.box.minY, object.box.maxX, object.box.maxY].map { Float($0) }
        scores.append(object.score)
        classes.append(Int32(clamping: object.labels.first?.index ?? -1))
        labels.append(object.className)
        images.append(Int32(clamping: index))
      }
      guard case .labels(let found) = findings.content else { continue }
      for label in found {
        boxes += [0, 0, Float(findings.size.width), Float(findings.size.height)]
        scores.append(label.confidence)
        classes.append(Int32(clamping: label.index))
        labels.append(label.text ?? "")
        images.append(Int32(clamping: index))
      }
    }
    let count = scores.count
    return [
      OutputTensor(name: "boxes", shape: [count, 4], values: .floats(boxes)),
      OutputTensor(name: "scores", shape: [count], values: .floats(scores)),
      OutputTensor(name: "classes", shape: [count], values: .integers(classes)),
      OutputTensor(name: "labels", shape: [count], values: .texts(labels)),
      OutputTensor(name: "image_index", shape: [count], values: .integers(images)),
    ]
  }

  /// Returns the approximate number of bytes of its values in an answer.
  func size(isBinary: Bool) -> Int {
    switch values {
    case .floats(let values): values.count * (isBinary ? 4 : 12)
    case .integers(let values): values.count * (isBinary ? 4 : 12)
    case .texts(let values): values.reduce(0) { $0 + $1.utf8.count + 4 }
    case .elements(_, let bytes): bytes.count * (isBinary ? 1 : 4)
    }
  }

  /// The values as bytes, little endian; each string is preceded by its length.
  var bytes: [UInt8] {
    switch values {
    case .floats(let values): values.flatMap { TensorNumbers.littleEndian($0.bitPattern) }
    case .integers(let values): values.flatMap { TensorNumbers.littleEndian($0) }
    case .texts(let values):
      values.flatMap { TensorNumbers.littleEndian(UInt32(clamping: $0.utf8.count)) + Array($0.utf8) }
    case .elements(_, let bytes): bytes
    }
  }

  /// Writes the tensor with its values, or with the number of bytes that follow the JSON.
  /// - Returns: Whether JSON can represent the values.
  func append(to json: inout JSONText, byteCount: Int?) -> Bool {
    json.member("name", name)
    json.member("datatype", type)
    json.member("shape", shape)
    if let byteCount {
      json.member("parameters") { $0.member("binary_data_size", byteCount) }
      return true
    }
    switch values {
    case .floats(let values): json.member("data", values) { $0.literal(Double($1)) }
    case .integers(let values): json.member("data", values.map { Int($0) })
    case .texts(let values): json.member("data", values)
    case .elements(let type, let bytes): return TensorNumbers.append(bytes, of: type, to: &json)
    }
    return true
  }
}
#endif

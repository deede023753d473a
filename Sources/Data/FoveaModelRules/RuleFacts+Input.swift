// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

extension RuleFacts {
  /// Rules 1 to 8, on the input image.
  var inputRules: [CompatibilityRule] {
    [oneInput, fourDimensions, oneImage, size, elementType, colors, normalization, normalizationValues]
  }

  private var input: TensorDescription? { signature.inputs.first }
  private var inputText: String { input.map { "the input is \($0)" } ?? "there is no input" }
  /// Returns the result for rules about a single input if there are several; nil if there is one.
  private func skipped(_ rule: RuleTitle) -> CompatibilityRule? {
    graph.inputCount == 1 || stateCount > 0 ? nil : rule.notApplicable("there are \(graph.inputCount) inputs")
  }
  /// The image shape of the input; nil if it is not an image.
  private var image: ImageShape? { input.flatMap { ImageShape($0.shape) } }
  /// Whether channels are separate planes, as PyTorch's converters leave them.
  private var isPlanar: Bool { image?.isPlanar == true }

  private var oneInput: CompatibilityRule {
    let rule = RuleTitle("1", "One subgraph with one input, and metadata for exactly one")
    guard graph.inputCount == 1 else {
      return rule.broken(
        accepted: stateCount > 0,
        "there are \(graph.inputCount) inputs, expected 1: "
          + signature.inputs.map(\.description).joined(separator: ", "),
        .invalidInputCount, "Models are assumed to have a single input.",
        remedy: stateCount > 0
          ? "For ML Kit, export the model without memory"
          : "Export the part of the model from the image to the result")
    }
    if let described = metadata?.subgraphs.first?.inputs.count, described != 1 {
      return rule.broken(
        accepted: false, "the metadata describes \(described) inputs, but the model has 1",
        .invalidInputCount,
        "Models are assumed to have a single input TensorMetadata.",
        remedy: "Write the metadata again: \(term: .addMetadata("FILE --output NEW"))")
    }
    guard graph.subgraphCount == 1 else {
      return rule.broken(
        accepted: true, "there are \(graph.subgraphCount) subgraphs, expected 1", .invalidSubgraphCount,
        remedy: "For ML Kit, export the model without control flow (if, while)")
    }
    return rule.passed("one of each")
  }

  private var fourDimensions: CompatibilityRule {
    let rule = RuleTitle("2", "The input has four dimensions, [batch, height, width, channels]")
    if let skipped = skipped(rule) { return skipped }
    guard input?.shape.count == 4 else {
      return rule.broken(
        accepted: image != nil, "\(inputText), expected [1, height, width, 3]", .invalidInputDimensions,
        "Only 4D tensors in BHWD layout are supported.", remedy: Self.exportImageInput)
    }
    return rule.passed(inputText)
  }

  private var oneImage: CompatibilityRule {
    let rule = RuleTitle("3", "The input is one image of three channels")
    if let skipped = skipped(rule) { return skipped }
    guard let shape = input?.shape, shape.count == 4 else { return rule.notApplicable("see rule 2") }
    guard shape[0] == 1, shape[3] == 3 else {
      return rule.broken(
        accepted: image != nil, "\(inputText), expected [1, height, width, 3]",
        .invalidInputDimensions,
        "The input tensor should have dimensions 1 x height x width x 3. Got "
          + "\(shape.map(String.init).joined(separator: " x ")).",
        remedy: isPlanar
          ? "For ML Kit, export the model with channels last (NHWC)" : Self.exportImageInput)
    }
    return rule.passed("\(shape)")
  }

  private var size: CompatibilityRule {
    let rule = RuleTitle("4", "Height and width are above 0, and the size in bytes matches the pixels")
    if let skipped = skipped(rule) { return skipped }
    guard let input, input.shape.count == 4 else { return rule.notApplicable("see rule 2") }
    guard input.elementType != .string else { return rule.notApplicable("see rule 5") }
    let sides = image.map { [$0.height, $0.width] } ?? Array(input.shape[1...2])
    guard !sides.contains(-1) else {
      return rule.broken(
        accepted: false, "\(inputText): ML Kit accepts an open size, but Fovea needs a fixed one", nil,
        remedy: "Export the model with a fixed size, in Keras: keras.Input((224, 224, 3))")
    }
    guard sides.allSatisfy({ $0 > 0 }), input.byteCount != nil else {
      return rule.broken(
        accepted: false, "\(inputText), expected a height and a width above 0", .invalidInputSize,
        "The input size in bytes does not correspond to the expected number of pixels.",
        remedy: Self.exportImageInput)
    }
    return rule.passed("\(sides.last ?? 0) × \(sides.first ?? 0) pixels, \(input.byteCount ?? 0) bytes")
  }

  private var elementType: CompatibilityRule {
    let rule = RuleTitle("5", "The input is uint8 or float32")
    if let skipped = skipped(rule) { return skipped }
    guard let input else { return rule.notApplicable("there is no input") }
    guard [.uint8, .float32].contains(input.elementType) else {
      return rule.broken(
        accepted: [.int8, .int32].contains(input.elementType),
        "the input is \(input.elementType), expected uint8 or float32",
        .invalidInputType,
        "Type mismatch for input tensor \(input.name). Requested one of these types: "
          + "kTfLiteUint8/kTfLiteFloat32, got \(input.elementType.description.uppercased()).",
        remedy: "Convert the model again: converter.inference_input_type = tf.uint8")
    }
    return rule.passed("\(input.elementType)")
  }

  private var colors: CompatibilityRule {
    let rule = RuleTitle("6", "The colour space in the metadata, if any, is RGB")
    if let skipped = skipped(rule) { return skipped }
    switch metadata?.inputs.first?.content {
    case nil: return rule.passed("the metadata names no colour space, which means RGB")
    case .image(.rgb, _): return rule.passed("RGB")
    case .image(let space, _):
      return rule.broken(
        accepted: space == .unknown || space == .grayscale && image?.isGrey == true,
        "the metadata declares \(space), expected RGB", .invalidArgument,
        "Only RGB color space is supported for now.",
        remedy: "Write the metadata again: \(term: .addMetadata("FILE --output NEW"))")
    case .features?, .boundingBoxes?, .other?:
      return rule.broken(
        accepted: true, "the metadata describes an input that is not an image", .invalidContentProperties,
        "Expected ImageProperties for tensor \(metadata?.inputs.first?.name ?? "#0")",
        remedy: "Write the metadata again: \(term: .addMetadata("FILE --output NEW"))")
    }
  }

  private static let exportImageInput: Advice =
    "Export the model with one input [1, height, width, 3] of uint8 or float32"
}

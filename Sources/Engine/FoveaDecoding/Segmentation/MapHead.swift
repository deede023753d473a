// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaRuntime

/// The output of a segmentation model: a class, a probability or scores for each cell of a map.
package struct MapHead: Sendable, Hashable {
  /// The conversion of numbers to probabilities.
  enum Probabilities: Sendable, Hashable {
    /// None: the numbers are classes.
    case unknown
    /// None: the numbers are probabilities.
    case asIs
    /// A sigmoid of each number.
    case sigmoid
    /// A softmax of each cell.
    case softmax
    /// None if the numbers of each cell are probabilities that add up to 1, otherwise a softmax.
    case byValue
  }

  package let family: MapFamily
  package let layout: MapLayout
  /// The output in words.
  package let output: String
  let probabilities: Probabilities

  /// The number of classes; nil for class numbers, whose labels decide.
  package var classCount: Int? {
    switch family.numbers {
    case .classes: nil
    case .foreground: 2
    case .scores: layout.channels
    }
  }

  /// Recognises a segmentation model by its tensors; nil for other models.
  /// - Parameters:
  ///   - signature: The tensors with their shapes at run time.
  ///   - ends: The last operation of the graph for each output, by name.
  ///   - labelCount: The number of labels of the model.
  ///   - task: The task that the exporter names.
  package init?(
    of signature: ModelSignature, ends: [String: OutputActivation], labelCount: Int?, task: String?
  ) {
    guard let (image, output) = Self.tensors(signature) else { return nil }
    let readings = MapLayout.readings(of: output.shape, planarFirst: image.isPlanar)
    for layout in readings where layout.fits(image) && layout.isWithinLimits {
      for family in MapFamily.all where family.task == nil || family.task == task {
        let end = ends[output.name]
        guard family.takes(layout, output, end), !Self.isOpen(layout, image, end, labelCount, task) else {
          continue
        }
        self.init(family, layout, output, end)
        return
      }
    }
    return nil
  }

  /// Reads the output as the caller asks.
  /// - Parameters:
  ///   - family: The family that the caller names.
  ///   - modelName: The model's name in errors.
  ///   - signature: The tensors with their shapes at run time.
  ///   - ends: The last operation of the graph for each output, by name.
  /// - Throws: `familyMismatch` if the output is not one of the family, or too large.
  package init(
    asked family: MapFamily, modelName: String, signature: ModelSignature, ends: [String: OutputActivation]
  ) throws(DetectionError) {
    if let (image, output) = Self.tensors(signature) {
      let readings = MapLayout.readings(of: output.shape, planarFirst: image.isPlanar)
      // Sides that fit the image leave no doubt about the order, even if the map is too large.
      let fitting = readings.filter { $0.fits(image) }
      let possible = (fitting.isEmpty ? readings : fitting).filter { family.takes(channels: $0.channels) }
      let isOfClasses = Self.holdsIntegers(output)
      if isOfClasses == (family.numbers == .classes),
        let layout = possible.first(where: { !fitting.isEmpty && $0.isWithinLimits }) ?? possible.first
      {
        guard layout.isWithinLimits else {
          throw DetectionError(
            .familyMismatch,
            "'\(modelName)' outputs a map, \(output), which is too large: \(MapLayout.limits)",
            remedy: MapLayout.limitsRemedy)
        }
        self.init(family, layout, output, ends[output.name])
        return
      }
    }
    let outputs = signature.outputs.map(\.description).joined(separator: ", ")
    throw DetectionError(
      .familyMismatch,
      "'\(modelName)' is not of the family '\(family)', which has \(family.rule); its outputs are \(outputs)",
      remedy: "Leave out \(option: "family"), or give another one")
  }

  private init(
    _ family: MapFamily, _ layout: MapLayout, _ output: TensorDescription, _ end: OutputActivation?
  ) {
    self.family = family
    self.layout = layout
    self.output = output.description
    probabilities =
      switch (family.numbers, end) {
      case (.classes, _): .unknown
      case (.foreground, .linear): .sigmoid
      case (.foreground, _), (.scores, .sigmoid), (.scores, .softmax): .asIs
      case (.scores, .linear): .softmax
      case (.scores, _): .byValue
      }
  }

  private static func tensors(_ signature: ModelSignature) -> (ImageShape, TensorDescription)? {
    guard signature.inputs.count == 1, signature.outputs.count == 1, let output = signature.outputs.first,
      let image = ImageShape(signature.inputs[0].shape), image.isFixed
    else { return nil }
    return (image, output)
  }

  /// True if something else could have this output: three numbers are a pixel's colours, and 21 small maps
  /// are also those of a hand's points.
  private static func isOpen(
    _ layout: MapLayout, _ image: ImageShape, _ end: OutputActivation?, _ labelCount: Int?, _ task: String?
  ) -> Bool {
    guard labelCount != layout.channels, end != .softmax, task == nil else { return false }
    if layout.channels == 3 { return true }
    return layout.channels == 21 && layout.columns < image.width && layout.rows < image.height
  }

  /// True for a tensor of whole numbers that are not quantised.
  static func holdsIntegers(_ output: TensorDescription) -> Bool {
    guard case .none = output.quantization else { return false }
    return [.int64, .int32, .int16, .uint8].contains(output.elementType)
  }
}

extension MapFamily {
  /// Whether a map of the family can have so many channels, if more than Fovea reads are allowed.
  func takes(channels count: Int) -> Bool { channels.contains(min(count, Self.maximumClasses)) }

  /// Whether an output with these sides is one of the family.
  func takes(_ layout: MapLayout, _ output: TensorDescription, _ end: OutputActivation?) -> Bool {
    guard channels.contains(layout.channels) else { return false }
    let isInteger = MapHead.holdsIntegers(output)
    return switch numbers {
    case .classes: isInteger
    case .foreground: !isInteger && (end == .sigmoid || ClassifierHead.holdsProbabilities(output))
    case .scores: !isInteger
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaTraining

/// The figures of a quantised model as text and JSON.
struct QuantizationReport {
  let made: QuantizedModel
  /// The names of the float model and of the int8 model, as given.
  let input: String
  let output: String
  /// The description of the model that was given, which its int8 form needs, too.
  var model = ObjectDetector.Options()

  private static let shownLayers = 3

  /// The report for people.
  var text: String {
    var lines = [
      "\(input.printable): \(DecimalText.counted(made.layers.count, "layer", "layers")), "
        + "\(DecimalText.counted(made.tailCount, "operator", "operators")) of the decoding stay float",
      "\(DecimalText.counted(made.photoCounts.calibration, "photo", "photos")) chose the ranges, "
        + "\(made.photoCounts.compared) compared",
    ]
    if !made.chosenLayers.isEmpty { lines.append(chosenLayers) }
    if made.smallLayerCount > 0 {
      let layers = DecimalText.counted(made.smallLayerCount, "small layer", "small layers")
      lines.append("\(layers) between float operators also in float: converting would take longer")
    }
    lines += islands
    lines += made.comparison.rows.map { $0.joined(separator: "  ") }
    if made.isSlow { lines.append("slower, or hardly faster, than the float model: keep that one for speed") }
    lines.append("\(output.printable) written; use it: \(use)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The command that uses the model, with those of the given options that it has.
  private var use: String {
    let (command, options) =
      switch made.comparison.task {
      case .detection: ("detect", ["labels", "normalize", "family", "activation", "background"])
      case .labeling: ("label", ["labels", "normalize", "activation"])
      case .segmentation: ("segment", ["labels", "normalize"])
      case .embedding, .numbers: ("embed", ["normalize"])
      }
    let given = [
      "labels": model.labelFile?.shellPath, "normalize": model.normalization?.optionText,
      "family": model.family?.name, "activation": model.scoreActivation?.rawValue,
      "background": model.hasBackgroundClass.map { ($0 ? BackgroundArgument.first : .none).rawValue },
    ]
    return CommandText.use(
      command, [("model", output.shellPath)] + options.map { (name: $0, value: given[$0] ?? nil) })
  }

  /// A line for each reason why operators are float in any case.
  private var islands: [String] {
    var groups: [(text: String, names: [String])] = []
    for island in made.islands {
      let name = "\(island.count) × \(island.name)"
      if groups.last?.text == island.reasonText {
        groups[groups.count - 1].names.append(name)
      } else {
        groups.append((island.reasonText, [name]))
      }
    }
    return groups.map { "\($0.text) stay float: " + $0.names.joined(separator: ", ") }
  }

  private var chosenLayers: String {
    let layers = made.chosenLayers
    let shown = layers.prefix(Self.shownLayers).map { layer in
      "\(layer.name.printable) (\(Quantizer.percent(layer.share)) of the error)"
    }
    let more = layers.count > Self.shownLayers ? " and \(layers.count - Self.shownLayers) more" : ""
    return "\(DecimalText.counted(layers.count, "layer stays", "layers stay")) float: "
      + shown.joined(separator: ", ") + more
  }

  /// All figures as one line of JSON.
  var json: String {
    JSONText.line(capacity: 4096) { json in
      json.member("schema", "quantize/1")
      json.member("input", input)
      json.member("output", output)
      made.appendMembers(to: &json)
    }
  }
}

extension SmallerWeights {
  private static let shownNames = 3

  /// The report for people.
  func text(output: String) -> String {
    let sizes = "\(DecimalText.bytes(originalByteCount)) -> \(DecimalText.bytes(bytes.count))"
    let written = "\(output.printable) written: weights as \(form.rawValue), \(sizes), no faster\n"
    guard !floatWeights.isEmpty else { return written }
    let count = floatWeights.count
    let names = floatWeights.prefix(Self.shownNames).map(\.printable).joined(separator: ", ")
    let more = count > Self.shownNames ? " and \(count - Self.shownNames) more" : ""
    return written + "\(DecimalText.counted(count, "tensor stays", "tensors stay")) float32, as "
      + "\(form.rawValue) cannot hold \(count == 1 ? "its" : "their") numbers: \(names)\(more)\n"
  }

  /// All figures as one line of JSON.
  var json: String {
    JSONText.line(capacity: 256) { json in
      json.member("schema", "quantize/1")
      json.member("weights", form.rawValue)
      json.member("bytes") { json in
        json.member("first", originalByteCount)
        json.member("second", bytes.count)
      }
      json.key("floatWeights")
      json.array(floatWeights) { $0.string($1) }
    }
  }
}

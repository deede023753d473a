// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension ModelReport {
  /// The report as readable text.
  package var text: String {
    var text = path.printable + "\n"
    var facts = [["family", (family ?? "not recognised") + (reason.map { " (\($0.printable))" } ?? "")]]
    if !finds.isEmpty { facts.append(["finds", finds.joined(separator: " and ")]) }
    facts += [
      ["size", "\(DecimalText.grouped(fileSize)) bytes"],
      ["sha256", sha256],
    ]
    if let labels {
      facts.append(["labels", ModelReport.text(of: labels)])
      if let reading = labels.reading { facts.append(["label file", ModelReport.text(reading, of: labels)]) }
    }
    if let metadata { facts += metadata.rows }
    if let operators { facts.append(["operators", operators.map(\.printable).joined(separator: ", ")]) }
    if let input { facts += input.rows }
    if let confidences { facts.append(["scores", confidences.text(hasLabels: labels != nil)]) }
    switch testRun {
    case .notAsked: break
    case .impossible: facts.append(["run", "not possible without text"])
    case .done(let run): facts.append(["run", run.text])
    case .failed: facts.append(["run", "failed"])
    }
    text += TextTable.text(facts, leftAligned: [0, 1], indent: "  ")
    text += ModelReport.text(of: inputs, titled: "inputs")
    text += ModelReport.text(of: outputs, titled: "outputs")
    // A model without signatures has one without a key, which only repeats the tensors above.
    let named = signatures.filter { !$0.key.isEmpty }
    if !named.isEmpty {
      text += "  signatures\n"
      for signature in named {
        text += "    \(signature.key.printable): "
        text += signature.inputs.map(\.printable).joined(separator: ", ") + " → "
        text += signature.outputs.map(\.printable).joined(separator: ", ") + "\n"
      }
    }
    if !notes.isEmpty {
      text += "  notes\n"
      for note in notes { text += "    \(note.printable)\n" }
    }
    if !needs.isEmpty {
      text += "  needed\n"
      for need in needs { text += "    \(need.printable)\n" }
    }
    return text
  }

  /// Returns the first names of `count` labels, each with at most 80 characters: a damaged file may have a
  /// label of megabytes.
  static func list(_ names: [String], of count: Int, most: Int) -> String {
    let first = names.prefix(most)
    let texts = first.map { name in
      let start = name.prefix(80)
      return String(start).printable + (start.endIndex < name.endIndex ? "…" : "")
    }
    return texts.joined(separator: ", ") + (count > first.count ? ", …" : "")
  }

  private static func text(of labels: Labels) -> String {
    var text = DecimalText.grouped(labels.count)
    // Enough names to recognise the labels; --json lists all.
    if !labels.names.isEmpty { text += ": " + list(labels.names, of: labels.count, most: 10) }
    if !labels.locales.isEmpty {
      text += " (locales: \(labels.locales.map(\.printable).joined(separator: ", ")))"
    }
    return text
  }

  /// Returns the form of a label file, its number of labels, and the number of classes.
  private static func text(_ reading: String, of labels: Labels) -> String {
    let classes =
      labels.classCount.map { DecimalText.counted($0, "class", "classes") } ?? "an unknown number of classes"
    return "\(reading): \(DecimalText.counted(labels.count, "label", "labels")) for \(classes)"
  }

  private static func text(of tensors: [Tensor], titled title: String) -> String {
    let rows = tensors.enumerated().map { index, tensor in
      [
        String(index), tensor.name.printable, tensor.type, "\(tensor.shape)",
        tensor.quantization.map(ModelReport.text) ?? "",
      ]
    }
    return "  \(title)\n" + TextTable.text(rows, leftAligned: [0, 1, 2, 3, 4], indent: "    ")
  }

  private static func text(of quantization: Tensor.Quantization) -> String {
    if quantization.channels > 1 { return "\(quantization.channels) channels quantised" }
    return "× \(quantization.scale), zero \(quantization.zeroPoint)"
  }
}

extension ModelReport.Run {
  fileprivate var text: String {
    let time = "\((milliseconds * 10).rounded() / 10) ms"
    return time + (peakMemory.map { ", at most \(($0 + 524_288) >> 20) MiB of memory" } ?? "")
  }
}

extension ModelReport.Confidences {
  fileprivate func text(hasLabels: Bool) -> String {
    let done =
      switch source {
      case "values" where activation == "none":
        "unchanged, an error unless all are 0 to 1 (\(hasLabels ? "the labels do not fit" : "no labels"))"
      case "values": "unchanged if all are 0 to 1, otherwise \(activation) (assumed)"
      default: activation == "none" ? "unchanged (\(source))" : "\(activation) (\(source))"
      }
    return done + (isBinary ? ", of the second of two classes" : "")
  }
}

extension ModelReport.Metadata {
  fileprivate var rows: [[String]] {
    var rows: [[String]] = []
    for (name, value) in [
      ("name", name), ("description", description), ("version", version), ("author", author),
      ("license", license),
    ] {
      if let value, !value.isEmpty { rows.append([name, value.printable]) }
    }
    if let threshold { rows.append(["threshold", "\(threshold)"]) }
    return rows
  }
}

extension ModelReport.Input {
  fileprivate var rows: [[String]] {
    let fit =
      letterbox.map { place in
        "letterbox, \(place == "center" ? "centred" : "top left"), bars of \(padding ?? 0) (family)"
      } ?? (isCropped ? "centre crop (family)" : "stretched (family)")
    var rows = [["image", fit + (isGrey ? ", grey" : isBGR ? ", blue-green-red (family)" : "")]]
    if let normalizationSource {
      rows.append([
        "normalise",
        "mean \(mean.map(\.description).joined(separator: ", ")), deviation "
          + standardDeviation.map(\.description).joined(separator: ", ") + " (\(normalizationSource))",
      ])
    } else {
      rows.append(["normalise", "raw pixels"])
    }
    return rows
  }
}

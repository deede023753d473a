// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaDecoding
package import FoveaGeometry

/// An option with its name in command lines, C, server calls and configuration files.
package struct NamedOption: Sendable {
  /// The objects that options apply to; raw values are their names in errors.
  package enum User: String, Sendable {
    case detector = "a detector"
    case labeler = "a labeler"
    case segmenter = "a segmenter"
    case embedder = "an embedder"
    case tracker = "a tracker"
    case quantizer = "a quantisation"
    case comparison = "a comparison"
  }

  package typealias Setter<Value> = @Sendable (inout NamedOptions, Value) -> Void

  /// The type of the value, with its setter.
  package enum Kind: Sendable {
    case flag(Setter<Bool>)
    case count(Setter<Int>)
    /// A score or an overlap.
    case fraction(Setter<Float>)
    case number(Setter<Double>)
    case text(Setter<String>)
    case labels(Setter<[String]>)
    case normalization(Setter<Normalization>)
    case family(Setter<DetectorFamily>, maps: Setter<MapFamily>)
    case choice([String], Setter<String>)
  }

  package let name: String
  package let users: Set<User>
  package let kind: Kind

  init(_ name: String, _ users: Set<User>, _ kind: Kind) {
    self.name = name
    self.users = users
    self.kind = kind
  }

  /// Returns the option with a name; nil for an unknown one.
  package static func named(_ name: String) -> NamedOption? { all.first { $0.name == name } }

  /// Reads a value; the options that it is set in verify its range.
  func read(_ value: OptionValue, into options: inout NamedOptions) throws(OptionProblem) {
    func checked<Read>(
      _ read: Read?, _ expected: String, _ remedy: Advice? = nil
    ) throws(OptionProblem) -> Read {
      guard let read else {
        throw OptionProblem(
          name: name, value: value.text, expected: expected, remedy: remedy ?? "Give \(expected)")
      }
      return read
    }
    switch kind {
    case .flag(let set): set(&options, try checked(value.flag, "true or false"))
    case .count(let set): set(&options, try checked(value.wholeNumber, "a whole number"))
    case .fraction(let set): set(&options, Float(try checked(value.number, "a number")))
    case .number(let set): set(&options, try checked(value.number, "a number"))
    case .text(let set):
      let text = value.text.isEmpty ? nil : value.text
      set(&options, try checked(text, "a string", "Give one, or remove the option"))
    case .labels(let set):
      let remedy: Advice = "Separate labels by commas, or write one per line, without empty ones"
      set(&options, try checked(value.labels, "labels", remedy))
    case .normalization(let set):
      let expected = "a mean and a deviation above 0, or three of each"
      let remedy: Advice =
        "Give \(expected): 0,255 for pixels 0…1; 127.5,127.5 for −1…1; 0,1 for 0…255"
      set(&options, try checked(value.normalization, expected, remedy))
    case .family(let set, let setMaps):
      if let family = MapFamily(name: value.text) { return setMaps(&options, family) }
      let names = DetectorFamily.all.map(\.name) + MapFamily.all.map(\.name)
      let families: Advice = "The families are \(names.joined(separator: ", "))"
      set(&options, try checked(DetectorFamily(name: value.text), "a family", families))
    case .choice(let words, let set):
      let word = words.contains(value.text) ? value.text : nil
      set(&options, try checked(word, words.joined(separator: ", "), "Use one of these"))
    }
  }
}

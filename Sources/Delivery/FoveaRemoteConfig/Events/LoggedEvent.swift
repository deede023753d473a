// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// An event to store and send.
struct LoggedEvent: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case exposure(experiment: String, variant: String)
    case metric(name: String, value: Double)
  }

  let id: String
  let kind: Kind
  let unit: String
  let time: String

  init(_ kind: Kind, unit: String, in surroundings: Surroundings) {
    id = Hexadecimal.random(byteCount: 16)
    self.kind = kind
    self.unit = unit
    time = HTTPDate.service(milliseconds: Int(surroundings.now() * 1_000))
  }

  /// - Throws: `invalidOption`.
  func check() throws(ConfigError) {
    var texts = [("unit", unit)]
    switch kind {
    case .exposure(let experiment, let variant):
      texts += [("experiment", experiment), ("variant", variant)]
    case .metric(let name, let value):
      texts.append(("name", name))
      guard value.isFinite else {
        throw ConfigError(
          .invalidOption, "The value of '\(name.printable)' is \(value)", remedy: "Log a finite number")
      }
    }
    for (name, text) in texts where text.isEmpty || text.utf8.count > 256 {
      throw ConfigError(
        .invalidOption, "The \(name) of an event has \(text.utf8.count) bytes instead of 1 to 256",
        remedy: "Use a shorter text")
    }
  }

  /// The event as one line of JSON, without a newline.
  var json: String {
    JSONText.text { json in
      json.member("id", id)
      switch kind {
      case .exposure(let experiment, let variant):
        json.member("kind", "exposure")
        json.member("experiment", experiment)
        json.member("unit", unit)
        json.member("variant", variant)
      case .metric(let name, let value):
        json.member("kind", "metric")
        json.member("name", name)
        json.member("unit", unit)
        json.key("value")
        json.literal(value)
      }
      json.member("time", time)
    }
  }
}

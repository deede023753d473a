// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// Variants and their weights in the form of the command line: `1:50,2:50`.
package struct WeightedVariants: Sendable, Equatable {
  package struct Item: Sendable, Equatable {
    /// A version of a model, or the id of a variant that sets parameters.
    package let name: String
    package let weight: Int
  }

  package let items: [Item]

  /// Nil for a malformed list; spaces around its parts are ignored.
  package init?(_ text: String) {
    var items: [Item] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let part = String(part).trimmingBlanks
      guard let colon = part.lastIndex(of: ":"), colon > part.startIndex,
        let weight = Int(part[part.index(after: colon)...])
      else { return nil }
      items.append(Item(name: String(part[..<colon]), weight: weight))
    }
    self.items = items
  }

  /// Returns the variants of an experiment on versions of a model.
  /// - Throws: `invalid` for a name that is not a version number.
  package func versions() throws(HostError) -> [ExperimentDraft.Variant] {
    var variants: [ExperimentDraft.Variant] = []
    for item in items {
      guard let version = Int(item.name) else {
        throw HostError(
          .invalid, "The variant \(HostName.shown(item.name)) is not a version of a model",
          remedy: "Give versions and weights, for example 1:50,2:50")
      }
      variants.append(ExperimentDraft.Variant(weight: item.weight, version: version))
    }
    return variants
  }

  /// Returns the variants of an experiment on parameters.
  /// - Parameter parameters: The parameters of each variant, by its id.
  /// - Returns: The variants, in the order of the list.
  /// - Throws: `invalid` for parameters of a variant that is not in the list.
  package func variants(
    setting parameters: [String: [String: String]]
  ) throws(HostError) -> [ExperimentDraft.Variant] {
    if let unknown = parameters.keys.sorted().first(where: { id in !items.contains { $0.name == id } }) {
      throw HostError(
        .invalid, "The parameters are for \(HostName.shown(unknown)), which is not a variant",
        remedy: "Add it to the list of variants, or remove its parameters")
    }
    return items.map {
      ExperimentDraft.Variant(id: $0.name, weight: $0.weight, parameters: parameters[$0.name])
    }
  }

  /// Reads the parameters of variants: `{"VARIANT": {"PARAMETER": "VALUE"}}`.
  /// - Throws: `invalid`; messages begin with `name`.
  package static func parameters(
    _ bytes: [UInt8], name: String
  ) throws(HostError) -> [String: [String: String]] {
    do throws(JSONFailure) {
      return try JSONValue.decode([String: [String: String]].self, from: bytes)
    } catch {
      throw HostError(
        .invalid,
        "\(name) is not a list of parameters: \(error.reason)"
          + (error.path.isEmpty ? "" : " at \(error.path)"),
        remedy: "Write {\"VARIANT\": {\"PARAMETER\": \"VALUE\"}}")
    }
  }
}
#endif

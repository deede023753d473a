// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The answer to a fetch.
///
/// **Source:** REST interface of Remote Config's clients, `namespaces.fetch`.
struct FetchAnswer: Decodable {
  private struct Experiment: Decodable {
    var experimentId: String?
    var variantId: String?
    var affectedParameterKeys: [String]?
  }

  private var state: String?
  private var entries: [String: String]?
  private var templateVersion: String?
  private var experimentDescriptions: [Experiment]?

  /// The maximum size of an answer in bytes.
  static let limit = 8 << 20

  /// Returns the configuration in an answer.
  /// - Parameters:
  ///   - body: The JSON text.
  ///   - tag: The value of the header `ETag`.
  ///   - present: The configuration of the previous fetch.
  /// - Returns: The configuration, which is `present` with a new version if nothing changed.
  /// - Throws: `invalidAnswer`.
  static func config(
    _ body: [UInt8], tag: String?, present: ConfigRecord.Config?
  ) throws(ConfigError) -> ConfigRecord.Config {
    let answer: FetchAnswer
    do throws(JSONFailure) { answer = try JSONValue.decode(FetchAnswer.self, from: body) } catch {
      throw invalid(error.located)
    }
    switch answer.state {
    case "NO_CHANGE":
      guard var present else { throw invalid("'state' is NO_CHANGE, and nothing was fetched before") }
      present.version = answer.templateVersion.flatMap { Int($0) } ?? present.version
      return present
    case "UPDATE", "NO_TEMPLATE", "EMPTY_CONFIG": break
    default:
      throw invalid("'state' is '\(answer.state?.printable ?? "missing")'")
    }
    var config = ConfigRecord.Config()
    config.tag = tag.flatMap { isHeader($0) ? $0 : nil }
    config.version = answer.templateVersion.flatMap { Int($0) } ?? 0
    if answer.state == "UPDATE" {
      guard let entries = answer.entries else { throw invalid("'entries' is missing") }
      config.entries = entries
    }
    config.variants = (answer.experimentDescriptions ?? []).compactMap { item in
      guard let experiment = item.experimentId, let variant = item.variantId else { return nil }
      return ConfigVariant(experiment: experiment, variant: variant, keys: item.affectedParameterKeys ?? [])
    }
    return config
  }

  /// Returns whether a tag is safe to send back in a header.
  private static func isHeader(_ text: String) -> Bool {
    (1...500).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  private static func invalid(_ what: String) -> ConfigError {
    ConfigError(
      .invalidAnswer, "The host's answer is not a configuration: \(what)",
      remedy: "Check that the address in FOVEA_MODEL_HOST belongs to a host")
  }
}

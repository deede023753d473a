// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The reply to a fetch, as Firebase's clients read it.
package struct ConfigReply: Sendable, Equatable {
  package enum State: String, Sendable {
    case update = "UPDATE"
    /// The client already has this configuration; never 304, which Google's clients treat as a failure.
    case noChange = "NO_CHANGE"
    case noTemplate = "NO_TEMPLATE"
    case empty = "EMPTY_CONFIG"
  }

  package let state: State
  package let tag: String
  /// JSON.
  package let body: String

  /// The time for which a client keeps an activated experiment, in milliseconds: half a year.
  private static let lifetime = "15552000000"

  /// Creates the reply for a version of the template, 0 for none; `number` is the project's, and
  /// `ifNoneMatch` the tag of the client's configuration.
  package init(
    _ config: FetchedConfig, version: Int, project number: String, appName: String?, ifNoneMatch: String?
  ) {
    let content = JSONText.text(capacity: 2048) { ConfigReply.write(config, version: version, to: &$0) }
    let digest = SHA256.digest(of: Array(content.utf8).span)
    let sum = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    tag = "etag-\(number)-firebase-fetch-\(String(sum, radix: 16))"
    let known = ifNoneMatch?.filter { $0 != "\"" }
    state =
      if known == tag {
        .noChange
      } else if version == 0 && config.entries.isEmpty {
        .noTemplate
      } else if config.entries.isEmpty {
        .empty
      } else {
        .update
      }
    let state = state
    body = JSONText.line(capacity: 2048) { json in
      if let appName { json.member("appName", appName) }
      json.member("state", state.rawValue)
      if state == .noChange {
        json.member("templateVersion", String(version))
      } else {
        ConfigReply.write(config, version: version, to: &json)
      }
    }
  }

  private static func write(_ config: FetchedConfig, version: Int, to json: inout JSONText) {
    json.member("templateVersion", String(version))
    json.member("entries") { json in
      for entry in config.entries {
        json.key(named: entry.key)
        json.string(entry.value)
      }
    }
    if !config.experiments.isEmpty {
      json.objects("experimentDescriptions", config.experiments) { json, experiment in
        json.member("experimentId", experiment.assignment.experiment)
        json.member("variantId", experiment.assignment.variant)
        json.member("experimentStartTime", experiment.assignment.started.text)
        json.member("triggerTimeoutMillis", lifetime)
        json.member("timeToLiveMillis", lifetime)
        json.member("affectedParameterKeys", experiment.keys)
      }
    }
    if !config.rollouts.isEmpty {
      json.objects("rolloutMetadata", config.rollouts) { json, rollout in
        json.member("rolloutId", rollout.id)
        json.member("variantId", rollout.isEnabled ? "enabled" : "control")
        json.member("affectedParameterKeys", rollout.keys)
      }
    }
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes

/// What a page shows.
struct Page {
  let template: String
  let title: String
  var status = HTTPResponse.Status.ok
  /// What the template shows, by name.
  var values: [String: Any] = [:]
}

/// A part of the console, as the navigation has it.
enum PageSection: String, CaseIterable {
  case models, config, experiments, keys, audit

  var name: String {
    switch self {
    case .models: "Models"
    case .config: "Remote Config"
    case .experiments: "Experiments"
    case .keys: "Keys"
    case .audit: "Audit"
    }
  }

  var link: String { "/console/\(rawValue)" }
}

/// A time as a page shows it; the script writes it as the reader's clock has it.
struct Moment: Equatable {
  let iso: String
  /// `2026-11-23 10:42 UTC`.
  let text: String

  init(_ time: Timestamp) {
    iso = time.text
    text = "\(iso.prefix(10)) \(iso.dropFirst(11).prefix(5)) UTC"
  }
}
#endif

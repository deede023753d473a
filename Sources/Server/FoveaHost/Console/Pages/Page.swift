// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes

/// The content of a page.
struct Page {
  let template: String
  let title: String
  var status = HTTPResponse.Status.ok
  /// The values for the template, by name.
  var values: [String: Any] = [:]
}

/// A section of the console in the navigation.
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

/// A time on a page; the script converts it to the reader's time zone.
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

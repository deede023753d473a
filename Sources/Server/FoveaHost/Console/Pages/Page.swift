// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HTTPTypes

/// The content of a page.
struct Page: Sendable {
  let template: String
  let title: String
  var status = HTTPResponse.Status.ok
  /// The values for the template, by name.
  var values: [String: any Sendable] = [:]

  /// Makes the page that asks for confirmation before a change.
  /// - Parameters:
  ///   - title: The change as a question.
  ///   - question: The effect of the change.
  ///   - button: The button that makes the change.
  ///   - action: The path that the button posts the fields to.
  ///   - fields: The names and values of the form's fields.
  ///   - seen: The revision whose effect the question states; nil if it cannot change.
  ///   - destroys: Whether the change cannot be undone.
  ///   - back: The page without the change.
  /// - Returns: The page, with the question and the form.
  static func confirmation(
    _ title: String, _ question: String, button: String, action: String,
    fields: KeyValuePairs<String, String> = [:], seen: SeenRevision? = nil, destroys: Bool = false,
    back: String
  ) -> Page {
    var page = Page(template: "confirm", title: title)
    page.values["question"] = question
    page.values["button"] = button
    page.values["action"] = action
    page.values["fields"] = fields.map { ["name": $0.key, "value": $0.value] }
    page.values["seen"] = seen?.text
    page.values["destroys"] = destroys
    page.values["back"] = back
    return page
  }

  /// Returns the `message` and the `remedy` of a page as sentences: a question keeps its mark.
  static func sentences(_ message: String, _ remedy: String?) -> [String: String] {
    ["message": message.sentence, "remedy": remedy?.sentence ?? ""]
  }

  /// Returns the page of a confirmation with another sentence in its question; nil for none.
  func with(_ sentence: String?) -> Page {
    guard let sentence, let question = values["question"] as? String else { return self }
    var page = self
    page.values["question"] = "\(question) \(sentence)"
    return page
  }
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

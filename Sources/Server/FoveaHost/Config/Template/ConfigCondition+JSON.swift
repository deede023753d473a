// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ConfigCondition {
  /// The colours of Firebase's console.
  private static let colors = [
    "CONDITION_DISPLAY_COLOR_UNSPECIFIED", "BLUE", "BROWN", "CYAN", "DEEP_ORANGE", "GREEN", "INDIGO",
    "LIME", "ORANGE", "PINK", "PURPLE", "TEAL",
  ]

  /// Reads a condition of a template.
  /// - Throws: `invalid`, with the path of the member.
  init(_ json: JSONValue, namespace: ConfigNamespace, path: String) throws(HostError) {
    guard case .object = json else { throw ConfigFault.at(path, "expected an object, got \(json.kind)") }
    guard case .string(let name)? = json["name"], ConfigCondition.isName(name) else {
      throw ConfigFault.at(
        "\(path).name",
        "the name of a condition is 1 to \(ConfigLimits.name) letters, digits, spaces and -_'!%. "
          + "without spaces at either end"
      )
    }
    if let color = json["tagColor"] {
      guard case .string(let text) = color, ConfigCondition.colors.contains(text) else {
        throw ConfigFault.at("\(path).tagColor", "unknown colour")
      }
    }
    self.name = name
    self.json = json
    switch (json["expression"], json["condition"]) {
    case (.string(let text)?, nil):
      let place = "\(path).expression"
      let expression: ConfigExpression
      do throws(ExpressionFailure) { expression = try ConfigExpression(text) } catch {
        throw ConfigFault.at(place, error.text)
      }
      rule =
        namespace == .apps
        ? .expression(expression) : .server(try ServerCondition(expression, path: place))
    case (nil, let structured?) where namespace == .servers:
      rule = .server(try ServerCondition(structured, path: "\(path).condition"))
    case (let other?, nil):
      throw ConfigFault.at("\(path).expression", "expected a string, got \(other.kind)")
    case (_, .some) where namespace == .apps:
      throw ConfigFault.at(
        "\(path).condition", "templates for apps have an expression; this form is for firebase-server")
    default:
      throw ConfigFault.at(
        path, namespace == .apps ? "an expression is expected" : "a condition or an expression is expected")
    }
  }

  private static func isName(_ text: String) -> Bool {
    (1...ConfigLimits.name).contains(text.utf8.count) && text.first != " " && text.last != " "
      && text.unicodeScalars.allSatisfy { scalar in
        PatternSet.words.contains(scalar) || "- '!%.".unicodeScalars.contains(scalar)
      }
  }

  /// The condition in the form that the Admin SDKs read: never an expression.
  var jsonForServers: JSONValue {
    guard case .server(let condition) = rule, json["expression"] != nil,
      case .object(let members) = json
    else { return json }
    return .object(members.map { $0.key == "expression" ? .init("condition", condition.json) : $0 })
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaModels

extension TemplateReader {
  /// Names that every object of JavaScript has.
  private static let reserved: Set<String> = [
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString",
    "valueOf",
  ]

  static func checkKey(_ key: String, _ path: String) throws(HostError) {
    let isName =
      (1...ConfigLimits.name).contains(key.utf8.count) && !(0x30...0x39).contains(key.utf8.first ?? 0x30)
      && key.unicodeScalars.allSatisfy { PatternSet.words.contains($0) }
    guard isName else {
      throw ConfigFault.at(
        path, "a key is 1 to \(ConfigLimits.name) letters, digits and '_', and does not begin with a digit")
    }
    guard !reserved.contains(key) else {
      throw ConfigFault.at(path, "the key is a name that every object of JavaScript has")
    }
  }

  static func checkDescription(_ json: JSONValue, _ path: String) throws(HostError) {
    guard case .string(let text) = json, text.unicodeScalars.count <= ConfigLimits.name else {
      throw ConfigFault.at(
        "\(path).description", "a string of at most \(ConfigLimits.name) characters is expected")
    }
  }

  func parameter(_ member: JSONValue.Member, path: String) throws(HostError) -> ConfigParameter {
    guard case .object(let items) = member.value else {
      throw ConfigFault.at(path, "expected an object, got \(member.value.kind)")
    }
    var parameter = ConfigParameter(key: member.key)
    if let type = items.first(where: { $0.key == "valueType" }) {
      guard case .string(let name) = type.value, let known = ConfigParameter.ValueType(rawValue: name)
      else {
        throw ConfigFault.at("\(path).valueType", "STRING, BOOLEAN, NUMBER or JSON is expected")
      }
      parameter.type = known
    }
    for item in items {
      let place = "\(path).\(item.key)"
      switch item.key {
      case "defaultValue":
        parameter.standard = try TemplateValue(item.value, parameter.type, path: place)
        if case .experiment? = parameter.standard?.kind {
          throw ConfigFault.at(place, "a default value cannot come from an experiment")
        }
      case "conditionalValues":
        parameter.conditionals = try conditionals(item.value, parameter.type, path: place)
      case "valueType": break
      default:
        if item.key == "description" { try TemplateReader.checkDescription(item.value, path) }
        parameter.others.append(item)
      }
    }
    return parameter
  }

  private func conditionals(
    _ json: JSONValue, _ type: ConfigParameter.ValueType, path: String
  ) throws(HostError) -> [ConfigParameter.Conditional] {
    guard case .object(let members) = json else {
      throw ConfigFault.at(path, "expected an object, got \(json.kind)")
    }
    var found: [(place: Int, conditional: ConfigParameter.Conditional)] = []
    for member in members {
      let name = "\(path).\(member.key)"
      guard let place = places[member.key] else {
        let near = NameDistance.nearest(to: member.key, among: Array(places.keys.prefix(200)))
        throw ConfigFault.at(
          name,
          "there is no condition with that name"
            + (near.isEmpty ? "" : "; did you mean \(near.map { "'\($0)'" }.joined(separator: ", "))?"))
      }
      let value = try TemplateValue(member.value, type, path: name)
      found.append((place, ConfigParameter.Conditional(condition: member.key, value: value)))
    }
    return found.sorted { $0.place < $1.place }.map(\.conditional)
  }
}

extension TemplateValue {
  /// Reads a value, which has to fit the type of its parameter.
  /// - Throws: `invalid`, with the path of the member.
  init(_ json: JSONValue, _ type: ConfigParameter.ValueType, path: String) throws(HostError) {
    guard case .object(let members) = json else {
      throw ConfigFault.at(path, "expected an object, got \(json.kind)")
    }
    let names = ["value", "useInAppDefault", "personalizationValue", "rolloutValue", "experimentValue"]
    let found = members.filter { names.contains($0.key) }
    guard found.count == 1, let member = found.first else {
      throw ConfigFault.at(path, "one of \(names.joined(separator: ", ")) is expected")
    }
    self.json = json
    let place = "\(path).\(member.key)"
    switch member.key {
    case "value": kind = .text(try Self.text(member.value, type, place))
    case "useInAppDefault":
      guard case .boolean(true) = member.value else {
        throw ConfigFault.at(place, "the value must be true, or the member omitted")
      }
      kind = .inApp
    case "personalizationValue": kind = .personalized
    case "rolloutValue":
      let text = try Self.text(member.value["value"], type, "\(place).value")
      kind = .rollout(
        id: try Self.identifier(member.value["rolloutId"], "\(place).rolloutId"), value: text,
        share: try Self.share(member.value["percent"], "\(place).percent"))
    default: kind = try Self.experiment(member.value, type, place)
    }
  }

  private static func experiment(
    _ json: JSONValue, _ type: ConfigParameter.ValueType, _ path: String
  ) throws(HostError) -> Kind {
    let id = try identifier(json["experimentId"], "\(path).experimentId")
    guard case .array(let items)? = json["variantValue"] else {
      throw ConfigFault.at("\(path).variantValue", "an array of variants is expected")
    }
    var variants: [Variant] = []
    for (index, item) in items.enumerated() {
      let place = "\(path).variantValue[\(index)]"
      let name = try identifier(item["variantId"], "\(place).variantId")
      guard !variants.contains(where: { $0.id == name }) else {
        throw ConfigFault.at("\(place).variantId", "the variant occurs twice")
      }
      if case .boolean(true)? = item["noChange"] {
        variants.append(Variant(id: name, value: nil))
      } else {
        variants.append(Variant(id: name, value: try text(item["value"], type, "\(place).value")))
      }
    }
    return .experiment(id: id, variants: variants)
  }

  private static func identifier(_ json: JSONValue?, _ path: String) throws(HostError) -> String {
    guard case .string(let text)? = json, (1...100).contains(text.utf8.count) else {
      throw ConfigFault.at(path, "a string of 1 to 100 bytes is expected")
    }
    return text
  }

  /// Returns a percentage in millionths of a percent.
  private static func share(_ json: JSONValue?, _ path: String) throws(HostError) -> Int {
    guard case .number(let digits)? = json, let percent = Double(digits), (0...100).contains(percent)
    else { throw ConfigFault.at(path, "a number from 0 to 100 is expected") }
    return PercentHash.bound(percent: percent)
  }

  private static func text(
    _ json: JSONValue?, _ type: ConfigParameter.ValueType, _ path: String
  ) throws(HostError) -> String {
    guard case .string(let text)? = json else {
      throw ConfigFault.at(path, "expected a string, got \(json?.kind ?? "nothing")")
    }
    switch type {
    case .unspecified, .string: break
    case .boolean:
      guard ["true", "false"].contains(text.lowercased()) else {
        throw ConfigFault.at(path, "a BOOLEAN is 'true' or 'false', not '\(ConfigFault.shortened(text))'")
      }
    case .number:
      guard isNumber(text) else {
        throw ConfigFault.at(path, "a NUMBER is written with digits, not '\(ConfigFault.shortened(text))'")
      }
    case .json:
      do throws(JSONFailure) {
        var reader = JSONReader(bytes: Array(text.utf8), name: "the value")
        try reader.skip()
        try reader.expectEnd()
      } catch {
        throw ConfigFault.at(path, error.message)
      }
    }
    return text
  }

  /// Returns whether the text has the form `-?(\d*\.)?\d+`.
  private static func isNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && parts[parts.count - 1].isEmpty == false
      && parts.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) }
  }
}
#endif

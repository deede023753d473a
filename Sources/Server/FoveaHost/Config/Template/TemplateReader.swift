// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ConfigTemplate {
  /// Reads and checks a template.
  /// - Parameters:
  ///   - bytes: The template as JSON.
  ///   - namespace: The readers of the template.
  ///   - isStored: Whether the template was already published, by any version of the host: if so, unknown
  ///     members are kept, otherwise they are errors, and so is a template whose fetch takes too many steps.
  /// - Throws: `invalid`, with the path of the member that is not allowed.
  package init(_ bytes: [UInt8], namespace: ConfigNamespace, isStored: Bool = false) throws(HostError) {
    let json = try JSONValue(strict: bytes, name: "The template")
    guard case .object(let members) = json else {
      throw ConfigFault.at("template", "expected an object, got \(json.kind)")
    }
    if !isStored { try TemplateMembers.template.check(json) }
    var reader = TemplateReader(namespace)
    self = try reader.read(members)
    if !isStored { try FetchWork(of: self).check("template") }
  }
}

/// Creates a template from JSON; every fault is an error with the path of the member.
struct TemplateReader {
  private var template: ConfigTemplate
  /// The indices of conditions by their names.
  private(set) var places: [String: Int] = [:]
  /// The path of each key.
  private var keys: [String: String] = [:]
  private var bytes = 0

  init(_ namespace: ConfigNamespace) { template = ConfigTemplate(namespace) }

  mutating func read(_ members: [JSONValue.Member]) throws(HostError) -> ConfigTemplate {
    // Conditions first, in any order: values refer to them.
    if let json = members.first(where: { $0.key == "conditions" })?.value { try conditions(json) }
    for member in members {
      switch member.key {
      case "conditions": break
      case "parameters": template.parameters = try parameters(member.value, path: "parameters")
      case "parameterGroups": try groups(member.value)
      case "version": try version(member.value)
      // Added by commands that export templates.
      case "etag": break
      default: template.others.append(member)
      }
    }
    let names = Set(template.groups.map(\.name))
    if let parameter = template.allParameters.first(where: { names.contains($0.key) }) {
      throw ConfigFault.at(keys[parameter.key] ?? parameter.key, "a group has the same name")
    }
    return template
  }

  private mutating func conditions(_ json: JSONValue) throws(HostError) {
    guard case .array(let items) = json else {
      throw ConfigFault.at("conditions", "expected an array, got \(json.kind)")
    }
    guard items.count <= ConfigLimits.conditions else {
      throw ConfigFault.at(
        "conditions", "there are \(items.count) conditions; at most \(ConfigLimits.conditions) are allowed")
    }
    var steps = 0
    for (index, item) in items.enumerated() {
      let path = "conditions[\(index)]"
      let condition = try ConfigCondition(item, namespace: template.namespace, path: path)
      if let other = places[condition.name] {
        throw ConfigFault.at("\(path).name", "conditions[\(other)] has the same name")
      }
      if case .expression(let expression) = condition.rule { steps += expression.patternSteps }
      guard steps <= ConfigLimits.patternSteps else {
        throw ConfigFault.at(
          "\(path).expression",
          "the patterns up to here have \(steps) steps together; "
            + "at most \(ConfigLimits.patternSteps) are allowed")
      }
      places[condition.name] = index
      template.conditions.append(condition)
    }
  }

  private mutating func groups(_ json: JSONValue) throws(HostError) {
    guard case .object(let members) = json else {
      throw ConfigFault.at("parameterGroups", "expected an object, got \(json.kind)")
    }
    guard members.count <= ConfigLimits.groups else {
      throw ConfigFault.at(
        "parameterGroups", "there are \(members.count) groups; at most \(ConfigLimits.groups) are allowed")
    }
    for member in members {
      let path = "parameterGroups.\(member.key)"
      guard (1...ConfigLimits.name).contains(member.key.unicodeScalars.count) else {
        throw ConfigFault.at(path, "the name of a group has 1 to \(ConfigLimits.name) characters")
      }
      guard case .object(let inner) = member.value else {
        throw ConfigFault.at(path, "expected an object, got \(member.value.kind)")
      }
      var group = ConfigGroup(name: member.key)
      for item in inner {
        if item.key == "parameters" {
          group.parameters = try parameters(item.value, path: "\(path).parameters")
        } else {
          if item.key == "description" { try TemplateReader.checkDescription(item.value, path) }
          group.others.append(item)
        }
      }
      template.groups.append(group)
    }
  }

  private mutating func parameters(_ json: JSONValue, path: String) throws(HostError) -> [ConfigParameter] {
    guard case .object(let members) = json else {
      throw ConfigFault.at(path, "expected an object, got \(json.kind)")
    }
    let count = keys.count + members.count
    guard count <= ConfigLimits.parameters else {
      throw ConfigFault.at(
        path, "there are \(count) parameters up to here; at most \(ConfigLimits.parameters) are allowed")
    }
    var parameters: [ConfigParameter] = []
    for member in members {
      let place = "\(path).\(member.key)"
      try TemplateReader.checkKey(member.key, place)
      if let other = keys.updateValue(place, forKey: member.key) {
        throw ConfigFault.at(place, "\(other) has the same name")
      }
      let parameter = try parameter(member, path: place)
      for value in [parameter.standard] + parameter.conditionals.map(\.value) {
        for text in value?.texts ?? [] { bytes += text.utf8.count }
      }
      guard bytes <= ConfigLimits.values else {
        throw ConfigFault.at(
          place,
          "the values up to here have \(DecimalText.grouped(bytes)) bytes; at most "
            + "\(DecimalText.grouped(ConfigLimits.values)) are allowed"
        )
      }
      parameters.append(parameter)
    }
    return parameters
  }

  private mutating func version(_ json: JSONValue) throws(HostError) {
    guard case .object = json else {
      throw ConfigFault.at("version", "expected an object, got \(json.kind)")
    }
    switch json["description"] {
    case nil, .null: break
    case .string(let text):
      guard text.unicodeScalars.count <= ConfigLimits.versionDescription else {
        throw ConfigFault.at(
          "version.description",
          "the text has more than \(DecimalText.grouped(ConfigLimits.versionDescription)) characters")
      }
      template.description = text.isEmpty ? nil : text
    case let other?: throw ConfigFault.at("version.description", "expected a string, got \(other.kind)")
    }
  }
}
#endif

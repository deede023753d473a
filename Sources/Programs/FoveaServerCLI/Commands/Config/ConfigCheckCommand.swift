// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host config check`: checks a template without a host.
struct ConfigCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a template without a host.",
    usage: "fovea host config check (<file> | --expressions <file>) [options]")

  @Argument(help: ArgumentHelp("A template as JSON.", valueName: "file"))
  var file: String?

  @Option(
    help: ArgumentHelp(
      "Check expressions instead, one per line; prints 'ok' or the error of each.", valueName: "file"))
  var expressions: String?

  @OptionGroup var names: NamespaceOption
  @OptionGroup var output: JSONOption

  func validate() throws {
    guard (file == nil) != (expressions == nil) else {
      throw ValidationError("Name a template, or give --expressions with a file.")
    }
  }

  func run() async throws {
    try await CommandEnd.onFailure { () throws(HostError) in
      if let expressions {
        try CommandEnd.print(verdicts(of: ConfigFile.bytes(of: expressions)))
      } else if let file {
        let template = try ConfigTemplate(ConfigFile.bytes(of: file), namespace: names.namespace)
        try CommandEnd.print(output.json ? json(template) : text(template))
      }
    }
  }

  private func text(_ template: ConfigTemplate) -> String {
    let parameters = DecimalText.counted(template.allParameters.count, "parameter", "parameters")
    let conditions = DecimalText.counted(template.conditions.count, "condition", "conditions")
    return "valid: \(parameters), \(conditions)\n"
      + template.notes.map { "note: \($0.printable)\n" }.joined()
  }

  private func json(_ template: ConfigTemplate) -> String {
    JSONText.line { json in
      json.member("valid", true)
      json.member("parameters", template.allParameters.count)
      json.member("conditions", template.conditions.count)
      json.member("notes", template.notes)
    }
  }

  private func verdicts(of bytes: [UInt8]) -> String {
    var lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    return lines.map { line in
      var fault: String?
      do throws(ExpressionFailure) { _ = try ConfigExpression(String(line)) } catch { fault = error.text }
      guard output.json else { return (fault?.printable ?? "ok") + "\n" }
      return JSONText.line { json in
        json.member("valid", fault == nil)
        json.member("fault", fault)
      }
    }.joined()
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host export`: every model as a file that any web server can serve.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export models: fovea host export out --folder models",
    discussion:
      "NAME.tflite is the stable version of each model, remote-config.json the template\nthat apps fetch; 'fovea host import' and FOVEA_MODEL_HOST take the folder."
  )

  @Argument(help: ArgumentHelp("A folder that is empty or not there yet.", valueName: "copy"))
  var copy: String

  @Option(help: ArgumentHelp("The folder of the host.", valueName: "dir"))
  var folder = "."

  @OptionGroup var output: JSONOption

  func run() async throws {
    var written = HostExport.Written()
    try await CommandEnd.onFailure { () throws(HostError) in
      let host = try HostFolder(folder, isShared: true)
      // Its end closes the database.
      defer { withExtendedLifetime(host) {} }
      written = try await host.export(to: copy)
      try CommandEnd.print(
        output.json
          ? JSONText.line { json in
            json.member("export", copy)
            json.member("models", written.models)
          } : "\(DecimalText.counted(written.models, "model", "models")) in \(copy)\n")
    }
    try CommandEnd.check(copied: written.faults, from: folder)
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host export`: writes every model as a file that any web server can serve.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export models.",
    usage: "fovea host export <copy> [options]",
    discussion: """
      Example: fovea host export out --folder models

      NAME.tflite is the stable version of each model, and remote-config.json is the
      template that apps fetch. 'fovea host import' and FOVEA_MODEL_HOST accept the
      folder.
      """)

  @Argument(help: ArgumentHelp("A folder that is empty or does not exist yet.", valueName: "copy"))
  var copy: String

  @Option(help: ArgumentHelp("The host's folder.", valueName: "dir"))
  var folder = "."

  @OptionGroup var stores: StoreOptions

  @OptionGroup var output: JSONOption

  func run() async throws {
    var written = HostExport.Written()
    try await CommandEnd.onFailure { () throws(HostError) in
      let host = try stores.host(folder, isShared: true)
      // Keeps the database open: the host's deinit closes it.
      defer { withExtendedLifetime(host) {} }
      let files = try await host.presentStore(in: stores.client(of: host))
      written = try await host.export(to: copy, files: files)
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

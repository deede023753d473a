// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host init`: creates a host's folder.
struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Create a host.",
    usage: "fovea host init <dir> --project <id> [options]",
    discussion: """
      Example: fovea host init models --project birds

      Creates the folder, an administrator's key and an app key, and prints the next
      commands.
      """)

  @Argument(help: ArgumentHelp("A folder that is empty or does not exist yet.", valueName: "dir"))
  var folder: String

  @Option(help: ArgumentHelp("1 to 30 of a-z, 0-9 and '-'; 6 or more for firebase_admin.", valueName: "id"))
  var project: String

  @Option(help: ArgumentHelp("The host's address for clients.", valueName: "url"))
  var url = "http://127.0.0.1:8080"

  @Option(
    help: ArgumentHelp("The upload bucket of Google's clients (default: ID.appspot.com).", valueName: "name"))
  var bucket: String?

  @Option(help: ArgumentHelp("The app key (default: a new one).", valueName: "key"))
  var apiKey: String?

  @OptionGroup var output: JSONOption

  func run() async throws {
    try await CommandEnd.onFailure { () throws(HostError) in
      let settings = try HostSettings(project: project, url: url, bucket: bucket)
      let app = try apiKey.map { text throws(HostError) in try AppKey(text) } ?? AppKey.random()
      let made = try await HostSetup.make(folder, settings: settings, app: app, now: SystemClock.now)
      try CommandEnd.print(output.json ? made.json : made.text)
      if !HostName.isProjectOfGoogle(project) {
        CommandEnd.warn(
          "Google's Python clients need a project of 6 or more characters; "
            + "everything else works with '\(project)'."
        )
      }
    }
  }
}

extension HostSetup {
  /// The commands to run next; `export` makes every later command in the shell use the host.
  var text: String {
    """
    fovea host serve \(folder.shellPath)
    fovea host publish model.tflite --name my_model --key \(adminKey.shellPath)
    export FOVEA_MODEL_HOST='\(modelHost)'
    fovea model pull my_model

    """
  }

  var json: String {
    JSONText.line { json in
      json.member("folder", folder)
      json.member("project", settings.project)
      json.member("url", settings.url)
      json.member("bucket", settings.bucket)
      json.member("key", adminKey)
      json.member("apiKey", app.text)
      json.member("modelHost", modelHost)
    }
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore
import FoveaHost

/// `fovea host init`: the folder of a new host.
struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make a host: fovea host init models --project birds",
    usage: "fovea host init <dir> --project <id> [options]",
    discussion:
      "Makes the folder, a key for its administrator and one for apps, and prints\nwhat to type next.")

  @Argument(help: ArgumentHelp("A folder that is empty or not there yet.", valueName: "dir"))
  var folder: String

  @Option(help: ArgumentHelp("1 to 30 of a-z, 0-9 and '-'; 6 or more for firebase_admin.", valueName: "id"))
  var project: String

  @Option(help: ArgumentHelp("Where clients reach the host.", valueName: "url"))
  var url = "http://127.0.0.1:8080"

  @Option(help: ArgumentHelp("Google's clients upload to it (default: ID.appspot.com).", valueName: "name"))
  var bucket: String?

  @Option(help: ArgumentHelp("The key of the apps (default: a new one).", valueName: "key"))
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
          "Google's Python clients take projects of 6 characters and more; all else works with '\(project)'."
        )
      }
    }
  }
}

extension HostSetup {
  /// The three lines to type next.
  var text: String {
    """
    fovea host serve \(folder.shellPath)
    fovea host publish model.tflite --name my_model --key \(adminKey.shellPath)
    FOVEA_MODEL_HOST='\(modelHost)' fovea model pull my_model

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

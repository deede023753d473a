// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser
  internal import FoveaErrors
  internal import FoveaHost
  internal import FoveaSystem

  /// `fovea host fsck`: compares the files with the database.
  struct FsckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "fsck",
      abstract: "Check the folder of a host: fovea host fsck models",
      discussion:
        "Reads every file. Exit code 1 means that something is wrong. The host must not\nrun meanwhile.")

    @Argument(help: ArgumentHelp("The folder of the host.", valueName: "dir"))
    var folder: String

    @Flag(help: "Withdraw versions without a file, remove files without a version.")
    var repair = false

    @OptionGroup var output: JSONOption

    func run() async throws {
      var problems: [String] = []
      try await CommandEnd.onFailure { () throws(HostError) in
        problems = try await HostFolder(folder).check(repair: repair, now: SystemClock.now)
        try CommandEnd.print(output.json ? json(problems) : text(problems))
      }
      if !problems.isEmpty && !repair { throw ExitCode(1) }
    }

    private func text(_ problems: [String]) -> String {
      guard !problems.isEmpty else { return "no problems\n" }
      return problems.map { $0.printable + (repair ? ": repaired" : "") + "\n" }.joined()
    }

    private func json(_ problems: [String]) -> String {
      JSONText.line { json in
        json.member("problems", problems) { $0.string($1) }
        json.member("repaired", repair && !problems.isEmpty)
      }
    }
  }
#endif

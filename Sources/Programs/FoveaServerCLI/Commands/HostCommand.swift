// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser

/// `fovea host`: a model host of one's own.
struct HostCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "host",
    abstract: "Host models for apps: fovea host init models --project my-project",
    discussion:
      "init, serve, export, backup, restore and fsck work on a folder; all others\ntalk to the host that the key file names.",
    subcommands: [
      InitCommand.self, ServeCommand.self, PublishCommand.self, ListCommand.self, ShowCommand.self,
      HistoryCommand.self, ChannelCommand.self, RolloutCommand.self, RollbackCommand.self,
      WithdrawCommand.self,
      KeyCommand.self, ConfigCommand.self, ExperimentCommand.self, ConsoleCommand.self, ImportCommand.self,
      ExportCommand.self, BackupCommand.self, RestoreCommand.self, FsckCommand.self,
    ])
}
#endif

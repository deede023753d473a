// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser

/// `fovea host`: your own model host.
struct HostCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "host",
    abstract: "Host models for apps.",
    discussion: """
      Example: fovea host init models --project my-project

      init, serve, export, copy, backup, restore, fsck and migrate work on a folder;
      all others talk to the host in the key file.
      """,
    subcommands: [
      InitCommand.self, HostServeCommand.self, PublishCommand.self, ListCommand.self, ShowCommand.self,
      HistoryCommand.self, ChannelCommand.self, RolloutCommand.self, RollbackCommand.self,
      WithdrawCommand.self,
      KeyCommand.self, ConfigCommand.self, ExperimentCommand.self, ConsoleCommand.self, ImportCommand.self,
      ExportCommand.self, CopyCommand.self, BackupCommand.self, RestoreCommand.self, FsckCommand.self,
      MigrateCommand.self,
    ])
}
#endif

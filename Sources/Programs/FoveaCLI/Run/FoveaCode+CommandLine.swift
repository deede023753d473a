// SPDX-License-Identifier: Apache-2.0

import Fovea

/// The error codes that only the command line uses.
extension FoveaCode {
  /// There is no such file or folder.
  ///
  /// **Remedy:** check the path.
  static let inputMissing = Self(rawValue: "input-missing")
  /// No file matches the pattern.
  ///
  /// **Remedy:** check the pattern.
  static let inputNoMatch = Self(rawValue: "input-no-match")
  /// The argument, or a model, is a network address; Fovea opens no connection.
  ///
  /// **Remedy:** `curl -s URL | fovea detect -`.
  static let inputIsURL = Self(rawValue: "input-is-url")
  /// Standard input or a pipe has more bytes than allowed.
  ///
  /// **Remedy:** check that it is the right file.
  static let inputTooLarge = Self(rawValue: "input-too-large")
  /// The program `fovea-server`, which `fovea host` and `fovea serve` start, is not next to `fovea`.
  ///
  /// **Remedy:** build both with `make build`.
  static let serverProgramMissing = Self(rawValue: "server-program-missing")
  /// The file of `--like` holds no features, or features that cannot be compared.
  ///
  /// **Remedy:** name a file that `fovea embed` has written with the same model.
  static let featuresInvalid = Self(rawValue: "features-invalid")
  /// The folder has no images.
  ///
  /// **Remedy:** `--recursive`, or another folder.
  static let folderEmpty = Self(rawValue: "folder-empty")
  /// The folder cannot be read.
  ///
  /// **Remedy:** check its permissions.
  static let folderUnreadable = Self(rawValue: "folder-unreadable")
  /// The annotated image would replace the photo.
  ///
  /// **Remedy:** name another folder or file.
  static let annotateOverwrites = Self(rawValue: "annotate-overwrites")
  /// The annotated image cannot be written.
  ///
  /// **Remedy:** name another folder.
  static let annotateUnwritable = Self(rawValue: "annotate-unwritable")
  /// `--output` cannot be opened.
  ///
  /// **Remedy:** name a file in a folder that may be written to.
  static let outputUnwritable = Self(rawValue: "output-unwritable")
  /// Writing results failed.
  ///
  /// **Remedy:** name another file.
  static let outputFailed = Self(rawValue: "output-failed")
  /// `--output` is not a file.
  ///
  /// **Remedy:** name a file.
  static let resumeNotAFile = Self(rawValue: "resume-not-a-file")
  /// The file holds no results of this command and format.
  ///
  /// **Remedy:** name the right file, or leave `--resume` out.
  static let resumeNotResults = Self(rawValue: "resume-not-results")
  /// The file cannot be read or shortened.
  ///
  /// **Remedy:** check the file and the free space.
  static let resumeFailed = Self(rawValue: "resume-failed")
  /// Standard input is not a terminal, so a download cannot be confirmed (exit 64).
  ///
  /// **Remedy:** `--yes`.
  static let confirmationNeeded = Self(rawValue: "confirmation-needed")
  /// The file of `--config` cannot be read, or has more than 1 MiB.
  ///
  /// **Remedy:** name a JSON file.
  static let configUnreadable = Self(rawValue: "config-unreadable")
  /// Ctrl-C came before standard input was read to its end.
  ///
  /// **Remedy:** run the command again.
  static let interrupted = Self(rawValue: "interrupted")
}

// SPDX-License-Identifier: Apache-2.0

import Fovea

/// The failures of the command line alone.
extension FoveaCode {
  /// There is no such file or folder.
  ///
  /// **Remedy:** check the path.
  static let inputMissing = Self(rawValue: "input-missing")
  /// An input cannot be opened or read.
  ///
  /// **Remedy:** check path and permissions.
  static let inputUnreadable = Self(rawValue: "input-unreadable")
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
  /// The folder has no images.
  ///
  /// **Remedy:** `--recursive`, or another folder.
  static let folderEmpty = Self(rawValue: "folder-empty")
  /// The folder cannot be read.
  ///
  /// **Remedy:** check its permissions.
  static let folderUnreadable = Self(rawValue: "folder-unreadable")
  /// The model answered a number that is not finite.
  ///
  /// **Remedy:** check `--normalize`, or use another model.
  static let resultNotFinite = Self(rawValue: "result-not-finite")
  /// The annotated image would replace the photo.
  ///
  /// **Remedy:** name another folder or file.
  static let annotateOverwrites = Self(rawValue: "annotate-overwrites")
  /// The annotated image cannot be written.
  ///
  /// **Remedy:** name another folder.
  static let annotateUnwritable = Self(rawValue: "annotate-unwritable")
  /// Results would replace a photo, a model or another file that is read, or two options name one file, or the
  /// `.partial` name that one has until it is whole.
  ///
  /// **Remedy:** name another file or folder.
  static let outputOverwrites = Self(rawValue: "output-overwrites")
  /// Another process writes the file or folder of `--output`, `--report` or `--annotate` at this moment.
  ///
  /// **Remedy:** wait, or name another one.
  static let outputInUse = Self(rawValue: "output-in-use")
  /// `--output` cannot be opened.
  ///
  /// **Remedy:** name a file in a folder that may be written to.
  static let outputUnwritable = Self(rawValue: "output-unwritable")
  /// Writing results failed.
  ///
  /// **Remedy:** name another file.
  static let outputFailed = Self(rawValue: "output-failed")
  /// The file of one photo (VOC, YOLO) cannot be written.
  ///
  /// **Remedy:** name another folder.
  static let resultUnwritable = Self(rawValue: "result-unwritable")
  /// The model answered a class below 0, or above 99,999.
  ///
  /// **Remedy:** check the model, or name its classes.
  static let yoloClassInvalid = Self(rawValue: "yolo-class-invalid")
  /// There is no space left.
  ///
  /// **Remedy:** free some; jsonl, csv, voc and yolo go on with `--resume`.
  static let diskFull = Self(rawValue: "disk-full")
  /// `--output` is no file.
  ///
  /// **Remedy:** name a file.
  static let resumeNotAFile = Self(rawValue: "resume-not-a-file")
  /// The file holds no results of this command and format.
  ///
  /// **Remedy:** name the right file, or leave `--resume` out.
  static let resumeNotResults = Self(rawValue: "resume-not-results")
  /// The classes of a YOLO folder are not those of the model.
  ///
  /// **Remedy:** use the earlier run's model and options, or another folder.
  static let resumeClassesDiffer = Self(rawValue: "resume-classes-differ")
  /// The file cannot be read or shortened.
  ///
  /// **Remedy:** check the file and the free space.
  static let resumeFailed = Self(rawValue: "resume-failed")
  /// The file of `--coco-ids` is not valid JSON.
  ///
  /// **Remedy:** name the `instances.json`.
  static let cocoIdsInvalid = Self(rawValue: "coco-ids-invalid")
  /// It lists no images or no categories.
  ///
  /// **Remedy:** name a COCO instances file.
  static let cocoIdsEmpty = Self(rawValue: "coco-ids-empty")
  /// Standard input is no terminal, so there is no one to confirm a download (exit 64).
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

// SPDX-License-Identifier: Apache-2.0

public import FoveaCore

/// Error codes of formats.
extension FoveaCode {
  /// An input cannot be opened or read.
  ///
  /// **Remedy:** check path and permissions.
  public static let inputUnreadable = Self(rawValue: "input-unreadable")
  /// The model returned a number that is not finite.
  ///
  /// **Remedy:** check `--normalize`, or use another model.
  public static let resultNotFinite = Self(rawValue: "result-not-finite")
  /// Results would replace a photo, a model or another input file, or two options name the same file or its
  /// `.partial` file.
  ///
  /// **Remedy:** name another file or folder.
  public static let outputOverwrites = Self(rawValue: "output-overwrites")
  /// Another process is writing the file or folder of `--output`, `--report` or `--annotate`.
  ///
  /// **Remedy:** wait, or name another one.
  public static let outputInUse = Self(rawValue: "output-in-use")
  /// The results file of a photo cannot be written into a folder of results, or the labels there have another
  /// form.
  ///
  /// **Remedy:** name another folder.
  public static let resultUnwritable = Self(rawValue: "result-unwritable")
  /// The model returned a class below 0 or above 99,999.
  ///
  /// **Remedy:** check the model, or name its classes.
  public static let yoloClassInvalid = Self(rawValue: "yolo-class-invalid")
  /// The disk is full.
  ///
  /// **Remedy:** free some space, then continue with `--resume`, or pull again.
  public static let diskFull = Self(rawValue: "disk-full")
  /// The classes of a YOLO folder are not those of the model.
  ///
  /// **Remedy:** use the earlier run's model and options, or another folder.
  public static let resumeClassesDiffer = Self(rawValue: "resume-classes-differ")
  /// The file of `--coco-ids` is not valid JSON, or two photos may both be the same image in it.
  ///
  /// **Remedy:** name the `instances.json`, or the photos of one folder.
  public static let cocoIdsInvalid = Self(rawValue: "coco-ids-invalid")
  /// The file of `--coco-ids` lists no images or no categories.
  ///
  /// **Remedy:** name a COCO instances file.
  public static let cocoIdsEmpty = Self(rawValue: "coco-ids-empty")
}

extension FoveaError {
  /// Returns the error of a second process that writes to the same file or folder.
  /// - Parameters:
  ///   - path: The file or folder as the user named it.
  ///   - option: The name of the command-line option: "output".
  /// - Returns: `output-in-use`.
  package static func outputInUse(_ path: String, option: String) -> FoveaError {
    let isFolder = FileStatus(FilePath(path))?.kind == .folder
    return FoveaError(
      .outputInUse,
      "another process is writing \(isFolder ? "to this folder" : "this file")",
      remedy:
        """
        Wait until it ends, or name another \(isFolder ? "folder" : "file") with \(flag: option, "its path")
        """,
      subject: path)
  }
}

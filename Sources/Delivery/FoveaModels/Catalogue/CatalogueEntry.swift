// SPDX-License-Identifier: Apache-2.0

/// A model that can be pulled by its name.
public struct CatalogueEntry: Sendable, Hashable {
  /// What a model is for; more tasks may come, so compare with `==` instead of switching.
  public struct Task: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case detect, label
    }
    private let kind: Kind

    /// Boxes: a model for `ObjectDetector` and `fovea detect`.
    public static let detect = Task(kind: .detect)
    /// Labels: a model for `ImageLabeler` and `fovea label`.
    public static let label = Task(kind: .label)

    init?(_ text: String) {
      guard let kind = Kind(rawValue: text) else { return nil }
      self.kind = kind
    }

    private init(kind: Kind) { self.kind = kind }

    /// The name of the command that the model is for: `detect` or `label`.
    public var description: String { kind.rawValue }
  }

  /// What `--model` and `fovea model pull` call it: 1 to 64 letters, digits, `.`, `_` and `-`.
  public let name: String
  /// Shorter names that mean the same model, as `coco-ssd`.
  ///
  /// A store has it under ``name``. Empty for most.
  public let aliases: [String]
  /// What it is for.
  public let task: Task
  /// The name of the family that decodes it, as `fovea model inspect` shows it; nil where no one looked.
  public let family: String?
  /// How many classes it has; nil where that is not known.
  public let labelCount: Int?
  /// Width and height of its input in pixels; nil where they are not known.
  public let inputSize: InputSize?
  /// The licence that it comes under, as an SPDX identifier where there is one.
  public let license: String
  /// The size of the file in bytes; nil where only the server knows.
  public let byteCount: Int?
  /// Where it is published, always `https://`.
  public let url: String
  /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
  public let sha256: String

  /// Width and height of a model's input.
  public struct InputSize: Sendable, Hashable {
    /// Columns, in pixels.
    public let width: Int
    /// Rows, in pixels.
    public let height: Int
  }

  /// The name of the file: the last part of the URL's path.
  ///
  /// A mirror has the model under this name.
  public var fileName: String { CatalogueEntry.fileName(of: url) }

  static func fileName(of url: String) -> String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }
}

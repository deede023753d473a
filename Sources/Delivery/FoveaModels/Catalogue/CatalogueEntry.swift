// SPDX-License-Identifier: Apache-2.0

/// A model that can be downloaded by name.
public struct CatalogueEntry: Sendable, Hashable {
  /// The task of a model; more may be added, so compare with `==` instead of switching.
  public struct Task: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case detect, label, segment
    }
    private let kind: Kind

    /// Object detection: a model for `ObjectDetector` and `fovea detect`.
    public static let detect = Task(kind: .detect)
    /// Image labeling: a model for `ImageLabeler` and `fovea label`.
    public static let label = Task(kind: .label)
    /// Segmentation: a model for `ImageSegmenter` and `fovea segment`.
    public static let segment = Task(kind: .segment)

    init?(_ text: String) {
      guard let kind = Kind(rawValue: text) else { return nil }
      self.kind = kind
    }

    private init(kind: Kind) { self.kind = kind }

    /// The name of the task's command: `detect`, `label` or `segment`.
    public var description: String { kind.rawValue }
  }

  /// The name for `--model` and `fovea model pull`: 1 to 64 letters, digits, `.`, `_` and `-`.
  public let name: String
  /// Shorter names for the same model, such as `coco-ssd`.
  ///
  /// A store keeps the model under ``name``. Empty for most models.
  public let aliases: [String]
  /// The model's task.
  public let task: Task
  /// The name of the family that decodes its outputs, as shown by `fovea model inspect`; nil if not recorded.
  public let family: String?
  /// The number of classes; nil if unknown.
  public let labelCount: Int?
  /// The width and height of the input in pixels; nil if unknown.
  public let inputSize: InputSize?
  /// The licence, as an SPDX identifier if there is one.
  public let license: String
  /// The size of the file in bytes; nil if only the server reports it.
  public let byteCount: Int?
  /// The published address, always `https://`.
  public let url: String
  /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
  public let sha256: String

  /// The width and height of a model's input.
  public struct InputSize: Sendable, Hashable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
  }

  /// The name of the file: the last part of the URL's path.
  ///
  /// A mirror provides the model under this name.
  package var fileName: String { CatalogueEntry.fileName(of: url) }

  static func fileName(of url: String) -> String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }
}

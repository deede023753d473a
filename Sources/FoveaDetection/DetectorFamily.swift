// SPDX-License-Identifier: Apache-2.0

/// A group of detector models whose outputs are read in the same way.
public struct DetectorFamily: Sendable, Hashable, CustomStringConvertible {
  private enum Kind: String, CaseIterable {
    case ssdPostProcess = "ssd-postprocess"
    case anchorSSD = "ssd-anchors"
  }
  private let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// SSD with the operator `TFLite_Detection_PostProcess`: four outputs, boxes, classes, scores and count.
  public static let ssdPostProcess = DetectorFamily(.ssdPostProcess)
  /// SSD without post-processing: box codes and scores for each anchor of a known layout.
  public static let anchorSSD = DetectorFamily(.anchorSSD)

  /// Every family, in the order in which a model is compared with them.
  public static let all = Kind.allCases.map(DetectorFamily.init)

  /// The family with a name; nil where there is none.
  public init?(name: String) {
    guard let kind = Kind(rawValue: name) else { return nil }
    self.kind = kind
  }

  /// The name as options and reports use it.
  public var name: String { kind.rawValue }

  /// The name.
  public var description: String { name }

  /// The rule that the tensors of a model of the family keep, in words.
  public var rule: String {
    switch kind {
    case .ssdPostProcess:
      "four float outputs: boxes [1, N, 4], classes [1, N], scores [1, N], count [1]"
    case .anchorSSD:
      "two float outputs, boxes [1, A, 4] and scores [1, A], where A is an anchor layout's number (738 at 192 × 192)"
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

public import FoveaImage

/// A pixel format with its name in test reports.
public struct FrameFormat: Sendable, CustomStringConvertible {
  /// The layout of the planes.
  enum Kind: Sendable {
    case packed([Int])
    case grey
    case nv12
    case i420
  }
  let kind: Kind
  /// The format for a pixel buffer.
  public let format: PixelFormat
  /// The name in reports.
  public var description: String { format.description }
  /// Whether chroma is stored at half the size, so that colours differ a little from those of RGB.
  public var hasChroma: Bool { format.encoding != nil }
  /// Whether there is no colour.
  public var isGrey: Bool { format == .grey }

  /// All formats, including the one that Core Video's buffers here do not have.
  public static let everywhere = all + [FrameFormat(kind: .packed([2, 1, 0]), format: .bgr)]

  /// The formats of Core Video; YUV in each matrix and range.
  public static let all: [FrameFormat] =
    [
      FrameFormat(kind: .packed([2, 1, 0, -1]), format: .bgra),
      FrameFormat(kind: .packed([0, 1, 2, -1]), format: .rgba),
      FrameFormat(kind: .packed([0, 1, 2]), format: .rgb),
      FrameFormat(kind: .grey, format: .grey),
    ]
    + YUVEncoding.Matrix.allCases.flatMap { matrix in
      YUVEncoding.Range.allCases.flatMap { range in
        [
          FrameFormat(kind: .nv12, format: .nv12(YUVEncoding(matrix: matrix, range: range))),
          FrameFormat(kind: .i420, format: .i420(YUVEncoding(matrix: matrix, range: range))),
        ]
      }
    }
}

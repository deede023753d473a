// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaFormats
import FoveaHTTP
import FoveaCore

/// The lines for images whose answer has already started.
///
/// Its status is already sent: a later refusal, such as a deadline, becomes the error of each image without a
/// line.
struct AnalysisLines {
  private var pieces: AsyncThrowingStream<InferenceCaller.Piece, any Error>.Iterator
  /// The names of the images without a line.
  private var rest: ArraySlice<String>
  private var refusal: Refusal?
  private let masks: MaskForm

  /// Creates the lines for the images' results, in order, with the images' names.
  init(
    _ pieces: AsyncThrowingStream<InferenceCaller.Piece, any Error>, of names: [String],
    masks: MaskForm = .rle
  ) {
    self.pieces = pieces.makeAsyncIterator()
    rest = names[...]
    self.masks = masks
  }

  /// Returns the next line; nil after the last.
  /// - Throws: `CancellationError` if the client has disconnected, and errors that do not belong to an image.
  mutating func next() async throws -> String? {
    if refusal == nil {
      do {
        if let piece = try await pieces.next(isolation: #isolation) {
          rest = rest.dropFirst()
          return piece.json(masks: masks)
        }
        // A stream ends early if its reader is cancelled.
        guard rest.isEmpty else { throw CancellationError() }
      } catch let error as Refusal { refusal = error }
    }
    guard let refusal, let name = rest.popFirst() else { return nil }
    return AnalysisLines.line(refusal, of: name)
  }

  private static func line(_ refusal: Refusal, of name: String) -> String {
    JSONText.line { json in
      json.member("image", name)
      json.member("error", refusal)
    }
  }
}
#endif

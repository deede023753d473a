// SPDX-License-Identifier: Apache-2.0

extension MetadataError {
  /// A model that no head can be put on; the reason is what follows the model's name.
  static func noEmbedding(_ reason: String) -> MetadataError {
    MetadataError(
      .noEmbedding, reason,
      remedy:
        "Take an image classifier that ends in a dense layer, such as the embedded classifier or mobilenet-v2-imagenet"
    )
  }

  /// The same error with the model's name in front.
  func naming(_ model: String) -> MetadataError {
    code == .noEmbedding
      ? MetadataError(code, "'\(model)' \(message)", remedy: remedy) : prefixed("'\(model)'")
  }
}

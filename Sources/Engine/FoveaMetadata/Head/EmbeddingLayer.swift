// SPDX-License-Identifier: Apache-2.0

/// Which numbers of a model a head of one's own stands on.
package enum EmbeddingLayer: Sendable, Equatable {
  /// The mean of the last feature map over its height and width, before any dense layer.
  case pool
  /// The input of the last dense layer; the same as `pool` where the model has no hidden dense layers.
  case last
  /// A tensor by its name in the graph.
  case tensor(String)
}

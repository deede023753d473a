// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Where embeddings are kept from run to run.
enum EmbeddingFolder {
  /// `fovea/embeddings` in `XDG_CACHE_HOME`, else in `~/.cache`; nil where there is neither.
  ///
  /// **Source:** XDG Base Directory Specification 0.8.
  static var user: String? {
    if let cache = Environment.value("XDG_CACHE_HOME"), cache.hasPrefix("/") {
      return FilePath.joined(cache, "fovea/embeddings")
    }
    return Environment.value("HOME").map { FilePath.joined($0, ".cache/fovea/embeddings") }
  }
}

// SPDX-License-Identifier: Apache-2.0
#if Server
extension DatabaseSchema {
  /// Templates of Remote Config: each version is one text of JSON.
  static let config = [
    """
    CREATE TABLE config (
      project TEXT NOT NULL, namespace TEXT NOT NULL, number INTEGER NOT NULL,
      created INTEGER NOT NULL, version TEXT NOT NULL, template TEXT NOT NULL,
      PRIMARY KEY (project, namespace, number)
    ) STRICT
    """
  ]
}
#endif

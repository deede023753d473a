// SPDX-License-Identifier: Apache-2.0
#if Server
extension DatabaseSchema {
  /// Experiments, their counts, and the loads that devices report.
  static let experiments = [
    """
    CREATE TABLE experiment (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      project TEXT NOT NULL, id TEXT NOT NULL, model TEXT,
      created INTEGER NOT NULL, updated INTEGER NOT NULL, revision INTEGER NOT NULL, state TEXT NOT NULL,
      UNIQUE (project, id)
    ) STRICT
    """,
    // `unit` is part of the digest of an id; the ids of devices and users are not stored.
    """
    CREATE TABLE experimentUnit (
      experiment INTEGER NOT NULL REFERENCES experiment (key) ON DELETE CASCADE, unit INTEGER NOT NULL,
      variant INTEGER NOT NULL, period INTEGER NOT NULL, exposed INTEGER NOT NULL, value REAL NOT NULL,
      PRIMARY KEY (experiment, unit)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE experimentSum (
      experiment INTEGER NOT NULL REFERENCES experiment (key) ON DELETE CASCADE,
      period INTEGER NOT NULL, day INTEGER NOT NULL, variant INTEGER NOT NULL,
      units INTEGER NOT NULL, sum REAL NOT NULL, squares REAL NOT NULL,
      PRIMARY KEY (experiment, period, day, variant)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE experimentRefusal (
      experiment INTEGER NOT NULL REFERENCES experiment (key) ON DELETE CASCADE,
      reason TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (experiment, reason)
    ) STRICT, WITHOUT ROWID
    """,
    // Values that arrived before the exposure of their unit.
    """
    CREATE TABLE waitingValue (
      experiment INTEGER NOT NULL REFERENCES experiment (key) ON DELETE CASCADE, unit INTEGER NOT NULL,
      generation INTEGER NOT NULL, time INTEGER NOT NULL, value REAL NOT NULL
    ) STRICT
    """,
    "CREATE INDEX waitingOfUnit ON waitingValue (experiment, unit)",
    """
    CREATE TABLE countedEvent (
      generation INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (generation, id)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE versionLoad (
      project TEXT NOT NULL, model TEXT NOT NULL, run INTEGER NOT NULL, share INTEGER NOT NULL,
      version INTEGER NOT NULL, loaded INTEGER NOT NULL, failed INTEGER NOT NULL, abandoned INTEGER NOT NULL,
      PRIMARY KEY (project, model, run, share, version)
    ) STRICT, WITHOUT ROWID
    """,
  ]
}
#endif

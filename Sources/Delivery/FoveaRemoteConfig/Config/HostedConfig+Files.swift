// SPDX-License-Identifier: Apache-2.0

import FoveaModels
import Synchronization

extension HostedConfig {
  private var file: String { "config-\(place.id).json" }

  /// Reads the stored record; an empty one if it is missing or damaged.
  func read() throws(ConfigError) -> ConfigRecord {
    do throws(ModelStoreError) { return try kept() } catch { throw ConfigError(error) }
  }

  private func kept() throws(ModelStoreError) -> ConfigRecord {
    try place.data.contents(file, limit: 4 * FetchAnswer.limit).flatMap { ConfigRecord(json: $0) }
      ?? ConfigRecord()
  }

  /// Changes the record, first on disk and then in memory, while other processes are locked out.
  /// - Throws: `store`; then nothing changes in memory.
  func change<Value>(_ body: (inout ConfigRecord) -> Value) throws(ConfigError) -> Value {
    do throws(ModelStoreError) {
      return try place.data.alone(file) { () throws(ModelStoreError) in
        let before = try kept()
        var record = before
        let value = body(&record)
        if record != before { try place.data.replace(file, with: StoreJSON.encode(record)) }
        let new = record
        state.withLock { $0.record = new }
        return value
      }
    } catch {
      throw ConfigError(error)
    }
  }
}

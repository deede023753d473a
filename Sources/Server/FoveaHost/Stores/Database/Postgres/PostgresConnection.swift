// SPDX-License-Identifier: Apache-2.0
#if Server
import CPostgres
import FoveaCore
import GRDB

/// A connection to PostgreSQL; its calls block the thread until the server answers, or for some seconds.
///
/// SAFETY: its owner, a pool, lends it to one thread at a time.
@safe final class PostgresConnection: SQLConnection, @unchecked Sendable {
  private let place: String
  /// The number of the host among those of the database.
  private let node: Int64
  /// The longest wait for an answer, in milliseconds.
  private let patience: Int32
  private let connection: OpaquePointer
  /// The names of prepared statements by their text.
  private var names: [String: String] = [:]
  /// True once it has ended, or its statements are outdated: it can only be closed.
  private(set) var isLost = false

  /// Loads libpq if necessary, and connects.
  /// - Parameters:
  ///   - address: The database.
  ///   - node: The number of the host; 0, the default, for a connection that changes nothing.
  ///   - patience: The longest wait for an answer in milliseconds; by default longer than the server's own
  ///     limit on a statement.
  ///   - connecting: The longest wait for the connection in milliseconds; nil, the default, for the same.
  /// - Throws: `HostError` without libpq; `PostgresError`.
  init(_ address: PostgresAddress, node: Int64 = 0, patience: Int32 = 7_000, connecting: Int32? = nil) throws
  {
    (place, self.node, self.patience) = (address.text, node, patience)
    var reason = [CChar](repeating: 0, count: 1024)
    guard unsafe fovea_postgres_load(&reason, reason.count) else {
      throw HostError(
        .unavailable, "PostgreSQL needs libpq, which could not be loaded (\(Self.text(reason)))",
        remedy: "Install it: apt-get install libpq5")
    }
    let parameters = address.parameters
    let made = unsafe Self.withTexts(parameters.map(\.0)) { keywords in
      unsafe Self.withTexts(parameters.map(\.1)) { values in
        unsafe fovea_postgres_connect(keywords, values, connecting ?? patience, &reason, reason.count)
      }
    }
    guard let made = unsafe made else {
      throw PostgresError(connecting: Self.text(reason), to: address.text)
    }
    unsafe connection = made
  }

  deinit { unsafe fovea_postgres_close(connection) }

  func rows(_ sql: String, _ arguments: SQLArguments) throws -> [Row] {
    try run(sql, arguments)
    let columns = unsafe (0..<fovea_postgres_columns(connection)).map { column in
      unsafe (
        String(cString: fovea_postgres_name(connection, column)), fovea_postgres_type(connection, column)
      )
    }
    return try unsafe (0..<fovea_postgres_rows(connection)).map { row in
      var values: [String: (any DatabaseValueConvertible)?] = [:]
      for (index, column) in columns.enumerated() {
        values.updateValue(try value(row, Int32(index), type: column.1), forKey: column.0)
      }
      return Row(values)
    }
  }

  @discardableResult func execute(_ sql: String, _ arguments: SQLArguments) throws -> Int {
    try run(sql, arguments)
    return unsafe Int(fovea_postgres_changes(connection))
  }

  /// Runs one statement, because changes of all hosts wait for the end of this one.
  func announce(_ insert: String, _ arguments: SQLArguments) throws {
    try execute(
      """
      WITH entry AS (\(insert)), next AS (UPDATE generation SET number = number + 1 RETURNING number)
      SELECT pg_notify('fovea', 'change ' || number || ' ' || CAST(? AS TEXT)) FROM next
      """, arguments + [String(node)])
  }

  /// Waits for a notification of a channel that it listens to; nil if none arrives in that time.
  func notification(within milliseconds: Int32) throws -> String? {
    var text = [CChar](repeating: 0, count: 256)
    try check(unsafe fovea_postgres_notification(connection, milliseconds, &text, text.count))
    let found = Self.text(text)
    return found.isEmpty ? nil : found
  }

  /// Runs `body` in a transaction of a kind.
  func transaction<Value>(
    _ kind: PostgresTransaction, _ body: (any SQLConnection) throws -> Value
  ) throws -> Value {
    guard let begin = kind.begin else { return try body(self) }
    try execute(begin)
    let value: Value
    do {
      if let lock = kind.lock { try execute(lock) }
      value = try body(self)
    } catch {
      // A connection whose transaction does not end is not used again.
      if !isLost, (try? execute("ROLLBACK")) == nil { isLost = true }
      throw error
    }
    do { try execute("COMMIT") } catch var error as PostgresError {
      error.isInDoubt = error.isLost
      throw error
    }
    return value
  }

  private func run(_ sql: String, _ arguments: SQLArguments) throws {
    let values = arguments.map { $0?.databaseValue ?? .null }
    let name = try names[sql] ?? prepare(sql, values)
    // At least one byte, so that empty texts have an address.
    var bytes: [UInt8] = [0]
    let places = try values.map { value -> Range<Int>? in
      let start = bytes.count
      switch value.storage {
      case .null: return nil
      case .int64(let number): append(number, to: &bytes)
      case .double(let number): append(Int64(bitPattern: number.bitPattern), to: &bytes)
      case .string(let text): bytes += text.utf8
      case .blob: throw PostgresError(code: "XX000", message: "a blob is not supported", place: place)
      }
      return start..<bytes.count
    }
    // SAFETY: libpq copies the values before the call returns.
    let status = unsafe bytes.withUnsafeBytes { memory in
      let pointers = unsafe places.map { place in
        unsafe place.flatMap { unsafe memory.baseAddress?.advanced(by: $0.lowerBound) }
          .map { unsafe $0.assumingMemoryBound(to: CChar.self) }
      }
      return unsafe fovea_postgres_run(
        connection, name, Int32(places.count), pointers, places.map { Int32($0?.count ?? 0) },
        patience)
    }
    try check(status)
  }

  private func append(_ number: Int64, to bytes: inout [UInt8]) {
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private func prepare(_ sql: String, _ values: [DatabaseValue]) throws -> String {
    let name = "s\(names.count)"
    let types = values.map { value -> UInt32 in
      switch value.storage {
      case .int64: UInt32(FOVEA_POSTGRES_INT8)
      case .double: UInt32(FOVEA_POSTGRES_FLOAT8)
      case .string: UInt32(FOVEA_POSTGRES_TEXT)
      case .null, .blob: 0
      }
    }
    try check(
      unsafe fovea_postgres_prepare(
        connection, name, PostgresDialect.statement(sql), Int32(types.count), types, patience))
    names[sql] = name
    return name
  }

  private func check(_ status: fovea_postgres_status) throws {
    guard status != FOVEA_POSTGRES_OK else { return }
    let isEnded = status == FOVEA_POSTGRES_LOST
    let error = unsafe PostgresError(
      code: String(cString: fovea_postgres_code(connection)),
      message: String(cString: fovea_postgres_message(connection)), place: place, isLost: isEnded)
    if isEnded || error.isPlanOutdated { isLost = true }
    throw error
  }

  private func value(_ row: Int32, _ column: Int32, type: UInt32) throws -> (any DatabaseValueConvertible)? {
    var length: Int32 = 0
    guard let start = unsafe fovea_postgres_value(connection, row, column, &length) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(length))
    switch (Int(type), length) {
    case (Int(FOVEA_POSTGRES_TEXT), _): return unsafe String(decoding: bytes, as: UTF8.self)
    case (Int(FOVEA_POSTGRES_INT8), 8):
      return unsafe Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case (Int(FOVEA_POSTGRES_INT4), 4):
      return unsafe Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case (Int(FOVEA_POSTGRES_FLOAT8), 8):
      return unsafe Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    case (Int(FOVEA_POSTGRES_BOOL), 1): return unsafe Int64(bytes[0])
    default:
      throw PostgresError(code: "XX000", message: "a column has the unknown type \(type)", place: place)
    }
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Calls `body` with texts as C has them; the list ends with NULL.
  private static func withTexts<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let bytes = texts.map { $0.utf8CString }
    var copies = unsafe bytes.map { text -> UnsafePointer<CChar>? in
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
      for (index, character) in text.enumerated() { unsafe copy[index] = character }
      return unsafe UnsafePointer(copy)
    }
    unsafe copies.append(nil)
    defer { unsafe copies.forEach { unsafe $0?.deallocate() } }
    return unsafe body(copies)
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import FoveaCore

/// A number of bytes: `500000`, `500MB`, `4GiB`, `1TiB`.
struct ByteCount: Equatable {
  let bytes: Int64

  init(bytes: Int64) { self.bytes = bytes }

  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    let units: [String: Int64] = [
      "": 1, "B": 1, "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
      "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
    ]
    guard let count = Int64(digits), count > 0, let unit = units[String(argument.dropFirst(digits.count))]
    else {
      return nil
    }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: unit)
    guard !overflow else { return nil }
    self.bytes = bytes
  }

  /// Reads an option: ArgumentParser's own error does not describe the format.
  /// - Throws: `ValidationError` with the format.
  init(option text: String) throws {
    try self.init(option: text, range: "above 0, such as 500000, 500kB or 32MiB")
  }

  /// Reads an option whose command checks the range, described as in "above 0, such as 500kB".
  /// - Throws: `ValidationError` with the range.
  init(option text: String, range: String) throws {
    guard let count = ByteCount(argument: text) else {
      throw ValidationError("Give a number of bytes \(range).")
    }
    self = count
  }
}

/// Whole numbers in options.
enum WholeNumber {
  /// Returns the parser of an option whose command checks the range.
  /// - Returns: A function that throws `ValidationError` with the range if the text is not a whole number.
  static func option(_ range: ClosedRange<Int>) -> @Sendable (_ text: String) throws -> Int {
    { text in
      guard let number = Int(text) else {
        throw ValidationError("Give a whole number from \(range.lowerBound) to \(range.upperBound).")
      }
      return number
    }
  }
}

/// Decimal numbers in options.
enum DecimalNumber {
  /// Reads an option whose command checks the range: `Double` also reads hexadecimal digits, which are rather
  /// a mistake.
  /// - Throws: `ValidationError` with the format.
  static func option(_ text: String) throws -> Double {
    let bytes = Array(text.utf8)
    guard let number = NumberText.double(bytes, 0..<bytes.count) else {
      throw ValidationError("Give a decimal number, such as 10 or 0.5.")
    }
    return number
  }
}

/// A time like ``Seconds``, but possibly 0.
struct Delay: Equatable {
  let seconds: Double

  init?(argument: String) {
    guard let seconds = TimeText.seconds(argument) else { return nil }
    self.seconds = seconds
  }

  /// Reads an option.
  /// - Throws: `ValidationError` with the format.
  init(option text: String) throws {
    guard let delay = Delay(argument: text) else {
      throw ValidationError("Give a time such as 0s, 500ms, 5s or 10m; the number may be up to 10000000.")
    }
    self = delay
  }
}

/// A time: `25`, `2.5s`, `500ms`, `10m`, `1h`, `7d`.
struct Seconds: Equatable {
  let seconds: Double

  init(_ seconds: Double) { self.seconds = seconds }

  init?(argument: String) {
    guard let seconds = TimeText.seconds(argument), seconds > 0 else { return nil }
    self.seconds = seconds
  }

  /// Reads an option.
  /// - Throws: `ValidationError` with the format.
  init(option text: String) throws {
    guard let time = Seconds(argument: text) else {
      throw ValidationError(
        "Give a time above 0, such as 1ms, 25s, 10m, 1h or 7d; the number may be up to 10000000.")
    }
    self = time
  }
}
#endif

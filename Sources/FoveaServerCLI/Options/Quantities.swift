// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser

  /// A number of bytes: `500000`, `500MB`, `4GiB`.
  struct ByteCount: ExpressibleByArgument, Equatable {
    let bytes: Int64

    init(bytes: Int64) { self.bytes = bytes }

    init?(argument: String) {
      let digits = argument.prefix { $0.isASCII && $0.isNumber }
      let units: [String: Int64] = [
        "": 1, "B": 1, "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20,
        "GiB": 1 << 30,
      ]
      guard let count = Int64(digits), count > 0, let unit = units[String(argument.dropFirst(digits.count))]
      else {
        return nil
      }
      let (bytes, overflow) = count.multipliedReportingOverflow(by: unit)
      guard !overflow else { return nil }
      self.bytes = bytes
    }

    /// Reads an option that only `--help-hidden` shows: ArgumentParser does not describe what those take.
    /// - Throws: `ValidationError` with the form.
    init(option text: String) throws {
      guard let count = ByteCount(argument: text) else {
        throw ValidationError("Give a number of bytes, as 500000, 500kB or 32MiB.")
      }
      self = count
    }

    var defaultValueDescription: String {
      for (unit, size) in [("GiB", Int64(1) << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
      where bytes.isMultiple(of: size) {
        return "\(bytes / size)\(unit)"
      }
      return String(bytes)
    }
  }

  /// A time as ``Seconds``, which may be 0.
  struct Delay: ExpressibleByArgument, Equatable {
    let seconds: Double

    init?(argument: String) {
      let units = ["", "ms", "s", "m", "h"]
      if units.contains(where: { argument == "0" + $0 }) {
        seconds = 0
      } else {
        guard let time = Seconds(argument: argument) else { return nil }
        seconds = time.seconds
      }
    }
  }

  /// A time: `25`, `2.5s`, `500ms`, `10m`, `1h`.
  struct Seconds: ExpressibleByArgument, Equatable {
    let seconds: Double

    init(_ seconds: Double) { self.seconds = seconds }

    init?(argument: String) {
      let units: [String: Double] = ["": 1, "ms": 0.001, "s": 1, "m": 60, "h": 3_600]
      let number = argument.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      guard let unit = units[String(argument.dropFirst(number.count))], let value = Double(number), value > 0,
        value <= 1e7
      else { return nil }
      seconds = value * unit
    }

    var defaultValueDescription: String {
      seconds == seconds.rounded() ? "\(Int(seconds))s" : "\(seconds)s"
    }
  }
#endif

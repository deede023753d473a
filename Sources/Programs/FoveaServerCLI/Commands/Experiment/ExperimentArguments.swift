// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
package import FoveaHost

extension WeightedVariants: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

/// A time in days or less: `24h`, `7d`, `90m`, `0`.
struct Window: ExpressibleByArgument, Equatable {
  let seconds: Double

  init(seconds: Double) { self.seconds = seconds }

  init?(argument: String) {
    if argument == "0" {
      seconds = 0
    } else if argument.hasSuffix("d") {
      guard let days = Double(argument.dropLast()), days >= 0, days <= 10_000 else { return nil }
      seconds = days * 86_400
    } else {
      guard let time = Seconds(argument: argument) else { return nil }
      seconds = time.seconds
    }
  }

  var defaultValueDescription: String { "\(Int(seconds / 3_600))h" }
}
#endif

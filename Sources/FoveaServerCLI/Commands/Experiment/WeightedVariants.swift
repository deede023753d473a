// SPDX-License-Identifier: Apache-2.0
#if Server
  import ArgumentParser

  /// Variants and their weights: `1:50,2:50`.
  struct WeightedVariants: ExpressibleByArgument, Equatable {
    struct Item: Equatable {
      let name: String
      let weight: Int
    }

    let items: [Item]

    init?(argument: String) {
      var items: [Item] = []
      for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
        guard let colon = part.lastIndex(of: ":"), colon > part.startIndex,
          let weight = Int(part[part.index(after: colon)...])
        else { return nil }
        items.append(Item(name: String(part[..<colon]), weight: weight))
      }
      self.items = items
    }
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

// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostRequest.Rollout {
  /// One of the three changes of a rollout; halting and finishing may name the version that they are for.
  enum Change: Equatable {
    case share(version: Int, microPercent: Int)
    case halt(version: Int?)
    case finish(version: Int?)
  }

  /// Returns the requested change; `false` for `halt` or `finish` is the same as no member.
  /// - Throws: `invalid` for members that exclude each other, for none, and for an invalid share.
  func change() throws(HostError) -> Change {
    let changes = [
      "'percent'": percent != nil, "'halt'": halt == true, "'finish'": finish == true,
    ].filter(\.value).keys.sorted()
    guard changes.count < 2 else {
      throw .invalidArgument(
        "\(changes.joined(separator: " and ")) of a rollout exclude each other: give one of them")
    }
    if halt == true { return .halt(version: version) }
    if finish == true { return .finish(version: version) }
    guard let version, let percent else {
      throw .invalidArgument(
        "Give a rollout a version and a percentage from 0 to 100, or 'halt' or 'finish'")
    }
    return .share(version: version, microPercent: try Self.microPercent(percent))
  }

  /// Returns the share of a percentage, in millionths of a percent.
  /// - Throws: `invalid` for a percentage outside 0 to 100, and for one that is below the smallest share.
  static func microPercent(_ percent: Double) throws(HostError) -> Int {
    guard (0...100).contains(percent) else {
      throw .invalidArgument("The share is \(percent), not a percentage from 0 to 100")
    }
    let microPercent = Int((percent * 1_000_000).rounded())
    guard microPercent > 0 || percent == 0 else {
      throw .invalidArgument("\(percent) % is below the smallest share of a rollout, 0.000001 %")
    }
    return microPercent
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A version as a row of a page.
struct VersionRow {
  let number: Int
  let sha256: String
  /// The channels that point at it, and the rollout's share.
  let marks: [String]
  /// The facts found by running it once.
  let facts: String
  let size: String
  let created: Moment
  let author: String
  let shortAuthor: String
  /// The number of devices that report that they loaded the version, or failed to.
  let devices: String
  /// The number of times its file was sent.
  let downloads: String
  let notes: String
  /// Whether its file is deleted, or will be.
  let isGone: Bool
  let canWithdraw: Bool
  let isRollout: Bool

  init(_ version: ModelVersion, of model: HostModel, _ count: LoadCount, downloads: Int) {
    number = version.number
    sha256 = version.sha256
    size = DecimalText.bytes(Int(version.size))
    created = Moment(version.created)
    author = version.author
    shortAuthor = KeyName.short(version.author)
    devices = LoadCountText.text(loaded: count.loaded, failed: count.bad) ?? ""
    self.downloads = downloads > 0 ? DecimalText.grouped(downloads) : ""
    notes = version.notes
    isGone = !version.isUsable
    canWithdraw = !version.isWithdrawn
    isRollout = model.rollout?.version == version.number
    facts = VersionRow.text(version.facts)
    var marks = model.channels.filter { $0.value == version.number }.keys.sorted()
    if let rollout = model.rollout, isRollout { marks.append(VersionRow.text(rollout)) }
    if version.isWithdrawn { marks.append("withdrawn") }
    if version.retired != nil && !version.isWithdrawn { marks.append("retired") }
    self.marks = marks
  }

  /// Returns `10 % of the devices`, or that the rollout is halted.
  static func text(_ rollout: Rollout) -> String {
    rollout.isHalted ? "rollout halted" : "\(rollout.percent) % of the devices"
  }

  private static func text(_ facts: ModelFacts) -> String {
    var parts: [String] = []
    if let kind = facts.kind { parts.append(kind) }
    if let family = facts.family, family != facts.kind { parts.append(family) }
    if let count = facts.labelCount { parts.append(DecimalText.counted(count, "label", "labels")) }
    if let width = facts.inputWidth, let height = facts.inputHeight { parts.append("\(width) × \(height)") }
    if let time = facts.milliseconds { parts.append("\((time * 10).rounded() / 10) ms") }
    return parts.joined(separator: ", ")
  }
}
#endif

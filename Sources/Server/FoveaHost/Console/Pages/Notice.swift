// SPDX-License-Identifier: Apache-2.0
#if Server
/// The message of a page after a change; the URL contains only its name.
enum Notice: String, CaseIterable {
  case published, pointed, rollout, halted, finished, withdrawn, revoked
  case keyMade = "key-made"
  case publishedBefore = "published-before"
  case publishedAgain = "published-again"
  case publishedRepaired = "published-repaired"
  case withdrawnPastDamaged = "withdrawn-past-damaged"
  case rolledBack = "rolled-back"
  case configPublished = "config-published"
  case configRolledBack = "config-rolled-back"
  case started, drafted, paused, resumed, stopped, weights, override
  case rolledOut = "rolled-out"

  var text: String {
    switch self {
    case .published: "The version is published."
    case .publishedBefore:
      "The model already had this file: no version is added; the channel now points at the file's version."
    case .publishedAgain:
      "The channel already points at the version of this file: no version is added."
    case .publishedRepaired:
      "The channel points at the version of this file, which was damaged on the host's disk and is repaired."
    case .pointed: "The channel points at the version."
    case .rollout: "The share of the devices is set."
    case .halted: "The rollout is halted: devices no longer get its version."
    case .finished: "All devices get the version now."
    case .rolledBack: "The model is rolled back."
    case .withdrawn: "The version is withdrawn: its file answers 404."
    case .withdrawnPastDamaged:
      "The version is withdrawn. A former version is damaged on the host's disk: no channel returned to it."
    case .configPublished: "The template is in force."
    case .configRolledBack: "The earlier template is in force again, as a new version."
    case .started, .resumed: "The experiment is running."
    case .drafted: "The experiment is a draft: no variants are assigned until it starts."
    case .paused: "The experiment is paused: all units get what they get without it."
    case .stopped: "The experiment is stopped. Its report is kept."
    case .weights: "The weights are changed."
    case .override: "The test device or user is set."
    case .rolledOut: "The variant is rolled out."
    case .keyMade:
      "The form was sent twice and has made one key, this one. Its text was in the first answer, and is not "
        + "kept. If you do not have it, revoke the key and create another one."
    case .revoked: "The key is revoked. Everything that it signed is invalid."
    }
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if Server
  /// What a page says after a change; its name is all that the address has.
  enum Notice: String, CaseIterable {
    case published, pointed, rollout, halted, finished, withdrawn, revoked
    case rolledBack = "rolled-back"

    var text: String {
      switch self {
      case .published: "The version is published."
      case .pointed: "The channel points at the version."
      case .rollout: "The share of the devices is set."
      case .halted: "The rollout is halted: no device gets its version any more."
      case .finished: "All devices get the version now."
      case .rolledBack: "The model is rolled back."
      case .withdrawn: "The version is withdrawn: its file answers 404."
      case .revoked: "The key is revoked. What it signed is void."
      }
    }
  }
#endif

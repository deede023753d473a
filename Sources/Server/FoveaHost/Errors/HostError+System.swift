// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension HostError {
  /// What the system refused, without the path.
  init(system error: SystemError) {
    if error.isFull || error.number == EFBIG {
      self = .diskFull(cause: error)
    } else if error.number == EMFILE || error.number == ENFILE {
      self.init(
        .unavailable, "The host has too many files open", remedy: "Try again in a few seconds", cause: error
      )
    } else {
      self.init(
        .unavailable, "A file of the host cannot be read or written: \(error.message)",
        remedy: "Check the host's folder, its disk and its rights, then try again", cause: error)
    }
  }

  static func diskFull(cause: any Error) -> HostError {
    HostError(
      .diskFull, "There is no space left on the host's disk",
      remedy: "Make space there, then send it again",
      cause: cause)
  }
}
#endif

// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// What a session does with each frame.
struct FrameLoop: Sendable {
  let newest: NewestFrame
  let channel: RendezvousChannel<Result<TrackedFrame, FoveaError>>

  /// Works until no more frames come, or no one wants results any more.
  func run(_ stepper: FrameStepper) async {
    var stepper = stepper
    while let frame = await newest.take() {
      let result: Result<TrackedFrame, FoveaError>
      do throws(FoveaError) {
        result = .success(try await stepper.take(frame))
      } catch {
        result = .failure(error.about(frame))
      }
      guard await channel.give(result) else { break }
    }
    channel.finish()
  }
}

// SPDX-License-Identifier: Apache-2.0

import AppleShims
import Foundation
import Synchronization
import Testing

@Suite(.serialized) struct UIDeviceTests {
  @Test func `orientations have UIKit's numbers and describe how the device is held`() {
    let all: [UIDeviceOrientation] = [
      .unknown, .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown,
    ]
    #expect(all.map(\.rawValue) == Array(0...6))
    #expect(all.map(\.isPortrait) == [false, true, true, false, false, false, false])
    #expect(all.map(\.isLandscape) == [false, false, false, true, true, false, false])
    #expect(all.map(\.isFlat) == [false, false, false, false, false, true, true])
    #expect(all.filter(\.isValidInterfaceOrientation).count == 4)
  }

  @Test func `the orientation can be set from any thread, and a change is posted once`() async {
    let told = Mutex(0)
    let token = NotificationCenter.default.addObserver(
      forName: UIDevice.orientationDidChangeNotification, object: nil, queue: nil
    ) { _ in told.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(token) }
    #expect(UIDevice.current.orientation == .unknown)
    UIDevice.current.orientation = .landscapeLeft
    UIDevice.current.orientation = .landscapeLeft
    #expect(told.withLock { $0 } == 1)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for orientation in UIDeviceOrientation.allCases { UIDevice.current.orientation = orientation }
        }
      }
    }
    UIDevice.current.orientation = .unknown
    #expect(UIDevice.current.orientation == .unknown)
  }
}

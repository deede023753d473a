// SPDX-License-Identifier: Apache-2.0

import AppleCapture
import FoveaCore
import Testing

@Suite struct AVCaptureDeviceTests {
  @Test func `there are no audio devices, and none with an unknown name`() {
    #expect(AVCaptureDevice.default(for: .audio) == nil)
    #expect(AVCaptureDevice.default(.builtInWideAngleCamera, for: .audio, position: .back) == nil)
    #expect(AVCaptureDevice(uniqueID: "/dev/video4711") == nil)
    #expect(AVCaptureDevice(uniqueID: "") == nil)
    #expect(AVCaptureDevice.Position.allCases.map(\.rawValue) == [0, 1, 2])
    #expect(AVCaptureDevice.authorizationStatus(for: .video) == .authorized)
    var isAllowed = false
    AVCaptureDevice.requestAccess(for: .video) { isAllowed = $0 }
    #expect(isAllowed)
  }

  @Test func `each camera found is a file, in numeric order`() {
    let found = AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video, position: .back)
    #expect(found.devices.allSatisfy { $0.uniqueID.hasPrefix("/dev/video") && $0.position == .back })
    #expect(AVCaptureDevice.default(for: .video)?.uniqueID == found.devices.first?.uniqueID)
    for device in found.devices {
      #expect(device.hasMediaType(.video) && !device.hasMediaType(.audio))
      device.activeVideoMinFrameDuration = CMTimeMake(value: 1, timescale: 15)
      #expect(device.activeVideoMinFrameDuration.seconds == 1.0 / 15)
    }
  }
}

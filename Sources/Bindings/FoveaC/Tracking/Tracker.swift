// SPDX-License-Identifier: Apache-2.0

package import CFovea
import Fovea
import FoveaCore

@c @implementation package func fovea_tracker_open(
  _ options: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    let given = unsafe try OptionsObject.options(options)
    let tracker = try TrackerHandle(given.trackerOptions(), frameRate: given.frameRate)
    unsafe out.pointee = unsafe Handle.make(tracker)
  }
}

@c @implementation package func fovea_tracker_update(
  _ tracker: OpaquePointer?, _ frame: UnsafePointer<fovea_image>?,
  _ detections: UnsafePointer<fovea_columns>?, _ seconds: Double,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> OpaquePointer? {
  unsafe failing { () throws(FoveaError) in
    let out = unsafe try CStruct.clear(out)
    let handle = unsafe try Handle.get(TrackerHandle.self, tracker, "tracker")
    let found = unsafe try detections.map { (argument) throws(FoveaError) in
      unsafe try DetectionColumns(argument)
    }
    guard handle.followsImages || found != nil else {
      throw .argument(
        "'detections' is NULL, and the tracker does not move boxes with the image",
        remedy: "Open the tracker with the option 'every' above 1")
    }
    let images = unsafe try frame.map { (frame) throws(FoveaError) in unsafe try ImageList(frame, 1) }
    let image = try images.map { (images) throws(FoveaError) in try images[0] }
    guard !handle.followsImages || image != nil else {
      throw .argument(
        "'frame' is NULL, and the tracker moves boxes with the image",
        remedy: "Give every frame, or leave out the option 'every'")
    }
    let tracked = try handle.update(image, found, seconds: seconds)
    unsafe out.pointee = unsafe Handle.make(tracked)
  }
}

@c @implementation package func fovea_tracker_reset(_ tracker: OpaquePointer?) {
  // The errors of a busy tracker or another process cannot be returned, as the header states.
  if let handle = unsafe Handle.find(TrackerHandle.self, tracker) { _ = unsafe failing(handle.reset) }
}

@c @implementation package func fovea_tracker_close(_ tracker: OpaquePointer?) {
  unsafe Handle.release(TrackerHandle.self, tracker)
}

// SPDX-License-Identifier: Apache-2.0
//
// Reads a video frame by frame and writes it with another codec, without a model.
//
//     swift run ConvertVideo walk.mp4 walk.avi

import Fovea
import FoveaVideo

let paths = Array(CommandLine.arguments.dropFirst())
let source = paths.first ?? "Tests/Fixtures/video/h264.mp4"
let target = paths.dropFirst().first ?? ".build/converted.avi"

print("FFmpeg \(try VideoLibrary.version())")
var reading = VideoReader.Options()
reading.hardware = VideoReader.Hardware.off
let reader = try VideoReader(path: source, options: reading)
let info: VideoInfo = reader.info
print(
  "\(info.codec) \(info.uprightSize), decoded in "
    + "\(info.decoding == VideoInfo.Decoding.software ? "software" : "hardware")"
)

// The file extension selects the container; the first codec of a container is its usual one.
let container: VideoContainer = try VideoContainer(path: target)
let codec: VideoCodec = container.codecs[0]
if !VideoLibrary.canWrite(codec) { print("FFmpeg has no encoder for \(codec)") }
var writing = VideoWriter.Options()
writing.codec = codec
writing.frameRate = info.frameRate
// The frames lack the aspect ratio of their pixels and the sound, which starts with the first frame.
var next = try reader.next()
let aspect: PixelAspect = info.pixelAspect
let sound: SoundTrack? = reader.sound
(writing.pixelAspect, writing.sound) = (aspect, sound)

let writer = try VideoWriter(path: target, options: writing)
while let frame = next {
  try writer.write(frame.pixels, seconds: frame.seconds)
  next = try reader.next()
}
let summary: VideoWriter.Summary = try writer.finish()
let progress: VideoProgress = reader.progress
let isComplete = progress.end == VideoProgress.End.complete
print("\(summary.frames) frames by \(summary.encoder), complete: \(isComplete)")

// A folder of images can be read as frames too.
let folder = try FrameFolder(path: "Examples/photos", frameRate: 2)
if let first = folder.next() { print("\(folder.paths.count) images, the first at \(first.seconds) s") }

do {
  _ = try VideoReader(path: "no-such-video.mp4")
} catch {
  // A `VideoError`: its code is for programs, its message and remedy are for people.
  let isMissing = error.code == VideoCode.notFound
  print("\(isMissing ? "missing" : "unreadable"): \((error as VideoError).message)")
}

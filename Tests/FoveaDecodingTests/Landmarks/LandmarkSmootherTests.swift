// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import Testing

@testable import FoveaDecoding

@Suite struct LandmarkSmootherTests {
  /// A frame of two points, the nose and the left wrist: x, y and z in pixels, visibility, and x, y and z in
  /// metres.
  struct Frame: Sendable {
    var size: Double
    var raw: [[Double]]
    var smooth: [[Double]]
  }

  /// The answers of MediaPipe 0.10.21's PoseLandmarker, without and with its filters.
  ///
  /// The frames are those of `intel_one-by-one-person-detection.mp4` from number 70 on, at 1 s, 1.1 s and so
  /// on. It filters with `num_poses` 1, and not with `num_poses` 2; with a `min_tracking_confidence` of 1, the
  /// first of its two poses has the same crops. Sizes are those of its output `POSE_RECTS_NEXT_FRAME`.
  static let frames = [
    Frame(
      size: 500.0637,
      raw: [
        [428.7199, 132.3226, -42.0724, 0.999019, 0.061759, -0.622383, -0.065241],
        [395.4550, 261.9960, 93.9945, 0.045908, -0.065146, -0.153288, 0.150358],
      ],
      smooth: [
        [428.7199, 132.3226, -42.0724, 0.999019, 0.061759, -0.622383, -0.065241],
        [395.4550, 261.9960, 93.9945, 0.045908, -0.065146, -0.153288, 0.150358],
      ]),
    Frame(
      size: 534.2482,
      raw: [
        [438.7685, 114.1811, -26.1019, 0.999215, 0.059959, -0.640472, -0.032430],
        [410.7592, 266.3172, 84.3239, 0.084007, -0.065878, -0.116318, 0.112620],
      ],
      smooth: [
        [436.6212, 116.5626, -28.4404, 0.999038, 0.061414, -0.634051, -0.040160],
        [408.4360, 264.6553, 86.4529, 0.049718, -0.065232, -0.124271, 0.120611],
      ]),
    Frame(
      size: 535.5565,
      raw: [
        [451.1171, 97.9546, -63.1694, 0.999928, 0.020775, -0.601875, -0.101410],
        [433.1700, 286.8654, -62.6078, 0.249679, -0.040861, -0.003973, -0.101511],
      ],
      smooth: [
        [449.2452, 99.6535, -59.9819, 0.999127, 0.028952, -0.610504, -0.090846],
        [431.2008, 284.5118, -59.9650, 0.069714, -0.047934, -0.012469, -0.092285],
      ]),
    Frame(
      size: 521.6841,
      raw: [
        [456.2475, 89.7311, -130.8277, 0.999741, 0.004913, -0.651051, -0.159493],
        [524.5069, 248.8738, -154.1135, 0.709726, 0.269156, -0.037613, -0.191101],
      ],
      smooth: [
        [455.2558, 90.7056, -128.6305, 0.999189, 0.009720, -0.641385, -0.152345],
        [522.2891, 252.4395, -152.7502, 0.133715, 0.259426, -0.033310, -0.186964],
      ]),
    Frame(
      size: 534.7440,
      raw: [
        [465.5838, 78.5744, 26.3656, 0.995113, 0.022119, -0.656484, 0.035301],
        [393.9714, 248.4847, -97.3979, 0.911483, -0.271437, -0.060725, -0.144538],
      ],
      smooth: [
        [464.3120, 79.7084, 22.3790, 0.998781, 0.015279, -0.652187, 0.022543],
        [399.5082, 249.0770, -99.8872, 0.211492, -0.255881, -0.045126, -0.148554],
      ]),
    Frame(
      size: 557.9688,
      raw: [
        [467.4772, 71.7543, -5.4160, 0.999090, 0.028002, -0.621736, -0.018209],
        [387.8365, 242.1711, -26.7432, 0.884092, -0.298561, -0.099864, -0.039398],
      ],
      smooth: [
        [466.9534, 72.6060, -3.3146, 0.998812, 0.017154, -0.632136, -0.008629],
        [388.5328, 243.2029, -32.5624, 0.278752, -0.296783, -0.087513, -0.059519],
      ]),
    Frame(
      size: 574.5825,
      raw: [
        [470.0928, 66.7504, 77.1409, 0.998911, 0.041940, -0.655862, 0.098134],
        [383.0435, 231.0242, -81.0960, 0.893172, -0.319535, -0.107906, -0.100755],
      ],
      smooth: [
        [469.4640, 67.4990, 74.9300, 0.998822, 0.031954, -0.648509, 0.090671],
        [383.4893, 232.4966, -77.1480, 0.340194, -0.318211, -0.102693, -0.091241],
      ]),
  ]

  struct Values: Equatable {
    var points: [PixelPoint]
    var scores: [Float]
    var details: LandmarkDetails?

    init(_ rows: [[Double]]) {
      points = rows.map { PixelPoint(x: $0[0], y: $0[1]) }
      scores = rows.map { Float($0[3]) }
      details = LandmarkDetails(
        depths: rows.map { $0[2] }, presences: rows.map { Float($0[3]) / 2 },
        world: rows.map { SIMD3(Float($0[4]), Float($0[5]), Float($0[6])) })
    }

    var rows: [[Double]] {
      points.indices.map { index in
        let world = details?.world[index] ?? SIMD3(repeating: .nan)
        return [
          points[index].x, points[index].y, details?.depths[index] ?? .nan, Double(scores[index]),
          Double(world.x), Double(world.y), Double(world.z),
        ]
      }
    }

    /// The values, filtered.
    func next(_ smoother: inout LandmarkSmoother, size: Double = 100, after seconds: Double?) -> Values {
      var values = self
      smoother.smooth(
        &values.points, scores: &values.scores, details: &values.details, size: size, after: seconds)
      return values
    }
  }

  @Test func `the points of a body are those of MediaPipe`() {
    var smoother = LandmarkSmoother()
    for (number, frame) in Self.frames.enumerated() {
      let raw = Values(frame.raw)
      let found = raw.next(&smoother, size: frame.size, after: number == 0 ? nil : 0.1)
      for (row, expected) in zip(found.rows, frame.smooth) {
        let (pixels, others) = (zip(row, expected).prefix(3), zip(row, expected).dropFirst(3))
        #expect(pixels.allSatisfy { abs($0 - $1) < 1e-3 }, "\(number): \(row) \(expected)")
        #expect(others.allSatisfy { abs($0 - $1) < 2e-6 }, "\(number): \(row) \(expected)")
      }
      #expect(found.details?.presences == raw.details?.presences)
    }
  }

  static let first = Values([[10, 20, 3, 0.5, 0.1, 0.2, 0.3]])
  static let second = Values([[11, 19, 4, 0.9, 0.2, 0.1, 0.4]])

  @Test(
    arguments: [
      (100, 0.04, true), (1e-6, 0.04, true), (100, nil, false), (0, 0.04, false), (-1, 0.04, false),
      (.nan, 0.04, false), (1e-7, 0.04, false),
    ] as [(Double, Double?, Bool)])
  func `values are filtered if the time and the size are known`(
    _ size: Double, _ seconds: Double?, _ isFiltered: Bool
  ) {
    var smoother = LandmarkSmoother()
    #expect(Self.first.next(&smoother, after: 0.04) == Self.first)
    let found = Self.second.next(&smoother, size: size, after: seconds)
    #expect((found != Self.second) == isFiltered)
    guard !isFiltered else { return }
    // The filters begin with these values.
    #expect(Self.second.next(&smoother, after: 0.04).rows == Self.second.rows)
  }

  @Test func `another number of points, scores or other values starts again`() {
    var plain = Self.second
    plain.details = nil
    var hidden = Self.second
    hidden.scores = []
    let two = Values([[1, 2, 3, 0.5, 0, 0, 0], [4, 5, 6, 0.5, 0, 0, 0]])
    for other in [plain, hidden, two, Values([])] {
      var smoother = LandmarkSmoother()
      _ = Self.first.next(&smoother, after: nil)
      #expect(other.next(&smoother, after: 0.04) == other)
      #expect(Self.first.next(&smoother, after: 0.04) == Self.first)
    }
  }

  @Test func `a face has no scores and no metres`() {
    func face(_ values: Values) -> Values {
      var values = values
      values.scores = []
      values.details?.world = []
      return values
    }
    var smoother = LandmarkSmoother()
    _ = face(Self.first).next(&smoother, after: nil)
    let found = face(Self.second).next(&smoother, after: 0.04)
    #expect(found.scores.isEmpty && found.details?.world.isEmpty == true)
    #expect((10..<11).contains(found.points[0].x) && found.points[0].x > 10)
    #expect((3..<4).contains(found.details?.depths[0] ?? 0))
  }

  @Test(arguments: [.infinity, -.infinity, .nan, 1e200] as [Double])
  func `a number that is not finite or huge does not stay in the filters`(_ wrong: Double) {
    var smoother = LandmarkSmoother()
    _ = Self.first.next(&smoother, after: 0.04)
    var broken = Self.second
    broken.points[0].x = wrong
    let found = broken.next(&smoother, after: 0.04)
    #expect(found.points[0].y == 19 && found.details == broken.details)
    #expect(Self.first.next(&smoother, after: 0.04) == Self.first)
    #expect(Self.second.next(&smoother, after: 0.04).rows.joined().allSatisfy { $0.isFinite })
  }

  @Test func `speeds are measured in the crop of a body, the box of a face, and not for others`() {
    let points = [PixelPoint(x: 0, y: 10), PixelPoint(x: 40, y: 30)]
    let crop = OrientedBox(center: points[0], width: 100, height: 100, angle: 1)
    let families: [(LandmarkFamily, OrientedBox?, Double)] = [
      (.body, crop, 100), (.body, nil, 30), (.face, crop, 30), (.faceParts, nil, 30),
      (.faceWithIrises, crop, 30), (.hand, crop, 0), (.rtmPose, nil, 0),
    ]
    for (family, crop, size) in families { #expect(family.size(of: points, next: crop) == size) }
    #expect(LandmarkFamily.face.size(of: [], next: nil) == 0)
  }
}

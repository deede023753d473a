// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

public struct BoxFlow {
  nonisolated(unsafe) public static var k = [String: Double]()
  struct P { var x: Int; var y: Int; var d: SIMD2<Double>; var e: Double }
  public init() {}
  var gradient = [Int16](repeating: 0, count: Window.gradientCount)
  func grid(_ b: BoundingBox, _ p: GreyPyramid) -> [(Int, Int)] {
    let n = Int(Self.k["n"] ?? 8), m = Self.k["m"] ?? 0.05
    let s = Double(p.scale)
    var xs: [Int] = [], ys: [Int] = []
    for i in 0..<n {
      let t = m + (1 - 2 * m) * Double(i) / Double(n - 1)
      let x = Int(((b.minX + t * b.width) / s).rounded(.down)), y = Int(((b.minY + t * b.height) / s).rounded(.down))
      if xs.last != x { xs.append(x) }
      if ys.last != y { ys.append(y) }
    }
    let l = p.levels[0]
    var r: [(Int, Int)] = []
    for y in ys where y >= 0 && y < l.height { for x in xs where x >= 0 && x < l.width { r.append((x, y)) } }
    return r
  }
  static func median(_ v: [Double]) -> Double {
    let s = v.sorted(); let n = s.count
    return n % 2 == 1 ? s[n / 2] : (s[n / 2 - 1] + s[n / 2]) / 2
  }
  public mutating func shift(
    _ box: BoundingBox, _ a: GreyPyramid, _ b: GreyPyramid, guess: SIMD2<Double> = .zero, coarsest: Int = 3
  ) -> (SIMD2<Double>, Int)? {
    let pts = grid(box, a)
    let top = min(coarsest, a.levels.count - 1)
    let s = Double(a.scale)
    let share = Int(Self.k["share"] ?? 0)
    var found: [P] = []
    a.withPixels { pa in
      b.withPixels { pb in
        unsafe gradient.withUnsafeMutableBufferPointer { g in
          let pair = unsafe PyramidPair(levels: a.levels, first: pa, second: pb, gradient: g.baseAddress!)
          let back = unsafe pair.reversed
          var guess = guess / s
          var start = top
          if share > 0, top >= share {
            // coarse levels with few points
            let c = Int(Self.k["cn"] ?? 3)
            var v: [SIMD2<Double>] = []
            for i in 0..<c { for j in 0..<c {
              let t = (Double(i) + 0.5) / Double(c), u = (Double(j) + 0.5) / Double(c)
              let x = Int(((box.minX + t * box.width) / s).rounded(.down)), y = Int(((box.minY + u * box.height) / s).rounded(.down))
              guard unsafe GreyView(a.levels[0], pa).contains(x, y) else { continue }
              if let d = unsafe pair.displacement(x, y, coarsest: top, guess: guess, finest: share) { v.append(d) }
            } }
            if v.count > 0 { guess = SIMD2(Self.median(v.map { $0.x }), Self.median(v.map { $0.y })) ; start = share - 1 }
          }
          let backTop = Int(Self.k["bt"] ?? 3)
          for (x, y) in pts {
            guard let d = unsafe pair.displacement(x, y, coarsest: start, guess: guess) else { continue }
            let nx = Int((Double(x) + d.x).rounded()), ny = Int((Double(y) + d.y).rounded())
            guard unsafe GreyView(a.levels[0], pa).reaches(nx, ny) else { continue }
            let bg = backTop >= 3 ? -guess : -guess
            guard let r = unsafe back.displacement(nx, ny, coarsest: min(start, backTop), guess: (start < 3 || backTop < 3) ? bg : .zero) else { continue }
            let e = d + r
            found.append(P(x: x, y: y, d: d, e: (e.x * e.x + e.y * e.y).squareRoot()))
          }
        }
      }
    }
    guard found.count >= 4 else { return nil }
    let med = Self.median(found.map(\.e))
    let good = found.filter { $0.e <= med && $0.e < (Self.k["emax"] ?? 1) }
    guard good.count >= 4 else { return nil }
    return (SIMD2(Self.median(good.map { $0.d.x }) * s, Self.median(good.map { $0.d.y }) * s), good.count)
  }
}

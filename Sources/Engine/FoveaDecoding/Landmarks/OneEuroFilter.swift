// SPDX-License-Identifier: Apache-2.0

/// A low-pass filter of a number over time: it removes the jitter of a slow number, and hardly delays a fast
/// one, because its cutoff frequency rises with the speed.
///
/// **Source:** G. Casiez, N. Roussel, D. Vogel, "1 € Filter: A Simple Speed-based Low-pass Filter for Noisy
/// Input in Interactive Systems", CHI 2012, algorithms 1 to 3. The speed is that between two unfiltered
/// numbers, as in MediaPipe's `one_euro_filter.cc`; in the paper, the first of both is filtered.
struct OneEuroFilter: Sendable, Hashable {
  /// The parameters of filters.
  struct Cutoffs: Sendable, Hashable {
    /// The cutoff frequency of a number that does not change, in hertz; a lower one removes more jitter.
    let rest: Double
    /// The rise of the cutoff with the speed; a higher one delays a fast number less.
    let slope: Double
    /// The cutoff frequency of the speed, in hertz.
    let speed: Double
  }

  /// The filtered number.
  private(set) var filtered: Double
  private var last: Double
  private var speed = 0.0

  /// Creates a filter whose first number is unchanged.
  init(_ first: Double) { (filtered, last) = (first, first) }

  /// Filters the next number.
  /// - Parameters:
  ///   - number: The number, finite.
  ///   - seconds: The time since the previous one, above 0.
  ///   - scale: The factor of the speed.
  ///   - cutoffs: The parameters.
  mutating func take(_ number: Double, after seconds: Double, scale: Double, _ cutoffs: Cutoffs) {
    let rate = (number - last) * scale / seconds
    speed += Self.share(of: cutoffs.speed, seconds) * (rate - speed)
    let cutoff = cutoffs.rest + cutoffs.slope * abs(speed)
    filtered += Self.share(of: cutoff, seconds) * (number - filtered)
    last = number
  }

  /// Returns the weight of a new number at a cutoff frequency.
  private static func share(of cutoff: Double, _ seconds: Double) -> Double {
    1 / (1 + 1 / (2 * .pi * cutoff * seconds))
  }
}

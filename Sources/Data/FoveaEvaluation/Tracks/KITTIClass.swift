// SPDX-License-Identifier: Apache-2.0

/// The type of an object in KITTI's tracking benchmark.
///
/// **Source:** Geiger, Lenz and Urtasun, "Are we ready for Autonomous Driving? The KITTI Vision Benchmark
/// Suite", CVPR 2012; the devkit of the tracking benchmark, which defines the types.
public enum KITTIClass: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// A car.
  case car = 1
  /// A van; neither right nor wrong as a car.
  case van
  /// A truck.
  case truck
  /// A pedestrian.
  case pedestrian
  /// A sitting person; neither right nor wrong as a pedestrian.
  case sittingPerson
  /// A cyclist.
  case cyclist
  /// A tram.
  case tram
  /// Anything else.
  case misc
  /// A region without labels.
  case dontCare

  /// The type as KITTI's files write it.
  public var description: String {
    switch self {
    case .car: "Car"
    case .van: "Van"
    case .truck: "Truck"
    case .pedestrian: "Pedestrian"
    case .sittingPerson: "Person"
    case .cyclist: "Cyclist"
    case .tram: "Tram"
    case .misc: "Misc"
    case .dontCare: "DontCare"
    }
  }

  /// Finds the class with a type of KITTI's files, in any case; nil for others.
  ///
  /// Sitting persons are "Person" in the tracking benchmark, "Person_sitting" in others; both are accepted.
  package init?(type: String) {
    let type = type.lowercased()
    if type == "person_sitting" {
      self = .sittingPerson
      return
    }
    guard let match = KITTIClass.allCases.first(where: { $0.description.lowercased() == type }) else {
      return nil
    }
    self = match
  }

  /// The class that counts as neither right nor wrong for this one.
  var neighbour: KITTIClass? {
    switch self {
    case .car: .van
    case .pedestrian: .sittingPerson
    default: nil
    }
  }
}

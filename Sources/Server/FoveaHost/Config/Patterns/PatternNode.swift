// SPDX-License-Identifier: Apache-2.0
#if Server
/// A part of a pattern.
indirect enum PatternNode: Sendable {
  case empty
  case set(PatternSet)
  case place(PatternProgram.Place)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// Repeated `least` to `most` times; without limit if `most` is nil.
  case repeated(PatternNode, least: Int, most: Int?)
}

/// Writes the steps of a pattern.
struct PatternCompiler {
  private(set) var steps: [PatternProgram.Step] = []

  mutating func add(_ node: PatternNode) throws(PatternFailure) {
    switch node {
    case .empty: break
    case .set(let set): try append(.take(set))
    case .place(let place): try append(.check(place))
    case .sequence(let nodes): for node in nodes { try add(node) }
    case .choice(let nodes): try choice(nodes[...])
    case .repeated(let node, let least, let most): try repeated(node, least, most)
    }
  }

  private mutating func append(_ step: PatternProgram.Step) throws(PatternFailure) {
    guard steps.count < PatternProgram.mostSteps else {
      throw PatternFailure(
        position: 1,
        reason: "the pattern has more than \(PatternProgram.mostSteps) steps, including its repeated parts")
    }
    steps.append(step)
  }

  private mutating func choice(_ nodes: ArraySlice<PatternNode>) throws(PatternFailure) {
    guard let first = nodes.first else { return }
    guard nodes.count > 1 else { return try add(first) }
    let split = steps.count
    try append(.split(split + 1, 0))
    try add(first)
    let jump = steps.count
    try append(.jump(0))
    steps[split] = .split(split + 1, steps.count)
    try choice(nodes.dropFirst())
    steps[jump] = .jump(steps.count)
  }

  private mutating func repeated(_ node: PatternNode, _ least: Int, _ most: Int?) throws(PatternFailure) {
    // Parts without a character add no steps, however often they are repeated.
    let begin = steps.count
    for _ in 0..<least {
      try add(node)
      if steps.count == begin { return }
    }
    guard let most else {
      let split = steps.count
      try append(.split(split + 1, 0))
      try add(node)
      try append(.jump(split))
      steps[split] = .split(split + 1, steps.count)
      return
    }
    var splits: [Int] = []
    for _ in least..<max(least, most) {
      splits.append(steps.count)
      try append(.split(0, 0))
      try add(node)
    }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }
}
#endif

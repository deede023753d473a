// SPDX-License-Identifier: Apache-2.0

import FoveaTraining
import Testing

@Suite struct FoldsTests {
  @Test(arguments: [2, 3, 5, 7])
  func `each fold has its share of each class`(count: Int) throws {
    let labels = (0..<200).map { $0 % 7 == 0 ? 2 : $0 % 2 }
    let folds = try Folds(labels: labels, count: count)
    #expect(folds.count == count)
    for label in 0...2 {
      let all = labels.filter { $0 == label }.count
      for part in 0..<count {
        let here = folds.rows(of: part).filter { labels[$0] == label }.count
        #expect(abs(Double(here) - Double(all) / Double(count)) < 1)
      }
    }
    for part in 0..<count {
      #expect(Set(folds.rows(of: part)).isDisjoint(with: folds.rows(without: part)))
      #expect(folds.rows(of: part).count + folds.rows(without: part).count == labels.count)
    }
  }

  @Test func `the same photos stay together, in every run`() throws {
    let labels = (0..<60).map { $0 / 20 }
    let groups = (0..<60).map { $0 / 4 }
    let folds = try Folds(labels: labels, groups: groups, count: 5, seed: 7)
    for group in 0..<15 { #expect(Set((0..<4).map { folds.fold[4 * group + $0] }).count == 1) }
    #expect(try Folds(labels: labels, groups: groups, count: 5, seed: 7) == folds)
    #expect(try Folds(labels: labels, groups: groups, count: 5, seed: 8) != folds)
    // Recorded once: another order would train other models.
    let first = try Folds(labels: (0..<12).map { $0 % 2 }, count: 3)
    #expect(first.fold == [1, 2, 2, 2, 1, 0, 0, 1, 0, 1, 2, 0])
  }

  @Test func `there are no more folds than photos in the smallest class`() throws {
    #expect(try Folds(labels: [0, 0, 0, 0, 1, 1, 1], count: 5).count == 3)
    #expect(try Folds(labels: [0, 0, 1, 1], count: 1).count == 2)
    #expect(throws: LearningProblem.oneClass) { try Folds(labels: [1, 1, 1]) }
    #expect(throws: LearningProblem.oneClass) { try Folds(labels: []) }
    #expect(throws: LearningProblem.labels) { try Folds(labels: [0, 0, 1]) }
    #expect(throws: LearningProblem.labels) { try Folds(labels: [0, 0, 1, 1], groups: [0, 1, 2, 2]) }
    #expect(throws: LearningProblem.labels) { try Folds(labels: [0, 0, 1, 1], groups: [0]) }
  }

  @Test func `each fold has its share of classes if photos have several`() throws {
    // 120 photos: a class of all, of half, of a tenth, of four, and one without photos.
    let sets = (0..<120).map { row in
      [0] + (row % 2 == 0 ? [1] : []) + (row % 10 == 3 ? [2] : []) + (row % 30 == 7 ? [3] : [])
    }
    let folds = try Folds(sets: sets, classCount: 5, count: 4, seed: 3)
    for (index, size) in [120, 60, 12, 4].enumerated() {
      for part in 0..<4 {
        #expect(folds.rows(of: part).count { sets[$0].contains(index) } == size / 4, "\(index)")
      }
    }
    #expect(try Folds(sets: sets, classCount: 5, count: 4, seed: 3) == folds)
    #expect(try Folds(sets: sets, classCount: 5, count: 4, seed: 4) != folds)
  }

  @Test func `groups stay together, with several classes or none`() throws {
    let sets = (0..<40).map { $0 % 3 == 0 ? [] : [$0 % 2, 2] }
    let groups = (0..<40).map { $0 / 4 }
    let folds = try Folds(sets: sets, classCount: 3, groups: groups, count: 5)
    for group in 0..<10 { #expect(Set((0..<4).map { folds.fold[4 * group + $0] }).count == 1) }
    #expect((0..<5).allSatisfy { folds.rows(of: $0).count == 8 })
    #expect(try Folds(sets: [[], [], []], classCount: 1, count: 9).count == 3)
    for (sets, groups) in [([[0], [1]], nil), ([[0]], nil), ([[0], [0]], [3, 3]), ([[0], [0]], [1])] {
      #expect(throws: LearningProblem.labels) { try Folds(sets: sets, classCount: 1, groups: groups) }
    }
  }
}

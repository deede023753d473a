// SPDX-License-Identifier: Apache-2.0

import FoveaRender

extension TrainedLabels {
  private static let shownMistakes = 60
  private static let shownGroups = 60

  /// The surest wrong answers.
  func mistakes(_ thumbnails: (TrainingSet.Photo) -> Thumbnail?) -> [TrainingPage.Mistake] {
    let judged = findings.judged
    let (answers, right) = (judged.answers, judged.areRight)
    let wrong = judged.photos.indices.filter { !right[$0] }.sorted { first, second in
      let (a, b) = (
        judged.probabilities[first][answers[first]], judged.probabilities[second][answers[second]]
      )
      return a == b ? first < second : a > b
    }
    return wrong.prefix(TrainedLabels.shownMistakes).map { row in
      TrainingPage.Mistake(
        photo: pagePhoto(judged.photos[row], thumbnails), given: judged.photos[row].labels.first ?? 0,
        answered: answers[row], score: judged.probabilities[row][answers[row]])
    }
  }

  /// Photos that are probably labelled wrong.
  func suspects(_ thumbnails: (TrainingSet.Photo) -> Thumbnail?) -> [TrainingPage.Suspect] {
    findings.issues.map { issue in
      TrainingPage.Suspect(
        photo: pagePhoto(findings.judged.photos[issue.row], thumbnails), given: issue.given,
        likelier: issue.likelier, ratio: issue.ratio)
    }
  }

  /// Photos that are probably the same.
  func samePhotos(_ thumbnails: (TrainingSet.Photo) -> Thumbnail?) -> [TrainingPage.SamePhotos] {
    let photos = findings.judged.photos
    let groups = findings.repeated.map { rows in rows.map { photos[$0] } }
    // Those in two classes are an error in the photos, so they come first.
    let sorted = groups.filter { $0.areOfTwoClasses } + groups.filter { !$0.areOfTwoClasses }
    let shown = sorted.prefix(TrainedLabels.shownGroups).map { group in
      TrainingPage.SamePhotos(
        photos: group.map { .init(photo: pagePhoto($0, thumbnails), given: $0.labels.first ?? 0) },
        isSameFile: false)
    }
    let known = findings.knownTestPhotos.map { test, learned in
      TrainingPage.SamePhotos(
        photos: [learned, test].map {
          .init(photo: pagePhoto($0, thumbnails), given: $0.labels.first ?? 0, isTest: $0.isTest)
        }, isSameFile: false)
    }
    return shown + known
  }

  private func pagePhoto(
    _ photo: TrainingSet.Photo, _ thumbnails: (TrainingSet.Photo) -> Thumbnail?
  ) -> TrainingPage.Photo {
    TrainingPage.Photo(name: photo.name, thumbnail: thumbnails(photo))
  }
}

extension [TrainingSet.Photo] {
  /// Whether photos that are probably the same were given different labels.
  var areOfTwoClasses: Bool { contains { $0.labels != self[0].labels } }
}

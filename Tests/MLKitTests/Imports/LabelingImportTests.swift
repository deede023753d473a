// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import MLKitImageLabelingCustom
import Testing

/// That it compiles is the test: the one import brings every type that the code of an app mentions.
@Suite(.onOwnThread) struct LabelingImportTests {
  private func labels(in buffer: CMSampleBuffer, model: CustomRemoteModel) throws -> [ImageLabel] {
    let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(remoteModel: model))
    return try labeler.results(in: VisionImage(buffer: buffer))
  }

  @Test("The module of custom labelers alone is enough")
  func alone() { _ = labels }
}

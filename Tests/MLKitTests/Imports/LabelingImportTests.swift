// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import MLKitImageLabelingCustom
import Testing

/// Compiling is the test: the one import provides each type in an app's code.
@Suite(.onOwnThread) struct LabelingImportTests {
  private func labels(in buffer: CMSampleBuffer, model: CustomRemoteModel) throws -> [ImageLabel] {
    let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(remoteModel: model))
    return try labeler.results(in: VisionImage(buffer: buffer))
  }

  @Test("Importing only the module of custom labelers is enough")
  func alone() { _ = labels }
}

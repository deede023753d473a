// SPDX-License-Identifier: Apache-2.0

import FoveaDetection
import FoveaLabeling
import FoveaRuntime

/// The attempt to find out how a model can be used.
struct FamilyRecognition {
  var signature: ModelSignature
  var family: String?
  var reason = ""
  var needs: [String] = []
  var input: ImageInputTensor?

  init(_ loaded: LoadedModel, labelCount: Int?) {
    signature = loaded.model.signatures[0]
    do {
      let session = try Session(model: loaded.model)
      signature.inputs = session.inputs
      signature.outputs = session.outputs
    } catch {
      reason = error.message
      needs = [error.remedy]
      return
    }
    let usual = recognizeOutputs(loaded, labelCount: labelCount)
    do {
      input = try ImageInputTensor(
        modelName: loaded.name, signature: signature, metadata: loaded.metadata, normalization: nil,
        family: usual)
    } catch {
      needs.append("one image input: float32, uint8 or int8 [1, height, width, 3] or [1, 3, height, width]")
    }
    noteWhatIsLeftOut(loaded)
    if input == nil { family = nil }
    // What a model of no known family wants of its pixels cannot be told.
    if family == nil { input = nil }
    if input?.normalizationSource == .assumed {
      needs.append(
        "the normalisation (--normalize MEAN,STD) if it is not (pixel − 127.5) / 127.5, which is assumed")
    }
  }

  /// What the metadata asks for and Fovea does not do yet.
  private mutating func noteWhatIsLeftOut(_ loaded: LoadedModel) {
    if (loaded.metadata?.outputs ?? []).contains(where: { $0.scoreCalibration != nil }) {
      needs.append(
        "the score calibration of its metadata, which Fovea does not apply yet: scores are the model's own")
    }
  }

  /// Finds the family by the outputs.
  /// - Returns: How the family wants its picture.
  private mutating func recognizeOutputs(_ loaded: LoadedModel, labelCount: Int?) -> DetectorInput {
    let hasLabels = labelCount != nil
    var recognizer = DetectorRecognizer(
      modelName: loaded.name, signature: signature, metadata: loaded.metadata)
    recognizer.labelCount = labelCount
    var refusal: DetectionError?
    do {
      let decoder = try recognizer.decoder()
      family = decoder.family.name
      reason = "a detector by its outputs"
      if decoder.hasClasses, !hasLabels {
        needs.append("a label file (--labels) for names of classes in place of numbers")
      }
      if let count = decoder.classCount, let labelCount, count != labelCount {
        needs.append("labels that fit: there are \(labelCount), but the outputs have \(count) classes")
      }
      return decoder.family.input
    } catch {
      refusal = error
    }
    if let head = try? ClassifierHead(modelName: loaded.name, signature: signature) {
      family = "classifier"
      reason = "one row of scores"
      if !hasLabels {
        needs.append("a label file with \(head.classCount) lines (--labels) for names in place of numbers")
      }
      return DetectorInput()
    }
    if let refusal, refusal.code != .unknownFamily {
      reason = refusal.message
      needs.append(refusal.remedy)
      return DetectorInput()
    }
    let nearest = NearestFamily(to: signature)
    reason = "nearest to \(nearest.family), but \(nearest.difference)"
    needs += DetectorFamily.all.map { "the outputs of \($0.name): \($0.rule); or" }
    needs.append("the output of a classifier: one, [1, N] or [1, 1, 1, N], of uint8, int8 or float32")
    return DetectorInput()
  }
}

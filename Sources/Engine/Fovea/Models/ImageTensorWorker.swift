// SPDX-License-Identifier: Apache-2.0

import FoveaDecoding
import FoveaGeometry
import FoveaImage
package import FoveaRuntime

/// One session of a model of any kind with an image input, which is filled as the model's task fills it.
///
/// It is for callers that need a model's numbers or the time of its runs. Like a session, it has one owner at
/// a time.
package final class ImageTensorWorker {
  private let modelName: String
  let session: Session
  let state: StateTensors
  let input: ImageInputTensor
  private let preparation: ImagePreparation
  private let scratch = TensorScratch()

  /// Loads and compiles a model.
  /// - Parameters:
  ///   - model: The model.
  ///   - options: Facts that the model does not declare, the threads, and the limits of images; the other
  ///     options have no effect.
  /// - Throws: `model-…`, `metadata-…`; `model-unsupported` for a model without an image input.
  package init(_ model: ModelSource, _ options: ObjectDetector.Options) throws(FoveaError) {
    do {
      let loaded = try LoadedModel(model, labelFile: options.labelFile, exact: options.exactArithmetic)
      let profile = ModelProfile(loaded, options, session: options.session)
      modelName = loaded.name
      input = try profile.input.get()
      session = try loaded.session(options.session)
      state = StateTensors(of: ModelSignature(key: "", inputs: session.inputs, outputs: session.outputs))
      preparation = ImagePreparation(options)
    } catch {
      throw FoveaError(error)
    }
  }

  /// Writes an image into the input.
  /// - Throws: `image-…` for an image that cannot be read.
  package func fill(_ image: ImageInput) throws(FoveaError) {
    do {
      try preparation.fill(state.inputs[0], of: session, with: image, input.spec, scratch: scratch)
    } catch {
      throw FoveaError(error)
    }
  }

  /// Returns the mean colours of an image in a grid, from the pixels that fill the input.
  /// - Parameters:
  ///   - image: The image, stretched to a square.
  ///   - side: The number of rows and columns.
  /// - Returns: The pixels, row by row, with the channels of the input.
  /// - Throws: `image-…` for an image that cannot be read.
  package func colors(of image: ImageInput, side: Int) throws(FoveaError) -> [UInt8] {
    let spec = ImageTensorSpec(
      size: PixelSize(width: side, height: side), channelOrder: input.spec.channelOrder)
    var colors = [UInt8](repeating: 0, count: spec.byteCount)
    do {
      let opened = try preparation.open(image)
      let region = try RegionOfInterest.resolve(nil, in: opened)
      let decoded = try preparation.decode(image, opened, region: region, for: input.spec)
      try unsafe colors.withUnsafeMutableBytes { bytes in
        unsafe _ = try decoded.write(
          region: region, upright: opened.orientation, spec: spec, into: bytes, scratch: scratch)
      }
    } catch {
      throw FoveaError(error)
    }
    return colors
  }

  /// Runs the model on the content of its input, as on the first frame of a stream.
  /// - Throws: `cancelled`, `run-failed`.
  package func run(cancelledBy token: CancellationToken? = nil) throws(FoveaError) {
    do throws(RuntimeError) {
      session.clear(state)
      try session.run(cancelledBy: token)
    } catch {
      throw FoveaError(error)
    }
  }

  /// Returns the numbers of each output after a run.
  /// - Throws: `invalid-output` for a number that is not finite, `tensor-mismatch` for an output of text.
  package func numbers() throws(FoveaError) -> [[Float]] {
    var all: [[Float]] = []
    for index in state.outputs {
      var values: [Float] = []
      do throws(RuntimeError) { try session.readNumbers(output: index, into: &values) } catch {
        throw FoveaError(error)
      }
      guard let place = values.firstIndex(where: { !$0.isFinite }) else {
        all.append(values)
        continue
      }
      throw FoveaError(
        FoveaCode(LabelingCode.invalidOutput),
        "Number \(place) of output \(index) of '\(modelName)' is \(values[place])",
        remedy: "Check how the model was exported; \(term: .inspect) shows its tensors")
    }
    return all
  }
}

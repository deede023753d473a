// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

extension ModelReport {
  /// The report as one line of JSON.
  package var json: String {
    JSONText.text { json in
      json.member("path", path)
      json.member("bytes", fileSize)
      json.member("sha256", sha256)
      json.member("family", family)
      if !finds.isEmpty { json.member("finds", finds) }
      json.member("reason", reason)
      json.member("needs", needs)
      json.member("notes", notes)
      json.member("inputs", inputs)
      json.member("outputs", outputs)
      if let operators { json.member("operators", operators) }
      json.member("labels", labels)
      json.member("metadata", metadata)
      json.member("input", input)
      json.member("confidences", confidences)
      json.objects("signatures", signatures) { json, signature in
        json.member("key", signature.key)
        json.member("inputs", signature.inputs)
        json.member("outputs", signature.outputs)
      }
      switch testRun {
      case .notAsked: break
      case .impossible: json.member("run", Run?.none)
      case .done(let run): json.member("run", run)
      case .failed(let reason): json.member("run") { json in json.member("error", reason) }
      }
    }
  }
}

extension ModelReport.Run: JSONObject {
  package func appendMembers(to json: inout JSONText) {
    json.key("milliseconds")
    json.literal((milliseconds * 1_000).rounded() / 1_000)
    json.member("peakMemory", peakMemory)
  }
}

extension ModelReport.Tensor: JSONObject {
  package func appendMembers(to json: inout JSONText) {
    json.member("name", name)
    json.member("type", type)
    json.member("shape", shape)
    json.member("quantization", quantization)
  }
}

extension ModelReport.Tensor.Quantization: JSONObject {
  package func appendMembers(to json: inout JSONText) {
    json.member("scale", scale)
    json.member("zeroPoint", zeroPoint)
    json.member("channels", channels)
  }
}

extension ModelReport.Input: JSONObject {
  package func appendMembers(to json: inout JSONText) {
    json.member("fit", isCropped ? "crop" : letterbox == nil ? "stretch" : "letterbox")
    json.member("letterbox", letterbox)
    json.member("padding", padding)
    json.member("channels", isGrey ? "grey" : isBGR ? "bgr" : "rgb")
    json.member("mean", mean)
    json.member("standardDeviation", standardDeviation)
    json.member("normalizationSource", normalizationSource)
  }
}

extension ModelReport.Confidences: JSONObject {
  package func appendMembers(to json: inout JSONText) {
    json.member("activation", activation)
    json.member("source", source)
    json.member("binary", isBinary)
  }
}

extension ModelReport.Labels: JSONObject {
  package func appendMembers(to json: inout JSONText) {
    json.member("count", count)
    json.member("names", names)
    json.member("locales", locales)
    json.member("source", source)
    json.member("form", form)
    json.member("classes", classCount)
  }
}

extension ModelReport.Metadata: JSONObject {
  package func appendMembers(to json: inout JSONText) {
    json.member("name", name)
    json.member("description", description)
    json.member("version", version)
    json.member("author", author)
    json.member("license", license)
    json.member("mean", mean)
    json.member("standardDeviation", standardDeviation)
    json.member("normalizationAssumed", isNormalizationAssumed)
    json.member("threshold", threshold)
  }
}

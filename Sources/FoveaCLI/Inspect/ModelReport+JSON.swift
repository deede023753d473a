// SPDX-License-Identifier: Apache-2.0

import FoveaSystem

extension ModelReport {
  /// The report as one line of JSON.
  var json: String {
    var json = JSONText()
    json.object { json in
      json.member("path", path)
      json.member("bytes", fileSize)
      json.member("sha256", sha256)
      json.member("family", family)
      json.member("reason", reason)
      json.key("needs")
      json.array(needs) { json, need in json.string(need) }
      json.key("notes")
      json.array(notes) { json, note in json.string(note) }
      json.key("inputs")
      json.array(inputs) { json, tensor in tensor.append(to: &json) }
      json.key("outputs")
      json.array(outputs) { json, tensor in tensor.append(to: &json) }
      json.key("labels")
      if let labels { labels.append(to: &json) } else { json.null() }
      json.key("metadata")
      if let metadata { metadata.append(to: &json) } else { json.null() }
      json.key("input")
      if let input { input.append(to: &json) } else { json.null() }
      json.key("confidences")
      if let confidences { confidences.append(to: &json) } else { json.null() }
      json.key("signatures")
      json.array(signatures) { json, signature in
        json.object { json in
          json.member("key", signature.key)
          json.key("inputs")
          json.array(signature.inputs) { json, name in json.string(name) }
          json.key("outputs")
          json.array(signature.outputs) { json, name in json.string(name) }
        }
      }
    }
    return json.text
  }
}

extension ModelReport.Tensor {
  fileprivate func append(to json: inout JSONText) {
    json.object { json in
      json.member("name", name)
      json.member("type", type)
      json.key("shape")
      json.array(shape) { json, dimension in json.integer(dimension) }
      json.key("quantization")
      guard let quantization else { return json.null() }
      json.object { json in
        json.key("scale")
        json.literal(quantization.scale)
        json.member("zeroPoint", quantization.zeroPoint)
        json.member("channels", quantization.channels)
      }
    }
  }
}

extension ModelReport.Input {
  fileprivate func append(to json: inout JSONText) {
    json.object { json in
      json.member("fit", isCropped ? "crop" : letterbox == nil ? "stretch" : "letterbox")
      json.member("letterbox", letterbox)
      json.key("padding")
      if let padding { json.integer(padding) } else { json.null() }
      json.member("channels", isGrey ? "grey" : isBGR ? "bgr" : "rgb")
      json.key("mean")
      json.array(mean) { json, value in json.literal(value) }
      json.key("standardDeviation")
      json.array(standardDeviation) { json, value in json.literal(value) }
      json.member("normalizationSource", normalizationSource)
    }
  }
}

extension ModelReport.Confidences {
  fileprivate func append(to json: inout JSONText) {
    json.object { json in
      json.member("activation", activation)
      json.member("source", source)
      json.key("binary")
      json.boolean(isBinary)
    }
  }
}

extension ModelReport.Labels {
  fileprivate func append(to json: inout JSONText) {
    json.object { json in
      json.member("count", count)
      json.key("names")
      json.array(names) { json, label in json.string(label) }
      json.key("locales")
      json.array(locales) { json, locale in json.string(locale) }
    }
  }
}

extension ModelReport.Metadata {
  fileprivate func append(to json: inout JSONText) {
    json.object { json in
      json.member("name", name)
      json.member("description", description)
      json.member("version", version)
      json.member("author", author)
      json.member("license", license)
      json.key("mean")
      json.array(mean) { json, value in json.literal(value) }
      json.key("standardDeviation")
      json.array(standardDeviation) { json, value in json.literal(value) }
      json.key("normalizationAssumed")
      json.boolean(isNormalizationAssumed)
      json.key("threshold")
      if let threshold { json.literal(threshold) } else { json.null() }
    }
  }
}

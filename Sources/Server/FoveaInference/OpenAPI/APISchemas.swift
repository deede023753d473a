// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea

/// The parts of `/openapi.json` shared by all routes, as JSON.
enum APISchemas {
  /// The schema of each option of a call, by name.
  static let options: [String: String] = NamedOption.perCall.reduce(into: described) { schemas, option in
    schemas[option.name] = schemas[option.name] ?? APISchemas.schema(of: option.kind)
  }

  /// Returns the schema of an option of a task.
  static func option(_ name: String, of task: ServedTask) -> String {
    name == "format" ? formats(of: task) : options[name] ?? "{}"
  }

  private static func formats(of task: ServedTask) -> String {
    let names = CallOptions.formats(for: task).map { "\"\($0)\"" }.joined(separator: ", ")
    return "{\"enum\": [\(names)]}"
  }

  /// Returns the schema of a kind of values, with the library's range.
  private static func schema(of kind: NamedOption.Kind) -> String {
    switch kind {
    case .flag: #"{"type": "boolean"}"#
    case .count: #"{"type": "integer", "minimum": 1}"#
    case .fraction: #"{"type": "number", "minimum": 0, "maximum": 1}"#
    case .number: #"{"type": "number"}"#
    case .text, .labels, .normalization, .family, .choice: #"{"type": "string"}"#
    }
  }

  /// The options that only calls have, and those with a description beyond their kind.
  private static let described: [String: String] = [
    "allow":
      #"{"type": "string", "description": "Report only these labels, separated by commas; a label may contain commas itself, and the option may be repeated"}"#,
    "annotate":
      #"{"enum": ["jpeg", "png", "webp"], "description": "Return the image with its boxes or classes, as the answer or in it"}"#,
    "deny": #"{"type": "string", "description": "Never report these labels; the format is that of 'allow'"}"#,
    "format": formats(of: .detect),
    "masks": #"{"enum": ["rle", "polygon", "none"], "default": "rle", "description": "The form of masks"}"#,
    "model": #"{"type": "string", "description": "The name of a model; the first by default"}"#,
    "name": #"{"type": "string", "description": "The image's name in the answer; '-' by default"}"#,
    "roi":
      #"{"type": "string", "example": "10,20,300,200", "description": "x,y,width,height in pixels of the stored image"}"#,
    "single": #"{"type": "boolean", "description": "Only the most prominent object"}"#,
    "slice": #"{"type": "boolean", "description": "Also detect in overlapping tiles, for small objects"}"#,
    "upright":
      #"{"type": "boolean", "description": "Results in pixels of the upright image, not the stored one"}"#,
  ]

  /// `components.schemas`.
  static let schemas = """
    {
    "Any": {},
    "Error": {"type": "object", "required": ["error"], "properties": {"error": {"type": "object",
    "required": ["code", "message"], "properties": {"code": {"type": "string"}, "message": {"type": "string"},
    "remedy": {"type": "string"}}}}},
    "Label": {"type": "object", "required": ["text", "index", "confidence"], "properties": {
    "text": {"type": ["string", "null"]}, "index": {"type": "integer"}, "confidence": {"type": "number"}}},
    "Object": {"type": "object", "required": ["box", "score", "trackingID", "labels"], "properties": {
    "box": {"type": "object", "required": ["x", "y", "width", "height"], "properties": {
    "x": {"type": "number"}, "y": {"type": "number"}, "width": {"type": "number"}, "height": {"type": "number"}}},
    "score": {"type": "number"}, "trackingID": {"type": ["integer", "null"]},
    "labels": {"type": "array", "items": {"$ref": "#/components/schemas/Label"}},
    "keypoints": {"type": "array", "items": {"type": "object", "required": ["x", "y"], "properties": {
    "x": {"type": "number"}, "y": {"type": "number"}, "score": {"type": "number"}}}},
    "mask": {"$ref": "#/components/schemas/Mask"},
    "orientedBox": {"$ref": "#/components/schemas/OrientedBox"}}},
    "Mask": {"type": "object", "required": ["size"], "properties": {
    "size": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer"},
      "description": "height, width"},
    "counts": {"type": "string", "description": "COCO's compressed run lengths, with masks=rle"},
    "polygons": {"type": "array", "description": "x and y of the outer outlines, with masks=polygon",
    "items": {"type": "array", "items": {"type": "number"}}}}},
    "OrientedBox": {"type": "object", "required": ["x", "y", "width", "height", "degrees"], "properties": {
    "x": {"type": "number", "description": "of the middle"}, "y": {"type": "number"},
    "width": {"type": "number"},
    "height": {"type": "number"}, "degrees": {"type": "number", "description": "clockwise"}}},
    "Class": {"type": "object", "required": ["text", "index", "share"], "properties": {
    "text": {"type": ["string", "null"]}, "index": {"type": "integer"},
    "share": {"type": "number", "description": "of the image, 0 to 1"},
    "mask": {"$ref": "#/components/schemas/Mask"}}},
    "Result": {"type": "object", "required": ["image"], "properties": {
    "image": {"type": "string"}, "width": {"type": "integer"}, "height": {"type": "integer"},
    "orientation": {"type": "string"}, "space": {"enum": ["upright"]},
    "objects": {"type": "array", "items": {"$ref": "#/components/schemas/Object"}},
    "labels": {"type": "array", "items": {"$ref": "#/components/schemas/Label"}},
    "classes": {"type": "array", "items": {"$ref": "#/components/schemas/Class"}},
    "features": {"type": "array", "items": {"type": "number"}},
    "milliseconds": {"type": "object"},
    "annotated": {"type": "object", "required": ["type", "base64"], "properties": {
    "type": {"type": "string"}, "base64": {"type": "string"}}},
    "error": {"type": "object", "required": ["code", "message", "remedy"]}}},
    "Results": {"anyOf": [{"$ref": "#/components/schemas/Result"},
    {"type": "array", "items": {"$ref": "#/components/schemas/Result"}}]},
    "Images": {"type": "object", "required": ["images"], "additionalProperties": false, "properties": {
    "images": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["base64"],
    "additionalProperties": false, "properties": {"base64": {"type": "string"}, "name": {"type": "string"}}}},
    "parameters": {"type": "object"}}},
    "Model": {"type": "object", "required": ["name", "state", "version", "model_version_status"], "properties": {
    "name": {"type": "string"}, "state": {"enum": ["absent", "loading", "ready", "evicted", "failed"]},
    "version": {"type": ["integer", "null"]}, "family": {"type": "string"},
    "task": {"enum": ["detect", "label", "segment", "embed"]},
    "sha256": {"type": "string"}, "bytes": {"type": "integer"}, "memory": {"type": "integer"},
    "input": {"type": "array", "items": {"type": "integer"}},
    "labels": {"type": "array", "items": {"type": "string"}},
    "keypointSet": {"type": "object", "required": ["name", "points", "edges", "mirrored"], "properties": {
    "name": {"type": "string"}, "points": {"type": "array", "items": {"type": "string"}},
    "edges": {"type": "array", "items": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer"}}},
    "mirrored": {"type": "array", "items": {"type": "integer"}}}},
    "keypointThreshold": {"type": "number"}, "dimension": {"type": "integer"},
    "lastError": {"type": "object", "required": ["code", "message", "remedy"]},
    "model_version_status": {"type": "array", "items": {"type": "object"}}}},
    "Models": {"type": "object", "required": ["models"], "properties": {
    "models": {"type": "array", "items": {"$ref": "#/components/schemas/Model"}}}},
    "Stream": {"type": "object", "required": ["name", "state", "frames", "viewers"], "properties": {
    "name": {"type": "string"},
    "state": {"enum": ["idle", "starting", "running", "reconnecting", "failed", "ended"]},
    "lastError": {"type": "object", "required": ["code", "message"]}, "width": {"type": "integer"},
    "height": {"type": "integer"}, "frames": {"type": "integer"}, "viewers": {"type": "integer"},
    "lines": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
    "lineNames": {"type": "array", "items": {"type": "string"},
    "description": "as in events; 'line-2' for the second without a name"},
    "zones": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
    "zoneNames": {"type": "array", "items": {"type": "string"}},
    "notes": {"type": "array", "items": {"type": "string"},
    "description": "lines and zones outside the frame, or in fractions"}}},
    "Event": {"type": "object", "required": ["event_type", "id", "number", "sequence", "source"],
    "properties": {"event_type": \(EventQuery.typeSchema),
    "id": {"type": "string"}, "number": {"type": "integer"}, "sequence": {"type": "integer"},
    "source": {"type": "string"}, "label": {"type": ["string", "null"]}, "zone": {"type": "string"},
    "line": {"type": "string"}, "dwell": {"type": "number"}, "time": {"type": ["string", "null"]},
    "snapshot": {"type": ["string", "null"], "description": "the path of the image"}}},
    "Events": {"type": "object", "required": ["events", "next"], "properties": {
    "events": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}},
    "next": {"type": ["integer", "null"], "description": "the 'before' of the next request"},
    "unreadable": {"type": "integer"}}},
    "Streams": {"type": "object", "required": ["streams"], "properties": {
    "streams": {"type": "array", "items": {"$ref": "#/components/schemas/Stream"}}}}
    }
    """

  /// `components.securitySchemes`.
  static let security = """
    {"bearer": {"type": "http", "scheme": "bearer"}, "header": {"type": "apiKey", "in": "header", "name": "x-api-key"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "\(AccessGuard.sessionCookie)"}}
    """
}
#endif

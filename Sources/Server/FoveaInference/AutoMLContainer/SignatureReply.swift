// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import Hummingbird

/// TF Serving's description of a model's inputs and outputs, for an exported AutoML model.
///
/// **Source:** TensorFlow Serving's RESTful API, "Model Metadata API"; the names are those of AutoML's
/// container.
enum SignatureReply {
  private struct Tensor {
    let name: String
    let type: String
    /// −1 for a size that depends on the call.
    let shape: [Int]
  }

  private static let inputs = [
    Tensor(name: "image_bytes", type: "DT_STRING", shape: [-1]),
    Tensor(name: "key", type: "DT_STRING", shape: [-1]),
  ]

  private static let labels = [
    Tensor(name: "labels", type: "DT_STRING", shape: [-1, -1]),
    Tensor(name: "scores", type: "DT_FLOAT", shape: [-1, -1]),
    Tensor(name: "key", type: "DT_STRING", shape: [-1]),
  ]

  private static let objects = [
    Tensor(name: "detection_boxes", type: "DT_FLOAT", shape: [-1, -1, 4]),
    Tensor(name: "detection_scores", type: "DT_FLOAT", shape: [-1, -1]),
    Tensor(name: "detection_classes", type: "DT_FLOAT", shape: [-1, -1]),
    Tensor(name: "detection_classes_as_text", type: "DT_STRING", shape: [-1, -1]),
    Tensor(name: "num_detections", type: "DT_FLOAT", shape: [-1]),
    Tensor(name: "image_info", type: "DT_INT32", shape: [-1, 6]),
    Tensor(name: "key", type: "DT_STRING", shape: [-1]),
  ]

  static func response(_ model: ServedModel) -> Response {
    Response.json { json in
      // The name that TF Serving and OpenVINO's model server use; the latter's client accepts no other. The
      // same applies below.
      for name: StaticString in ["model_spec", "modelSpec"] {
        json.member(name) { json in
          json.member("name", model.name)
          json.member("signature_name", "")
          json.member("version", String(model.version))
        }
      }
      json.member("metadata") { json in
        json.member("signature_def") { json in
          for name: StaticString in ["signature_def", "signatureDef"] {
            json.member(name) { json in
              json.member("serving_default") { json in
                append("inputs", inputs, to: &json)
                append("outputs", model.task == .label ? labels : objects, to: &json)
                json.member("method_name", "tensorflow/serving/predict")
              }
            }
          }
        }
      }
    }
  }

  private static func append(_ name: StaticString, _ tensors: [Tensor], to json: inout JSONText) {
    json.member(name) { json in
      for tensor in tensors {
        json.key(named: tensor.name)
        json.object { json in
          json.member("dtype", tensor.type)
          for shape: StaticString in ["tensor_shape", "tensorShape"] {
            json.member(shape) { json in
              json.objects("dim", tensor.shape) { json, size in
                json.member("size", String(size))
                json.member("name", "")
              }
              json.member("unknown_rank", false)
            }
          }
          json.member("name", tensor.name)
        }
      }
    }
  }
}
#endif

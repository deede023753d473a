// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// A model's statistics since it was loaded.
///
/// **Source:** the statistics extension of the Open Inference Protocol, in the documentation of Triton's
/// server. There are no batches, no cache and no partial answers, so their members are empty or absent.
struct InferStatistics: JSONObject {
  let name: String
  let version: Int
  let sums: ModelStatistics.Sums

  func appendMembers(to json: inout JSONText) {
    json.member("name", name)
    json.member("version", String(version))
    json.member("last_inference", Int(sums.last))
    json.member("inference_count", sums.success.count)
    json.member("execution_count", sums.success.count)
    json.member("inference_stats") { json in
      json.member("success", sums.success)
      json.member("fail", sums.fail)
      json.member("queue", sums.queue)
      json.member("compute_input", sums.input)
      json.member("compute_infer", sums.run)
      json.member("compute_output", sums.output)
    }
    json.member("batch_stats", [String]())
  }
}

extension ModelStatistics.Sum: JSONObject {
  func appendMembers(to json: inout JSONText) {
    json.member("count", count)
    json.member("ns", Int(time / .nanoseconds(1)))
  }
}
#endif

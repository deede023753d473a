// SPDX-License-Identifier: Apache-2.0

import Fovea

func objects(in path: String) async throws(FoveaError) -> [String] {
  do throws(FoveaError) {
    return try await ObjectDetector().detect(in: .file(path)).map { "\($0.score) \($0.box.width)" }
  } catch {
    guard error.code == ImageCode.notFound else { throw error }
    return ["\(error.message). \(error.remedy)."]
  }
}

func text<Code: FailureCode>(_ error: Failure<Code>) -> String { "[\(error.code)] \(error.remedy)" }

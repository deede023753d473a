// SPDX-License-Identifier: Apache-2.0
//
// Shows which rules of ML Kit's custom models a model breaks, and how to fix it.
//
//     swift run CheckModel model.tflite

import Fovea
import FoveaModelRules

let path = CommandLine.arguments.dropFirst().first
do throws(FoveaError) {
  let report = try CompatibilityReport(of: path.map { .file($0) } ?? .embedded(.classifier))
  print("\(report.name): \(report.family ?? "of no known family"), \(report.rules.count) rules")
  for rule: CompatibilityRule in report.broken {
    let isTaken = rule.verdict == CompatibilityRule.Verdict.differs
    print("\(rule.number) \(rule.title): \(rule.finding)\(isTaken ? "; Fovea takes it" : "")")
    if rule.status == SupportStatus.missingNormalization { print("  ML Kit: \(rule.statusText ?? "–")") }
    if let remedy = rule.remedy { print("  \(remedy)") }
  }
  let refusal: CompatibilityReport.Refusal? = report.refusal
  if let refusal { print("Fovea refuses it: \(refusal.message). \(refusal.remedy).") }
  if report.isAcceptedByGoogle { print("ML Kit takes it") }
} catch {
  // A file that is not a model has no report; the Task Library has a status for that as well.
  print("\(error) Status \(SupportStatus(error)?.rawValue ?? 0)")
}

// SPDX-License-Identifier: Apache-2.0

/// Something that computes parts of a model in place of the CPU's kernels.
///
/// Google's delegates run on Apple's hardware alone, so `CoreMLDelegate` and `MetalDelegate` are not declared here.
/// XNNPACK, which Google offers as an option, always computes. The protocol is here so that code that stores
/// delegates compiles; an interpreter that is given one throws `InterpreterError.failedToCreateInterpreter`.
public protocol Delegate: AnyObject {
  /// The delegate of the C library, an opaque pointer on this platform.
  typealias CDelegate = OpaquePointer

  /// The delegate of the C library.
  var cDelegate: CDelegate { get }
}

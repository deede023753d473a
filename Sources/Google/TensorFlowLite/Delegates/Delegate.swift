// SPDX-License-Identifier: Apache-2.0

/// A processor that computes parts of a model instead of the CPU's kernels.
///
/// Google's delegates run only on Apple's hardware, so `CoreMLDelegate` and `MetalDelegate` are not declared
/// here. XNNPACK, an option in Google's class, is always used. The protocol exists so that code that stores
/// delegates compiles; an interpreter that is given one throws `InterpreterError.failedToCreateInterpreter`.
public protocol Delegate: AnyObject {
  /// The delegate of the C library, an opaque pointer on this platform.
  typealias CDelegate = OpaquePointer

  /// The delegate of the C library.
  var cDelegate: CDelegate { get }
}

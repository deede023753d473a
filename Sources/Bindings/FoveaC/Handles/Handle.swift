// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The objects behind C's pointers.
enum Handle {
  /// Makes a pointer that keeps the object alive until `release`.
  static func make(_ object: AnyObject) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  /// Returns the object of a pointer; nil for NULL, and for a handle of another kind.
  static func find<Object: AnyObject>(_ type: Object.Type, _ pointer: OpaquePointer?) -> Object? {
    // SAFETY: the header requires callers to pass NULL or a pointer from `make` that is not released yet.
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue() as? Object
  }

  /// Returns the object of a required argument.
  static func get<Object: AnyObject>(
    _ type: Object.Type, _ pointer: OpaquePointer?, _ name: String
  ) throws(FoveaError) -> Object {
    guard let object = unsafe find(type, pointer) else {
      throw .argument("'\(name)' is \(unsafe pointer == nil ? "NULL" : "a handle of another kind")")
    }
    return object
  }

  /// Releases the object of a pointer if it is of this kind.
  static func release<Object: AnyObject>(_ type: Object.Type, _ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer, unsafe find(type, pointer) != nil else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }
}

// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The objects behind the pointers that C has.
enum Handle {
  /// A pointer that keeps the object alive until `release`.
  static func make(_ object: AnyObject) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  /// The object of a pointer; nil for NULL, and for a handle of another kind.
  static func find<Object: AnyObject>(_ type: Object.Type, _ pointer: OpaquePointer?) -> Object? {
    // SAFETY: what is no NULL is a pointer of `make` that was not released yet: the header demands it of the caller.
    guard let pointer = unsafe pointer else { return nil }
    return unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue() as? Object
  }

  /// As `find`, of an argument that must be there.
  static func get<Object: AnyObject>(
    _ type: Object.Type, _ pointer: OpaquePointer?, _ name: String
  ) throws(FoveaError) -> Object {
    guard let object = unsafe find(type, pointer) else {
      throw .argument("'\(name)' is \(unsafe pointer == nil ? "NULL" : "a handle of another kind")")
    }
    return object
  }

  /// Lets the object of a pointer go, where it is of this kind.
  static func release<Object: AnyObject>(_ type: Object.Type, _ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer, unsafe find(type, pointer) != nil else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }
}

// SPDX-License-Identifier: Apache-2.0
#if Server
import ArgumentParser
import Fovea
import FoveaHTTP
import FoveaInference

extension ListenAddress {
  /// Reads an option: ArgumentParser's own error does not describe the format.
  /// - Throws: `ValidationError` with the format.
  init(option text: String) throws {
    guard let address = ListenAddress(text) else {
      throw ValidationError("Give a host and a port up to 65535, such as 127.0.0.1:8080.")
    }
    self = address
  }
}

extension AccessLog: ExpressibleByArgument {}

extension ObjectTracker.Options.Motion {
  /// Reads an option that only `--help-hidden` shows: ArgumentParser's error does not describe its format.
  /// - Throws: `ValidationError` with the possible words.
  init(option text: String) throws {
    guard let mode = Self(rawValue: text) else { throw ValidationError("Give auto or off.") }
    self = mode
  }
}

extension ClientProtocolList {
  /// Reads an option that only `--help-hidden` shows: ArgumentParser's error does not describe its format.
  /// - Throws: `ValidationError` with the possible names.
  init(option text: String) throws {
    guard let list = ClientProtocolList(text) else {
      throw ValidationError("Give names separated by commas: \(ClientProtocolList.names), all, or none.")
    }
    self = list
  }
}

extension ImageFormatList {
  /// Reads an option that only `--help-hidden` shows: ArgumentParser's error does not describe its format.
  /// - Throws: `ValidationError` with the possible names.
  init(option text: String) throws {
    guard let list = ImageFormatList(text) else {
      throw ValidationError("Give names separated by commas: \(ImageFormatList.names), or all.")
    }
    self = list
  }
}
#endif

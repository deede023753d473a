// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

// SAFETY: only `isCollecting` and the shared `apps` change; both are mutexes.
/// A Firebase app; nothing here opens a connection.
public final class FirebaseApp: NSObject, @unchecked Sendable {
  /// The app's name, `__FIRAPP_DEFAULT` for the default one.
  public let name: String
  /// The options of the app: keys of Google's services, which are kept but not used.
  public let options: FirebaseOptions
  /// Whether Google's libraries may collect data; kept without effect, since nothing is collected here.
  ///
  /// Default: false.
  public var isDataCollectionDefaultEnabled: Bool {
    get { isCollecting.withLock { $0 } }
    set { isCollecting.withLock { $0 = newValue } }
  }
  private let isCollecting = Mutex(false)

  static let defaultName = "__FIRAPP_DEFAULT"
  private static let apps = Mutex<[String: FirebaseApp]>([:])

  init(name: String, options: FirebaseOptions) {
    self.name = name
    self.options = options
  }

  /// Configures the default app; nothing needs to be configured, so `GoogleService-Info.plist` is not read.
  public class func configure() { configure(options: FirebaseOptions()) }

  /// Configures the default app with options.
  ///
  /// Firebase ends the process if the app is configured twice; here the later options replace the earlier
  /// ones.
  /// - Parameter options: Kept for apps that read them.
  public class func configure(options: FirebaseOptions) { configure(name: defaultName, options: options) }

  /// Configures an app with a name.
  /// - Parameters:
  ///   - name: The name.
  ///   - options: Kept for apps that read them.
  public class func configure(name: String, options: FirebaseOptions) {
    let app = FirebaseApp(name: name, options: options)
    apps.withLock { $0[name] = app }
  }

  /// Returns the default app; it exists without `configure()`, so that nothing fails without it.
  public class func app() -> FirebaseApp? {
    apps.withLock { apps in
      if let app = apps[defaultName] { return app }
      let app = FirebaseApp(name: defaultName, options: FirebaseOptions())
      apps[defaultName] = app
      return app
    }
  }

  /// Returns the app of that name; nil if none was configured.
  public class func app(name: String) -> FirebaseApp? { apps.withLock { $0[name] } }

  /// All apps by name; nil if there are none.
  public class var allApps: [String: FirebaseApp]? { apps.withLock { $0.isEmpty ? nil : $0 } }
}

// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Synchronization

// SAFETY: only `isCollecting` and the shared `apps` change, both mutexes.
/// The app as Firebase's names know it; nothing here opens a connection.
public final class FirebaseApp: NSObject, @unchecked Sendable {
  /// The app's name, `__FIRAPP_DEFAULT` for the default one.
  public let name: String
  /// What the app was configured with: keys of Google's services, which are kept and not used.
  public let options: FirebaseOptions
  /// Whether Google's libraries might collect data; kept and without effect, as nothing is collected here.
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

  /// Makes the default app; nothing has to be configured, so `GoogleService-Info.plist` is not looked for.
  public class func configure() { configure(options: FirebaseOptions()) }

  /// Makes the default app with options.
  ///
  /// Firebase ends the process when the app is configured twice; here the later options count.
  /// - Parameter options: Kept for apps that read them.
  public class func configure(options: FirebaseOptions) { configure(name: defaultName, options: options) }

  /// Makes an app with a name.
  /// - Parameters:
  ///   - name: The name.
  ///   - options: Kept for apps that read them.
  public class func configure(name: String, options: FirebaseOptions) {
    let app = FirebaseApp(name: name, options: options)
    apps.withLock { $0[name] = app }
  }

  /// The default app; it is there without `configure()`, too, so that nothing has to fail without it.
  public class func app() -> FirebaseApp? {
    apps.withLock { apps in
      if let app = apps[defaultName] { return app }
      let app = FirebaseApp(name: defaultName, options: FirebaseOptions())
      apps[defaultName] = app
      return app
    }
  }

  /// The app of that name; nil where none was configured.
  public class func app(name: String) -> FirebaseApp? { apps.withLock { $0[name] } }

  /// All apps by their names; nil where there are none.
  public class var allApps: [String: FirebaseApp]? { apps.withLock { $0.isEmpty ? nil : $0 } }
}

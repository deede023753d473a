// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaHTTP
import Logging

/// Loads versions that appear while the server runs: changed files, new files in a folder, versions published
/// by a host.
///
/// A file is loaded once it is unchanged between two checks, so that partly written files are not loaded; a
/// file renamed into place is complete at once. A host is queried about once a minute, at times that differ
/// between servers.
struct ModelWatch: Sendable {
  let registry: ModelRegistry
  let folder: ModelFolder?
  /// Returns the names of the operator's models, which a folder cannot remove.
  let given: @Sendable () -> Set<String>
  let loading: ModelLoading
  /// The keys, whose file is read again when it changes; nil for none.
  let access: AccessGuard?
  /// Called after a changed key file was read: connections may use keys that no longer exist.
  let keysChanged: @Sendable () -> Void
  /// The time between two checks.
  let interval: Duration
  /// The approximate time between two queries of a host.
  let hostInterval: Duration
  let metrics: Metrics
  let logger: Logger

  /// Runs until the task is cancelled.
  func run() async {
    var seen: [String: FileState] = [:]
    var gone: Set<String> = []
    var isUnreadable = false
    var hostTime = nextHostTime()
    while (try? await Task.sleep(for: interval)) != nil {
      gone = followFolder(gone, &isUnreadable)
      reloadKeys()
      for place in registry.places {
        let name = place.entry.name
        guard let files = place.newFiles else {
          seen[name] = nil
          continue
        }
        if seen.updateValue(files, forKey: name) == files { await load(place) }
      }
      guard ContinuousClock.now >= hostTime else { continue }
      for place in registry.places where place.followsHost { await load(place) }
      hostTime = nextHostTime()
    }
  }

  private func nextHostTime() -> ContinuousClock.Instant {
    .now + hostInterval * Double.random(in: 0.8...1.2)
  }

  /// Adds new models of the folder, and removes those whose file was missing at two checks: a file that is
  /// being replaced may be missing at one check.
  /// - Parameters:
  ///   - gone: The names missing at the previous check.
  ///   - isUnreadable: True if the folder could not be read at the previous check; the first such check is
  ///     logged.
  /// - Returns: The names missing now; unchanged if the folder cannot be read.
  private func followFolder(_ gone: Set<String>, _ isUnreadable: inout Bool) -> Set<String> {
    guard let folder else { return gone }
    let entries: [ModelEntry]
    do throws(FoveaError) { entries = try folder.read().entries } catch {
      if !isUnreadable { logger.warning("model folder not read", metadata: error.logged()) }
      isUnreadable = true
      return gone
    }
    isUnreadable = false
    let known = Set(registry.places.map(\.entry.name))
    registry.add(entries.filter { !known.contains($0.name) }.map { ModelPlace($0, loading) })
    let (present, given) = (Set(entries.map(\.name)), given())
    let missing = registry.places.filter { place in
      !given.contains(place.entry.name) && !present.contains(place.entry.name)
        && folder.holds(place.entry)
    }
    for place in missing where gone.contains(place.entry.name) {
      registry.remove(place)
      logger.info("model removed with its file", metadata: ["model": "\(place.entry.name)"])
    }
    return Set(missing.map(\.entry.name)).subtracting(gone)
  }

  private func reloadKeys() {
    do throws(FoveaError) {
      guard try access?.reload() == true else { return }
      logger.info("keys read")
      keysChanged()
    } catch {
      logger.warning("keys not read", metadata: error.logged())
    }
  }

  private func load(_ place: ModelPlace) async {
    let name = place.entry.name
    do throws(FoveaError) {
      guard try await registry.load(place) == .loaded else { return }
      metrics.add("fovea_model_swaps_total", ["model", name, "result", "loaded"])
      logger.info(
        "model loaded", metadata: ["model": "\(name)", "version": "\(place.current?.version ?? 0)"])
    } catch {
      metrics.add("fovea_model_swaps_total", ["model", name, "result", "failed"])
      logger.warning("model not loaded", metadata: error.logged(["model": "\(name)"]))
    }
  }
}
#endif

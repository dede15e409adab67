import PouchClient
import PouchCoordination
import PouchScreens

extension ShopCoordinator {
    /// Loads a value into the data of a screen, with its progress and failure. Of several concurrent loads, only the
    /// most recently started one is shown. `known` returns the value to show if the shop cannot be reached and the
    /// screen has no value.
    ///
    /// - Returns: whether the value was read and is shown.
    @discardableResult
    public final func fill<Screen, Value: Sendable>(
        _ data: ReferenceWritableKeyPath<Screen, LoadState<Value>>,
        of screen: Screen,
        orElse known: () async -> Value? = { nil },
        _ read: () async throws(DataError) -> Value
    ) async -> Bool {
        await fillDated(data, of: screen, orElse: known) { () throws(DataError) in Dated(try await read()) }
    }

    /// Loads a value that may be stale, as `fill` does.
    @discardableResult
    public final func fillDated<Screen, Value: Sendable>(
        _ data: ReferenceWritableKeyPath<Screen, LoadState<Value>>,
        of screen: Screen,
        orElse known: () async -> Value? = { nil },
        _ read: () async throws(DataError) -> Dated<Value>
    ) async -> Bool {
        let target = LoadTarget(data, of: screen)
        let load = Load()
        loads[target] = load
        defer { if loads[target] === load { loads[target] = nil } }
        screen[keyPath: data].startLoading()
        let state: LoadState<Value>
        var isRead = false
        do throws(DataError) {
            state = LoadState(try await read())
            isRead = true
        } catch {
            var failed = screen[keyPath: data]
            failed.fail(error)
            if failed.isUnreachable { failed.value = await known() }
            state = failed
        }
        guard loads[target] === load else { return false }
        screen[keyPath: data] = state
        if let shown = screen as? any ShopScreen { mark(shown, isOutdated: state.isOutdated) }
        return isRead
    }

    /// Reads the next page of a list, which the caller adds to the list on screen.
    ///
    /// - Parameter reload: reads the list from its start. Called if the list was replaced since the last page.
    /// - Returns: nil after `reload`.
    func nextPage<Page: Sendable>(
        _ read: () async throws(DataError) -> Page, orReload reload: () async -> Void
    ) async throws -> Page? {
        do throws(DataError) {
            return try await read()
        } catch  where error.reason == .listChanged {
            await reload()
            return nil
        } catch {
            return try await attempt { throw error }
        }
    }

    /// Shows a value that is newer than those of the loads under way.
    func put<Screen, Value>(
        _ state: LoadState<Value>, into data: ReferenceWritableKeyPath<Screen, LoadState<Value>>, of screen: Screen
    ) {
        loads[LoadTarget(data, of: screen)] = nil
        screen[keyPath: data] = state
    }

    // MARK: A product

    func load(_ screen: any ProductScreen) async throws(MissingDependency) {
        let catalog = try needed(\.catalog)
        await fillDated(\(any ProductScreen).product, of: screen) { () throws(DataError) in
            try await catalog.product(handle: screen.handle)
        }
        // The product is shown before its exact figures arrive, which are not needed to view it.
        guard let product = screen.product.value, let exact = try? await catalog.withExactStock(product),
            screen.product.value == product
        else { return }
        screen.product.value = exact
    }
}

/// The property of a screen that a value is loaded into.
struct LoadTarget: Hashable {
    let screen: ObjectIdentifier
    let property: AnyKeyPath

    init(_ property: AnyKeyPath, of screen: Any) {
        self.screen = ObjectIdentifier(screen as AnyObject)
        self.property = property
    }
}

/// The identity of a load under way.
final class Load {}

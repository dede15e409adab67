import PouchClient
import PouchCoordination
import PouchScreens

extension ShopCoordinator {
    /// Loads a value into the data of a screen, with its progress and failure. Of several loads at once, the latest is
    /// shown.
    ///
    /// - Parameter known: the value to show while the shop cannot be reached and the screen has none.
    /// - Returns: whether the value was read and is shown.
    @discardableResult
    func fill<Screen, Value: Sendable>(
        _ data: ReferenceWritableKeyPath<Screen, LoadState<Value>>,
        of screen: Screen,
        orElse known: () async -> Value? = { nil },
        _ read: () async throws(DataError) -> Value
    ) async -> Bool {
        await fillDated(data, of: screen, orElse: known) { () throws(DataError) in Dated(try await read()) }
    }

    /// Loads a value that may be stale, as `fill` does.
    @discardableResult
    func fillDated<Screen, Value: Sendable>(
        _ data: ReferenceWritableKeyPath<Screen, LoadState<Value>>,
        of screen: Screen,
        orElse known: () async -> Value? = { nil },
        _ read: () async throws(DataError) -> Dated<Value>
    ) async -> Bool {
        let slot = Loads.Slot(data, of: screen)
        let load = loads.start(slot)
        defer { loads.end(load, of: slot) }
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
        guard loads.isLatest(load, of: slot) else { return false }
        screen[keyPath: data] = state
        if let shown = screen as? any ShopScreen { mark(shown, isOutdated: state.isOutdated) }
        return isRead
    }

    /// Shows a value that is newer than those of the loads under way.
    func put<Screen, Value>(
        _ state: LoadState<Value>, into data: ReferenceWritableKeyPath<Screen, LoadState<Value>>, of screen: Screen
    ) {
        loads.cancel(Loads.Slot(data, of: screen))
        screen[keyPath: data] = state
    }

    /// Does the work of a message, and throws its `DataError` as the failure to show.
    @discardableResult
    func attempt<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as DataError {
            guard error.reason != .cancelled else { throw CancellationError() }
            throw ScreenFailure(error)
        }
    }

    // MARK: The delivery

    /// Loads the saved addresses, and the delivery methods to the first.
    func load(_ screen: any ShippingScreen) async throws(MissingDependency) {
        let (account, checkout) = (try needed(\.account), try needed(\.checkout))
        if account.session?.kind == .customer, let saved = try? await account.addresses() {
            screen.savedAddresses = saved
            if screen.address == nil { screen.address = saved.first }
        }
        let address = screen.address
        await fillMethods(
            of: screen, country: address?.country, postalCode: address?.postalCode, location: address?.location,
            from: checkout)
    }

    func fillMethods(
        of screen: any ShippingScreen, country: String?, postalCode: String?, location: GeoPoint?,
        from checkout: CheckoutManager
    ) async {
        await fill(\(any ShippingScreen).methods, of: screen) { () throws(DataError) in
            try await checkout.shippingMethods(country: country, postalCode: postalCode, location: location)
        }
    }

    /// The handler of `checkoutFindMethods`.
    func findMethods(country: String, postalCode: String?, location: GeoPoint?) async throws {
        let checkout = try needed(\.checkout)
        guard let screen = lastScreen((any ShippingScreen).self) else { return }
        await fillMethods(of: screen, country: country, postalCode: postalCode, location: location, from: checkout)
    }

    /// The handler of `checkoutFindPlaces`.
    func findPlaces(matching query: String) async throws {
        let locations = try needed(\.locations)
        guard let screen = lastScreen((any ShippingScreen).self) else { return }
        await fill(\(any ShippingScreen).places, of: screen) { () throws(DataError) in
            try await locations.places(matching: query, near: nil)
        }
    }
}

/// The loads into the data of screens. Of several loads into the same data the latest counts, in whichever order they end.
@MainActor
struct Loads {
    /// The data of a screen that a load writes to.
    struct Slot: Hashable {
        let screen: ObjectIdentifier
        let data: AnyKeyPath

        init(_ data: AnyKeyPath, of screen: Any) {
            self.screen = ObjectIdentifier(screen as AnyObject)
            self.data = data
        }
    }

    private var latest: [Slot: Int] = [:]
    private var count = 0

    /// Returns the number of the load.
    mutating func start(_ slot: Slot) -> Int {
        count += 1
        latest[slot] = count
        return count
    }

    func isLatest(_ number: Int, of slot: Slot) -> Bool { latest[slot] == number }

    mutating func end(_ number: Int, of slot: Slot) {
        if isLatest(number, of: slot) { cancel(slot) }
    }

    /// Ignores the results of the loads under way.
    mutating func cancel(_ slot: Slot) {
        latest[slot] = nil
    }
}

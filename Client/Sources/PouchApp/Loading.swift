import Foundation
import PouchClient
import PouchCoordination
import PouchScreens

extension ShopCoordinator {
    /// Reads something into a screen's data; how it went is there as well. Of several readings at once the one that
    /// began last counts.
    ///
    /// - Parameter known: what there is to look at while the shop is away and nothing else is shown.
    /// - Returns: whether what was read is shown.
    @discardableResult
    func fill<Screen, Value: Sendable>(
        _ data: ReferenceWritableKeyPath<Screen, LoadState<Value>>,
        of screen: Screen,
        orElse known: () async -> Value? = { nil },
        _ read: () async throws(DataError) -> Value
    ) async -> Bool {
        await fillDated(data, of: screen, orElse: known) { () throws(DataError) in Dated(try await read()) }
    }

    /// The same for what may be stale.
    @discardableResult
    func fillDated<Screen, Value: Sendable>(
        _ data: ReferenceWritableKeyPath<Screen, LoadState<Value>>,
        of screen: Screen,
        orElse known: () async -> Value? = { nil },
        _ read: () async throws(DataError) -> Dated<Value>
    ) async -> Bool {
        let slot = Readings.Slot(data, of: screen)
        let reading = readings.begin(slot)
        defer { readings.end(reading, of: slot) }
        screen[keyPath: data].begin()
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
        guard readings.isLatest(reading, of: slot) else { return false }
        screen[keyPath: data] = state
        if let shown = screen as? any ShopScreen { note(shown, isOutdated: state.isOutdated) }
        return isRead
    }

    /// Shows what is known better than by what is being read.
    func put<Screen, Value>(
        _ state: LoadState<Value>, into data: ReferenceWritableKeyPath<Screen, LoadState<Value>>, of screen: Screen
    ) {
        readings.giveUp(Readings.Slot(data, of: screen))
        screen[keyPath: data] = state
    }

    /// Does what a message asks for, with the failure as screens show it.
    @discardableResult
    func attempt<Value>(_ work: () async throws(DataError) -> Value) async throws -> Value {
        do throws(DataError) {
            return try await work()
        } catch {
            guard error.reason != .cancelled else { throw CancellationError() }
            throw ScreenFailure(error)
        }
    }

    /// What a screen for the delivery begins with: saved addresses, and the ways of delivery to the first.
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

    func fillPlaces(of screen: any ShippingScreen, matching query: String, from locations: LocationManager) async {
        await fill(\(any ShippingScreen).places, of: screen) { () throws(DataError) in
            try await locations.places(matching: query, near: nil)
        }
    }
}

extension LoadState {
    init(_ dated: Dated<Value>) {
        self.init(dated.value, asOf: dated.staleness?.asOf, cause: dated.staleness?.cause)
    }

    init(_ state: CatalogState<Value>) {
        self.init(state.value, asOf: state.asOf, cause: state.failure)
    }

    init(_ state: CartState) where Value == Cart {
        self.init(state.cart, asOf: state.asOf, cause: state.failure)
    }

    /// - Parameter cause: why it could not be read anew. Where it is known from when the value is, that says enough.
    private init(_ value: Value?, asOf: Date?, cause: DataError?) {
        let saysWhen = value != nil && asOf != nil
        self.init(
            value, isLoading: value == nil && cause == nil, failure: saysWhen ? nil : cause.map { ScreenFailure($0) },
            asOf: cause == nil ? nil : asOf)
    }

    /// Whether the shop may say something else now.
    var isOutdated: Bool { failure != nil || asOf != nil }

    /// Whether there is nothing to look at, since the shop is away.
    fileprivate var isUnreachable: Bool { value == nil && failure?.remedy == .retry }

    /// What was given up is no failure.
    mutating func fail(_ error: DataError) {
        guard error.reason != .cancelled else { return isLoading = false }
        fail(ScreenFailure(error))
    }
}

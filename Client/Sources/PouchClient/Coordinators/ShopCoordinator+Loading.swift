import Foundation
import PouchCoordination
import PouchData
import PouchEntities
import PouchManagers
import PouchScreens

extension ShopCoordinator {
    /// Reads something into a screen's data; how it went is there as well.
    func fill<Screen, Value: Sendable>(
        _ data: ReferenceWritableKeyPath<Screen, LoadState<Value>>,
        of screen: Screen,
        _ read: () async throws(DataError) -> Value
    ) async {
        await fillDated(data, of: screen) { () throws(DataError) in Dated(try await read()) }
    }

    /// The same for what may be stale.
    func fillDated<Screen, Value: Sendable>(
        _ data: ReferenceWritableKeyPath<Screen, LoadState<Value>>,
        of screen: Screen,
        _ read: () async throws(DataError) -> Dated<Value>
    ) async {
        screen[keyPath: data].begin()
        do throws(DataError) {
            screen[keyPath: data] = LoadState(try await read())
        } catch {
            screen[keyPath: data].fail(error)
        }
        if let shown = screen as? any ShopScreen { note(shown, isOutdated: screen[keyPath: data].isOutdated) }
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
        await fillMethods(of: screen, country: address?.country, postalCode: address?.postalCode, from: checkout)
    }

    func fillMethods(
        of screen: any ShippingScreen, country: String?, postalCode: String?, from checkout: CheckoutManager
    ) async {
        await fill(\(any ShippingScreen).methods, of: screen) { () throws(DataError) in
            try await checkout.shippingMethods(country: country, postalCode: postalCode)
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

    /// What was given up is no failure.
    mutating func fail(_ error: DataError) {
        guard error.reason != .cancelled else { return isLoading = false }
        fail(ScreenFailure(error))
    }
}

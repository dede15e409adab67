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
        screen[keyPath: data].begin()
        do throws(DataError) {
            screen[keyPath: data].finish(try await read())
        } catch {
            screen[keyPath: data].fail(error)
        }
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
    /// What was given up is no failure.
    mutating func fail(_ error: DataError) {
        guard error.reason != .cancelled else { return isLoading = false }
        fail(ScreenFailure(error))
    }
}

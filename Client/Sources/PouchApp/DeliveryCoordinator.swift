import PouchClient
import PouchCoordination
import PouchScreens

/// The base class of the coordinators with a shipping screen: finds addresses, places and shipping methods for it.
open class DeliveryCoordinator: ShopCoordinator {
    /// Loads the saved addresses, and the shipping methods to the address on screen, or to the first saved one.
    open override func load(_ screen: any ShopScreen) async throws(MissingDependency) {
        guard let screen = screen as? any ShippingScreen else { return try await super.load(screen) }
        let (account, checkout) = (try needed(\.account), try needed(\.checkout))
        if account.session?.kind == .customer, let saved = try? await account.addresses() {
            screen.savedAddresses = saved
            if screen.address == nil { screen.address = saved.first }
        }
        if screen.address == nil {
            // The address of the newest order stored on this device, for buyers without an address book.
            let known = try? await dependency?.orders?.knownOrders(limit: 1)
            screen.address = known?.items.first?.shipping?.address
        }
        let address = screen.address
        await fillMethods(
            of: screen, country: address?.country, postalCode: address?.postalCode, location: address?.location,
            from: checkout)
    }

    final func fillMethods(
        of screen: any ShippingScreen, country: String?, postalCode: String?, location: GeoPoint?,
        from checkout: CheckoutManager
    ) async {
        await fill(\(any ShippingScreen).methods, of: screen) { () throws(DataError) in
            try await checkout.shippingMethods(country: country, postalCode: postalCode, location: location)
        }
    }

    // MARK: Messages

    open override func registerHandlers() {
        super.registerHandlers()
        handle(FindShippingMethods.self) { try await $0.findShippingMethods($1) }
        handle(FindPlaces.self) { try await $0.findPlaces($1) }
    }

    open func findShippingMethods(_ message: FindShippingMethods) async throws {
        let checkout = try needed(\.checkout)
        guard let screen = lastScreen((any ShippingScreen).self) else { return }
        await fillMethods(
            of: screen, country: message.country, postalCode: message.postalCode, location: message.location,
            from: checkout)
    }

    open func findPlaces(_ message: FindPlaces) async throws {
        let locations = try needed(\.locations)
        guard let screen = lastScreen((any ShippingScreen).self) else { return }
        await fill(\(any ShippingScreen).places, of: screen) { () throws(DataError) in
            try await locations.places(matching: message.query, near: nil)
        }
    }
}

import Foundation
import PouchWire

extension Path {
    public enum Account: Sendable, Hashable {
        case signUp(body: Data)
        case signIn(body: Data)
        case startGuestSession
        case refreshSession(body: Data)
        case signOut
        case profile
        case updateProfile(body: Data)
        case delete(body: Data)
        case changePassword(body: Data)
        case requestPasswordReset(body: Data)
        case resetPassword(body: Data)
        case requestVerification
        case verifyEmail(body: Data)
        case changeEmail(body: Data)
        case sessions(limit: Int? = nil, cursor: String? = nil)
        case endSession(id: String)
        case export
        case addresses(limit: Int? = nil, cursor: String? = nil)
        case addAddress(body: Data)
        case updateAddress(id: String, body: Data)
        case deleteAddress(id: String)
        case confirmSession(body: Data)
        case secondFactor
        case beginSecondFactor
        case enableSecondFactor(body: Data)
        case removeSecondFactor
        case acceptInvitation(body: Data)
    }
}

extension Path.Account {
    var target: Path.Target {
        switch self {
        case .signUp(let body): .init(.signUp, body: body)
        case .signIn(let body): .init(.signIn, body: body)
        case .startGuestSession: .init(.startGuestSession)
        case .refreshSession(let body): .init(.refreshSession, body: body)
        case .signOut: .init(.signOut)
        case .profile: .init(.profile)
        case .updateProfile(let body): .init(.updateProfile, body: body)
        case .delete(let body): .init(.deleteAccount, body: body)
        case .changePassword(let body): .init(.changePassword, body: body)
        case .requestPasswordReset(let body): .init(.requestPasswordReset, body: body)
        case .resetPassword(let body): .init(.resetPassword, body: body)
        case .requestVerification: .init(.requestVerification)
        case .verifyEmail(let body): .init(.verifyEmail, body: body)
        case .changeEmail(let body): .init(.changeEmail, body: body)
        case .sessions(let limit, let cursor): .init(.accountSessions, page: (limit, cursor))
        case .endSession(let id): .init(.endSession, ["id": id])
        case .export: .init(.exportAccount)
        case .addresses(let limit, let cursor): .init(.addresses, page: (limit, cursor))
        case .addAddress(let body): .init(.addAddress, body: body)
        case .updateAddress(let id, let body): .init(.updateAddress, ["id": id], body: body)
        case .deleteAddress(let id): .init(.deleteAddress, ["id": id])
        case .confirmSession(let body): .init(.confirmSession, body: body)
        case .secondFactor: .init(.secondFactor)
        case .beginSecondFactor: .init(.beginSecondFactor)
        case .enableSecondFactor(let body): .init(.enableSecondFactor, body: body)
        case .removeSecondFactor: .init(.removeSecondFactor)
        case .acceptInvitation(let body): .init(.acceptInvitation, body: body)
        }
    }
}

extension Path {
    public enum Catalog: Sendable, Hashable {
        case shop
        case seasons(limit: Int? = nil, cursor: String? = nil)
        case themes(season: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case categories(season: String? = nil, limit: Int? = nil, cursor: String? = nil)
        case promotions(limit: Int? = nil, cursor: String? = nil)
        case products(QueryString)
        case product(handle: String)
        case availability(skus: [String])
    }
}

extension Path.Catalog {
    var target: Path.Target {
        switch self {
        case .shop: .init(.shop)
        case .seasons(let limit, let cursor): .init(.seasons, page: (limit, cursor))
        case .themes(let season, let limit, let cursor):
            .init(.themes, query: ["season": season], page: (limit, cursor))
        case .categories(let season, let limit, let cursor):
            .init(.categories, query: ["season": season], page: (limit, cursor))
        case .promotions(let limit, let cursor): .init(.promotions, page: (limit, cursor))
        case .products(let query): .init(endpoint: .products, query: query)
        case .product(let handle): .init(.product, ["handle": handle])
        case .availability(let skus):
            .init(endpoint: .availability, query: QueryString(skus.map { .init(name: "sku", value: $0) }))
        }
    }
}

extension Path {
    public enum Cart: Sendable, Hashable {
        case current
        case clear
        case addLine(body: Data)
        case setLine(sku: String, body: Data)
        case removeLine(sku: String)
        case setDiscount(body: Data)
        case removeDiscount
        case shippingMethods(
            country: String? = nil, postalCode: String? = nil, latitude: Double? = nil, longitude: Double? = nil)
        case setShipping(body: Data)
        case checkout(body: Data)
    }
}

extension Path.Cart {
    var target: Path.Target {
        switch self {
        case .current: .init(.cart)
        case .clear: .init(.clearCart)
        case .addLine(let body): .init(.addCartLine, body: body)
        case .setLine(let sku, let body): .init(.setCartLine, ["sku": sku], body: body)
        case .removeLine(let sku): .init(.removeCartLine, ["sku": sku])
        case .setDiscount(let body): .init(.setCartDiscount, body: body)
        case .removeDiscount: .init(.removeCartDiscount)
        case .shippingMethods(let country, let postalCode, let latitude, let longitude):
            .init(
                .shippingMethods,
                query: [
                    "country": country, "postalCode": postalCode, "latitude": latitude?.description,
                    "longitude": longitude?.description,
                ])
        case .setShipping(let body): .init(.setCartShipping, body: body)
        case .checkout(let body): .init(.checkout, body: body)
        }
    }
}

extension Path {
    public enum Orders: Sendable, Hashable {
        case preview(body: Data)
        case buyNow(body: Data)
        case list(limit: Int? = nil, cursor: String? = nil)
        case order(id: String)
        case cancel(id: String)
        case changeDelivery(id: String, body: Data)
        /// Server-sent events, for `APIWrapper.events`.
        case events(id: String)
        case byLink(body: Data)
    }
}

extension Path.Orders {
    var target: Path.Target {
        switch self {
        case .preview(let body): .init(.previewOrder, body: body)
        case .buyNow(let body): .init(.buyNow, body: body)
        case .list(let limit, let cursor): .init(.orders, page: (limit, cursor))
        case .order(let id): .init(.order, ["id": id])
        case .cancel(let id): .init(.cancelOrder, ["id": id])
        case .changeDelivery(let id, let body): .init(.changeDelivery, ["id": id], body: body)
        case .events(let id): .init(.orderEvents, ["id": id])
        case .byLink(let body): .init(.orderByLink, body: body)
        }
    }
}

extension Path {
    public enum Rides: Sendable, Hashable {
        case places(
            search: String? = nil, latitude: Double? = nil, longitude: Double? = nil, limit: Int? = nil,
            cursor: String? = nil)
        case options(latitude: Double, longitude: Double)
        case quote(body: Data)
        case request(body: Data)
        case list(limit: Int? = nil, cursor: String? = nil)
        case ride(id: String)
        case cancel(id: String)
        case receipt(id: String)
        /// Server-sent events, for `APIWrapper.events`.
        case events(id: String)
    }
}

extension Path.Rides {
    var target: Path.Target {
        switch self {
        case .places(let search, let latitude, let longitude, let limit, let cursor):
            .init(
                .ridePlaces,
                query: ["q": search, "latitude": latitude?.description, "longitude": longitude?.description],
                page: (limit, cursor))
        case .options(let latitude, let longitude):
            .init(.rideOptions, query: ["latitude": latitude.description, "longitude": longitude.description])
        case .quote(let body): .init(.quoteRide, body: body)
        case .request(let body): .init(.requestRide, body: body)
        case .list(let limit, let cursor): .init(.rides, page: (limit, cursor))
        case .ride(let id): .init(.ride, ["id": id])
        case .cancel(let id): .init(.cancelRide, ["id": id])
        case .receipt(let id): .init(.rideReceipt, ["id": id])
        case .events(let id): .init(.rideEvents, ["id": id])
        }
    }
}

import Foundation
import PouchWire

extension Path {
    public enum Cart: Sendable, Hashable {
        case current
        case clear
        case addLine(body: Data)
        case setLine(sku: String, body: Data)
        case removeLine(sku: String)
        case setDiscount(body: Data)
        case removeDiscount
        /// Degrees for the coordinates.
        case shippingMethods(
            country: String? = nil, postalCode: String? = nil, latitude: Double? = nil, longitude: Double? = nil)
        case setShipping(body: Data)
        case checkout(body: Data)

        var target: Target {
            switch self {
            case .current: Target(.cart)
            case .clear: Target(.clearCart)
            case .addLine(let body): Target(.addCartLine, body: body)
            case .setLine(let sku, let body): Target(.setCartLine, ["sku": sku], body: body)
            case .removeLine(let sku): Target(.removeCartLine, ["sku": sku])
            case .setDiscount(let body): Target(.setCartDiscount, body: body)
            case .removeDiscount: Target(.removeCartDiscount)
            case .shippingMethods(let country, let postalCode, let latitude, let longitude):
                Target(.shippingMethods, query: Self.place(country, postalCode, latitude, longitude))
            case .setShipping(let body): Target(.setCartShipping, body: body)
            case .checkout(let body): Target(.checkout, body: body)
            }
        }

        private static func place(
            _ country: String?, _ postalCode: String?, _ latitude: Double?, _ longitude: Double?
        ) -> QueryString {
            var query = QueryString()
            query.append("country", country)
            query.append("postalCode", postalCode)
            query.append(latitude: latitude, longitude: longitude)
            return query
        }
    }
}

import Foundation
import PouchContract
import PouchEntities
import PouchWire

// The values of the golden documents of requests.
extension WireShape {
    static let requests = shopRequests + rideRequests + administrationRequests + productRequests

    private static let optionalInAddress: Set<String> = ["line2", "region", "phone", "location"]

    private static let shopRequests: [WireShape] = [
        .request(
            "request-sign-up",
            SignUpRequest(
                name: "Alinta", email: "alinta@example.com", mobileNumber: "+61 400 000 000",
                password: "correct horse"),
            optional: ["mobileNumber"]),
        .request("request-sign-in", SignInRequest(email: "alinta@example.com", password: "correct horse")),
        .request("request-refresh", RefreshRequest(refreshToken: "refresh")),
        .request(
            "request-profile-patch",
            ProfilePatch(name: "Alinta B.", mobileNumber: .clear, avatarURL: .set("/assets/avatars/2.svg")),
            optional: ["name", "mobileNumber", "avatarURL"]),
        .request("request-delete-account", DeleteAccountRequest(password: "correct horse")),
        .request(
            "request-change-password",
            PasswordChangeRequest(currentPassword: "correct horse", newPassword: "battery staple")),
        .request("request-address", AddressInput(fullAddress()), optional: optionalInAddress),
        .request(
            "request-address-patch", addressPatch, optional: ["line1", "line2", "phone", "location"]),
        .request("request-line", LineRequest(sku: "71616-39-m", quantity: 2)),
        .request("request-quantity", QuantityRequest(quantity: 0)),
        .request("request-discount", DiscountRequest(code: "TEN")),
        .request(
            "request-shipping", ShippingRequest(methodId: "standard", address: AddressInput(shortAddress()))),
        .request(
            "request-checkout",
            CheckoutRequest(
                paymentMethod: .card(token: "tok_ok"), expectedTotal: euros(23720), email: "alinta@example.com"),
            optional: ["email"]),
        .request(
            "request-preview",
            PreviewRequest(
                lines: [LineRequest(sku: "a", quantity: 1), LineRequest(sku: "b", quantity: 2)],
                address: AddressInput(shortAddress()), methodId: "standard", discount: "TEN"),
            optional: ["address", "methodId", "discount"]),
        .request(
            "request-buy-now",
            BuyNowRequest(
                lines: [LineRequest(sku: "a", quantity: 1)], address: AddressInput(shortAddress()),
                methodId: "standard", discount: "TEN", paymentMethod: .card(token: "tok_ok"),
                expectedTotal: euros(1000), email: "alinta@example.com"),
            optional: ["address", "methodId", "discount", "email"]),
        .request("request-delivery", DeliveryRequest(methodId: "standard")),
    ]

    private static let rideRequests: [WireShape] = [
        .request("request-quote", QuoteRequest(waypoints: trip)),
        .request(
            "request-ride", RideRequest(waypoints: trip, rideOptionID: "wallaby", quoteID: "quo_01"),
            optional: ["quoteID"]),
    ]

    private static let administrationRequests: [WireShape] = [
        .request(
            "request-variant", VariantPatch(price: euros(9900), available: 12, adjust: -1),
            optional: ["price", "available", "adjust"]),
        .request(
            "request-discount-terms", summerTerms,
            optional: [
                "basisPoints", "startsAt", "endsAt", "minimum", "products", "categories", "limit", "limitPerAccount",
            ]),
        .request(
            "request-discount-patch", discountPatch,
            optional: [
                "code", "kind", "amount", "startsAt", "endsAt", "minimum", "products", "categories", "limit",
                "limitPerAccount",
            ]),
        .request(
            "request-scheduled-price",
            ScheduledPriceRequest(
                sku: "71616-39-m", price: euros(9900), startsAt: Date(timeIntervalSince1970: 1_798_761_600),
                endsAt: Date(timeIntervalSince1970: 1_798_934_400))),
        .request(
            "request-refund",
            RefundOrderRequest(
                amount: euros(500), lines: [LineRequest(sku: "71616-39-m", quantity: 1)], reason: "Came back"),
            optional: ["amount", "lines"]),
    ]

    private static var addressPatch: AddressPatch {
        var patch = AddressPatch()
        patch.line1 = "2 Harbour Street"
        patch.line2 = .clear
        patch.phone = .set("+61 400 000 001")
        patch.location = .set(GeoPoint(latitude: -33.5, longitude: 151))
        return patch
    }

    private static var discountPatch: DiscountPatch {
        var patch = DiscountPatch()
        patch.code = "SUMMER-2"
        patch.kind = .amount
        patch.amount = .set(euros(1000))
        patch.startsAt = .set(Date(timeIntervalSince1970: 1_798_761_600))
        patch.endsAt = .clear
        patch.minimum = .set(euros(5000))
        patch.products = .set(["ribbed-cardigan"])
        patch.categories = .clear
        patch.limit = .set(10)
        patch.limitPerAccount = .clear
        return patch
    }
}

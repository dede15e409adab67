import PouchContract
import PouchEntities
import PouchWire

extension WireShape {
    private static let optionalInAddress: Set<String> = ["line2", "region", "phone", "location"]

    static let requests = shopRequests + rideRequests + administrationRequests

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

    private static var addressPatch: AddressPatch {
        var patch = AddressPatch()
        patch.line1 = "2 Harbour Street"
        patch.line2 = .clear
        patch.phone = .set("+61 400 000 001")
        patch.location = .set(GeoPoint(latitude: -33.5, longitude: 151))
        return patch
    }
}

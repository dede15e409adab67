import Foundation
import PouchContract
import PouchEntities
import PouchWire

// The values of the golden documents of requests.
extension WireShape {
    static let requests = shopRequests + rideRequests + administrationRequests + productRequests

    private static let optionalInAddress: Set<String> = ["line2", "city", "region", "postalCode", "phone", "location"]

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
        .request("request-password-reset", PasswordResetRequest(email: "alinta@example.com")),
        .request(
            "request-new-password",
            NewPasswordRequest(token: "lnk_01.1798761600000.bWFj", newPassword: "battery staple")),
        .request("request-verification", VerificationRequest(token: "lnk_01.1798761600000.bWFj")),
        .request("request-email-change", EmailChangeRequest(email: "alinta@example.org", password: "correct horse")),
        .request("request-address", AddressInput(fullAddress()), optional: optionalInAddress),
        .request("request-address-patch", addressPatch, optional: ["line1", "line2", "phone", "location"]),
        .request("request-line", LineRequest(sku: "71616-39-m", quantity: 2)),
        .request("request-quantity", QuantityRequest(quantity: 0)),
        .request("request-discount", DiscountRequest(code: "TEN")),
        .request("request-shipping", ShippingRequest(methodId: "standard", address: AddressInput(shortAddress()))),
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
        .request("request-order-link", OrderLinkRequest(token: "ord_1.1767225600000.code")),
    ]

    private static let rideRequests: [WireShape] = [
        .request("request-quote", QuoteRequest(waypoints: trip)),
        .request(
            "request-ride", RideRequest(waypoints: trip, rideOptionID: "wallaby", quoteID: "quo_01"),
            optional: ["quoteID"]),
    ]

    private static let administrationRequests: [WireShape] = [
        .request(
            "request-sign-in-code",
            SignInRequest(email: "grace@example.com", password: "correct horse", code: "287082"), optional: ["code"]),
        .request(
            "request-confirmation", ConfirmationRequest(password: "correct horse", code: "287082"), optional: ["code"]),
        .request("request-code", CodeRequest(code: "287082")),
        .request("request-staff-invitation", StaffInvitationRequest(email: "joan@example.com", role: .support)),
        .request("request-staff-role", StaffRoleRequest(role: .manager)),
        .request(
            "request-accept-invitation",
            AcceptInvitationRequest(token: "inv_01.1.code", password: "correct horse", name: "Joan"),
            optional: ["name"]),
        .request(
            "request-api-key", APIKeyRequest(name: "till", scopes: [.readOrders], expiresAt: moment),
            optional: ["expiresAt"]),
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
            "request-order-patch",
            OrderPatch(tracking: .set(Tracking(carrier: "DHL", number: "1", url: "https://example.com/p/1"))),
            optional: ["tracking", "tracking.url"]),
        .request(
            "request-fulfil", FulfilRequest(tracking: Tracking(carrier: "DHL", number: "1")), optional: ["tracking"]),
        .request("request-order-note", OrderNoteRequest(text: "A gift")),
        .request(
            "request-refund",
            RefundOrderRequest(
                amount: euros(500), lines: [LineRequest(sku: "71616-39-m", quantity: 1)], reason: "Came back"),
            optional: ["amount", "lines"]),
        .request(
            "request-webhook",
            WebhookInput(
                url: "https://example.com/pouch", types: [.orderPaid, .stockLow], description: "The warehouse"),
            optional: ["types", "description"]),
        .request(
            "request-webhook-patch",
            WebhookPatch(url: "https://example.com/b", types: [], isActive: true, description: .clear),
            optional: ["url", "types", "active", "description"]),
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

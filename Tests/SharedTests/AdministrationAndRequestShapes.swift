import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchWire

// The values of the golden documents of answers to administrators.
extension WireShape {
    static let administrationAnswers: [WireShape] = [
        SecretWebhook(
            webhook: WebhookEndpoint(
                id: "whk_01", url: "https://example.com/pouch", types: [.orderPaid], description: "The warehouse",
                status: .paused, failingSince: newYear, previousSecretEndsAt: twoDaysLater, createdAt: newYear),
            secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        ).asAnswer("secret-webhook"),
        WebhookDelivery(
            id: "dlv_01", webhookId: "whk_01", eventId: "evt_01", type: .orderPaid, objectId: "ord_01",
            status: .pending,
            attempts: [
                .init(at: newYear, milliseconds: 12, status: 500, answer: "broken"),
                .init(at: newYear, milliseconds: 10_000, error: "The endpoint did not answer completely in time."),
            ], nextAttemptAt: twoDaysLater, createdAt: newYear
        ).asAnswer("webhook-delivery"),
        AuditEntry(
            id: "aud_01", at: newYear, actor: "acc_01", actorName: "Grace", actorEmail: "grace@example.com",
            action: "updateVariant", object: "/v1/admin/variants/a", before: ["available": 1], values: ["available": 2],
            address: "192.0.2.1", requestId: "r1"
        ).asAnswer("audit-entry"),
        EventPage(
            items: [
                ShopEvent(
                    id: "evt_01", type: .stockLow, createdAt: newYear, objectId: "a",
                    data: EventData(stock: Availability(sku: "a", price: euros(12900), available: 3)))
            ], hasMore: true
        ).asAnswer("event-page"),
        CatalogImport(
            id: "imp_01", status: .published, rows: 12, created: 3, updated: 1, unchanged: 7, failed: 1,
            errors: [.init(line: 4, field: "Variant Price", code: "invalid", detail: "This is no price.")],
            notes: [.init(line: 2, field: "Vendor", code: "not_used", detail: "The shop has no such column.")]
        ).asAnswer("catalog-import"),
        ManagedVariant(sku: "71616-39-m", price: euros(12900), available: 4, onHand: 6, held: 2)
            .asAnswer("managed-variant"),
        ManagedDiscount(id: "dis_01", terms: summerTerms, used: 3).asAnswer("managed-discount"),
        Page(
            items: [
                ManagedDiscount(id: "dis_02", terms: DiscountTerms(code: "POST", kind: .freeShipping), used: 0),
                ManagedDiscount(
                    id: "dis_01", terms: DiscountTerms(code: "3FOR2", kind: .buyXGetY, buy: 2, get: 1), used: 7),
            ], nextCursor: "abc.def"
        ).asAnswer("managed-discount-page"),
        ScheduledPrice(id: "scp_01", sku: "71616-39-m", price: euros(9900), startsAt: newYear, endsAt: twoDaysLater)
            .asAnswer("scheduled-price"),
        tracked.asAnswer("order-tracked"),
        ManagedOrder(
            order: undelivered, customer: alinta,
            refunds: [Refund(id: "ref_01", amount: euros(500), createdAt: moment)],
            refundable: Refundable(
                amount: euros(1000), lines: [.init(sku: "71616-39-m", quantity: 1, amount: euros(900))]),
            holdExpiresAt: moment, discountCode: "TEN",
            notes: [OrderNote(id: "not_01", text: "A gift", author: "Grace", createdAt: moment)]
        ).asAnswer("managed-order"),
        OrderNote(id: "not_02", text: "A gift", author: nil, createdAt: moment).asAnswer("order-note"),
        Page(items: [
            customer,
            Customer(
                id: "acc_02", name: "Bea", email: "bea@example.com", createdAt: moment, orderCount: 0, spent: euros(0)),
        ]).asAnswer("customer-page"),
        CustomerDetails(customer: customer, addresses: [shortAddress(id: "adr_01")], orders: [undelivered])
            .asAnswer("customer-details"),
        SalesReport(
            from: moment, until: twoDaysLater, by: .day, timeZone: "Europe/Berlin",
            periods: [SalesPeriod(startsAt: moment, endsAt: twoDaysLater, figures: figures)], total: figures,
            bestByUnits: [BestSeller(sku: "71616-39-m", name: "Ribbed cardigan", units: 2, revenue: euros(23220))],
            bestByRevenue: []
        ).asAnswer("sales-report"),
        Page(
            items: [
                StockLevel(
                    sku: "71616-39-m", productHandle: "ribbed-cardigan", name: "Ribbed cardigan",
                    options: ["Size": "M"], onHand: 6, held: 2, available: 4)
            ], nextCursor: "abc.def"
        ).asAnswer("stock-level-page"),
        Refund(
            id: "ref_01", amount: euros(11610), createdAt: moment, status: .pending,
            lines: [.init(sku: "71616-39-m", quantity: 1)], reason: "Came back"
        ).asAnswer("refund"),
        UserSession(
            id: "ses_03", kind: .admin, profile: Profile(id: "acc_02", name: "Grace", email: "grace@example.com"),
            remoteSession: remoteSession, role: .readOnly
        ).asAnswer("user-session-staff"),
        Page(items: [
            StaffMember(
                id: "inv_01", status: .invited, role: .support, email: "joan@example.com", invitationExpiresAt: moment),
            StaffMember(
                id: "acc_02", status: .active, role: .owner, email: "grace@example.com", name: "Grace",
                hasSecondFactor: true),
        ]).asAnswer("staff-member-page"),
        NewAPIKey(key: tillKey, token: "sk_01_secret").asAnswer("new-api-key"),
        Page(items: [tillKey], nextCursor: "abc.def").asAnswer("api-key-page"),
        SecondFactor(isEnabled: true, recoveryCodesLeft: 9).asAnswer("second-factor"),
        SecondFactor(isEnabled: false, recoveryCodesLeft: 0, isRequired: true).asAnswer("second-factor-required"),
        SecondFactorSecret(secret: "GEZDGNBVGY3TQOJQ", uri: "otpauth://totp/Pouch:a?secret=GEZDGNBVGY3TQOJQ")
            .asAnswer("second-factor-secret"),
        RecoveryCodes(codes: ["0123-4567-89ab-cdef"]).asAnswer("recovery-codes"),
    ]

    private static let tillKey = APIKey(
        id: "key_01", name: "till", scopes: [.readOrders, .refundOrders], createdAt: moment, createdBy: "acc_02",
        expiresAt: moment, lastUsedAt: moment)

    // MARK: Values
    private static let customer = Customer(
        id: "acc_01", name: "Alinta", email: "alinta@example.com", mobileNumber: "+61 400 000 000", createdAt: moment,
        orderCount: 2, spent: euros(12110))
    private static let figures = SalesFigures(
        orders: 1, units: 2, gross: euros(25800), discounts: euros(2580), shipping: euros(500), tax: euros(1854),
        charged: euros(23720), refunds: euros(11610), net: euros(12110))
    static let summerTerms = DiscountTerms(
        code: "SUMMER", kind: .percentage, basisPoints: 1250, startsAt: newYear,
        endsAt: twoDaysLater, minimum: euros(5000), products: ["ribbed-cardigan"],
        categories: ["cardigans"], limit: 100, limitPerAccount: 1)
}

// The values of the golden documents of products as administrators see and change them.
extension WireShape {
    private static let cap = ProductImage(url: "/assets/pictures/1.png", alt: "A cap")
    private static let caps = ProductImage(url: "/assets/pictures/2.png", alt: "Caps")

    static let productAnswers: [WireShape] = [
        ManagedProduct(
            id: "prd_01", version: 3, state: ProductState(.draft, publishAt: newYear, withdrawAt: twoDaysLater),
            details: ProductDetails(
                handle: "cap", name: "Cap", styleCode: "716", description: "Warm.", seasonId: "71", themeId: "716",
                category: "hats", tags: ["wool"], materials: ["Wool"], careInstructions: "Wash cold.",
                options: [ProductOption(name: "Size", values: ["S"])], images: [cap], promoImage: caps),
            updatedAt: newYear,
            variants: [
                StockedVariant(
                    sku: "cap-s", options: ["Size": "S"], price: euros(1000), compareAtPrice: euros(1200),
                    weightGrams: 80, available: 3, onHand: 5, held: 2)
            ]
        ).asAnswer("managed-product"),
        ManagedPromotion(
            productId: "prd_01", handle: "cap", name: "Cap", status: .published, image: caps, position: 0
        ).asAnswer("managed-promotion"),
        Picture(url: "/assets/pictures/1.png", mediaType: "image/png", width: 40, height: 30, byteCount: 812)
            .asAnswer("picture"),
    ]

    static let productRequests: [WireShape] = [
        ProductTerms(
            name: "Cap", handle: "cap", status: .draft, publishAt: newYear, withdrawAt: twoDaysLater, styleCode: "716",
            description: "Warm.", seasonId: "71", themeId: "716", category: "hats", tags: ["wool"], materials: ["Wool"],
            careInstructions: "Wash cold.", options: [ProductOption(name: "Size", values: ["S"])], images: [cap],
            promoImage: caps,
            variants: [
                VariantTerms(
                    sku: "cap-s", options: ["Size": "S"], price: euros(1000), compareAtPrice: euros(1200),
                    weightGrams: 80, stock: 5)
            ]
        ).asRequest(
            "request-product", optional: "handle", "status", "publishAt", "withdrawAt", "styleCode", "description",
            "seasonId", "themeId", "category", "tags", "materials", "careInstructions", "options", "images",
            "promoImage", "variants", "variants.0.sku", "variants.0.options", "variants.0.compareAtPrice",
            "variants.0.weightGrams", "variants.0.stock"),
        productPatch.asRequest("request-product-patch", optional: "name", "status", "publishAt", "description", "tags"),
        NameRequest(name: "Hats").asRequest("request-name"),
        SeasonTerms(name: "Summer", startsAt: newYear, endsAt: twoDaysLater).asRequest(
            "request-season", optional: "startsAt", "endsAt"),
        ThemeRequest(name: "Beach", seasonId: "71").asRequest("request-theme"),
        PromotionsRequest(items: [PromotionTerms(product: "cap", image: caps)]).asRequest(
            "request-promotions", optional: "items.0.image"),
    ]
}

// The values of the golden documents of requests.
extension WireShape {
    static let requests = shopRequests + rideRequests + administrationRequests + productRequests

    private static let shopRequests: [WireShape] = [
        SignUpRequest(
            name: "Alinta", email: "alinta@example.com", mobileNumber: "+61 400 000 000", password: "correct horse"
        ).asRequest("request-sign-up", optional: "mobileNumber"),
        SignInRequest(email: "alinta@example.com", password: "correct horse").asRequest("request-sign-in"),
        RefreshRequest(refreshToken: "refresh").asRequest("request-refresh"),
        ProfilePatch(name: "Alinta B.", mobileNumber: .clear, avatarURL: .set("/assets/avatars/2.svg")).asRequest(
            "request-profile-patch", optional: "name", "mobileNumber", "avatarURL"),
        DeleteAccountRequest(password: "correct horse").asRequest("request-delete-account"),
        PasswordChangeRequest(currentPassword: "correct horse", newPassword: "battery staple")
            .asRequest("request-change-password"),
        PasswordResetRequest(email: "alinta@example.com").asRequest("request-password-reset"),
        NewPasswordRequest(token: "lnk_01.1798761600000.bWFj", newPassword: "battery staple")
            .asRequest("request-new-password"),
        VerificationRequest(token: "lnk_01.1798761600000.bWFj").asRequest("request-verification"),
        EmailChangeRequest(email: "alinta@example.org", password: "correct horse").asRequest("request-email-change"),
        AddressInput(fullAddress()).asRequest(
            "request-address", optional: "line2", "city", "region", "postalCode", "phone", "location"),
        addressPatch.asRequest("request-address-patch", optional: "line1", "line2", "phone", "location"),
        LineRequest(sku: "71616-39-m", quantity: 2).asRequest("request-line"),
        QuantityRequest(quantity: 0).asRequest("request-quantity"),
        DiscountRequest(code: "TEN").asRequest("request-discount"),
        ShippingRequest(methodId: "standard", address: AddressInput(shortAddress())).asRequest("request-shipping"),
        CheckoutRequest(paymentMethod: .card(token: "tok_ok"), expectedTotal: euros(23720), email: "alinta@example.com")
            .asRequest("request-checkout", optional: "email"),
        PreviewRequest(
            lines: [LineRequest(sku: "a", quantity: 1), LineRequest(sku: "b", quantity: 2)],
            address: AddressInput(shortAddress()), methodId: "standard", discount: "TEN"
        ).asRequest("request-preview", optional: "address", "methodId", "discount"),
        BuyNowRequest(
            lines: [LineRequest(sku: "a", quantity: 1)], address: AddressInput(shortAddress()), methodId: "standard",
            discount: "TEN", paymentMethod: .card(token: "tok_ok"), expectedTotal: euros(1000),
            email: "alinta@example.com"
        ).asRequest("request-buy-now", optional: "address", "methodId", "discount", "email"),
        DeliveryRequest(methodId: "standard").asRequest("request-delivery"),
        OrderLinkRequest(token: "ord_1.1767225600000.code").asRequest("request-order-link"),
    ]

    private static let rideRequests: [WireShape] = [
        QuoteRequest(waypoints: trip).asRequest("request-quote"),
        RideRequest(waypoints: trip, rideOptionID: "wallaby", quoteID: "quo_01").asRequest(
            "request-ride", optional: "quoteID"),
    ]

    private static let administrationRequests: [WireShape] = [
        SignInRequest(email: "grace@example.com", password: "correct horse", code: "287082").asRequest(
            "request-sign-in-code", optional: "code"),
        ConfirmationRequest(password: "correct horse", code: "287082").asRequest(
            "request-confirmation", optional: "code"),
        CodeRequest(code: "287082").asRequest("request-code"),
        StaffInvitationRequest(email: "joan@example.com", role: .support).asRequest("request-staff-invitation"),
        StaffRoleRequest(role: .manager).asRequest("request-staff-role"),
        AcceptInvitationRequest(token: "inv_01.1.code", password: "correct horse", name: "Joan").asRequest(
            "request-accept-invitation", optional: "name"),
        APIKeyRequest(name: "till", scopes: [.readOrders], expiresAt: moment).asRequest(
            "request-api-key", optional: "expiresAt"),
        VariantPatch(price: euros(9900), available: 12, adjust: -1).asRequest(
            "request-variant", optional: "price", "available", "adjust"),
        summerTerms.asRequest(
            "request-discount-terms", optional: "basisPoints", "startsAt", "endsAt", "minimum", "products",
            "categories", "limit", "limitPerAccount"),
        discountPatch.asRequest(
            "request-discount-patch", optional: "code", "kind", "amount", "startsAt", "endsAt", "minimum", "products",
            "categories", "limit", "limitPerAccount"),
        ScheduledPriceRequest(sku: "71616-39-m", price: euros(9900), startsAt: newYear, endsAt: twoDaysLater)
            .asRequest("request-scheduled-price"),
        OrderPatch(tracking: .set(Tracking(carrier: "DHL", number: "1", url: "https://example.com/p/1"))).asRequest(
            "request-order-patch", optional: "tracking", "tracking.url"),
        FulfilRequest(tracking: Tracking(carrier: "DHL", number: "1")).asRequest(
            "request-fulfil", optional: "tracking"),
        OrderNoteRequest(text: "A gift").asRequest("request-order-note"),
        RefundOrderRequest(
            amount: euros(500), lines: [LineRequest(sku: "71616-39-m", quantity: 1)], reason: "Came back"
        ).asRequest("request-refund", optional: "amount", "lines"),
        WebhookInput(url: "https://example.com/pouch", types: [.orderPaid, .stockLow], description: "The warehouse")
            .asRequest("request-webhook", optional: "types", "description"),
        WebhookPatch(url: "https://example.com/b", types: [], isActive: true, description: .clear).asRequest(
            "request-webhook-patch", optional: "url", "types", "active", "description"),
    ]

    private static var productPatch: ProductPatch {
        var patch = ProductPatch.empty
        patch.name = "Cap"
        patch.status = .withdrawn
        patch.publishAt = .set(newYear)
        patch.description = .clear
        patch.tags = ["wool"]
        return patch
    }

    private static var addressPatch: AddressPatch {
        var patch = AddressPatch.empty
        patch.line1 = "2 Harbour Street"
        patch.line2 = .clear
        patch.phone = .set("+61 400 000 001")
        patch.location = .set(GeoPoint(latitude: -33.5, longitude: 151))
        return patch
    }

    private static var discountPatch: DiscountPatch {
        var patch = DiscountPatch.empty
        patch.code = "SUMMER-2"
        patch.kind = .amount
        patch.amount = .set(euros(1000))
        patch.startsAt = .set(newYear)
        patch.endsAt = .clear
        patch.minimum = .set(euros(5000))
        patch.products = .set(["ribbed-cardigan"])
        patch.categories = .clear
        patch.limit = .set(10)
        patch.limitPerAccount = .clear
        return patch
    }
}

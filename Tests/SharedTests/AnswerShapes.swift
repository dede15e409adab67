import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchWire

// The values of the golden documents of answers.
extension WireShape {
    static let answers = shopAnswers + rideAnswers + administrationAnswers + productAnswers

    private static let accountSessions = [
        AccountSession(
            id: "ses_02", createdAt: moment, lastUsedAt: moment, userAgent: "pouch (Linux)", network: "192.0.2.1",
            isCurrent: true),
        AccountSession(id: "ses_01", createdAt: moment, lastUsedAt: moment),
    ]
    static let alinta = Profile(id: "acc_01", name: "Alinta", email: "alinta@example.com")
    static let newYear = Date(timeIntervalSince1970: 1_798_761_600)
    static let twoDaysLater = newYear.addingTimeInterval(2 * 24 * 3600)

    private static let shopAnswers: [WireShape] = [
        ShopProfile(currency: .eur, country: "DE", timeZone: "Europe/Berlin").asAnswer("shop-profile"),
        UserSession(
            id: "ses_01", kind: .customer,
            profile: Profile(
                id: "acc_01", name: "Alinta", email: "alinta@example.com", mobileNumber: "+61 400 000 000",
                avatarURL: "/assets/avatars/1.svg"), remoteSession: remoteSession
        ).asAnswer("user-session"),
        UserSession(id: "ses_02", kind: .guest, profile: nil, remoteSession: remoteSession)
            .asAnswer("user-session-guest"),
        alinta.asAnswer("profile"),
        Profile(id: "acc_01", name: "Alinta", email: "alinta@example.com", emailVerified: true)
            .asAnswer("profile-verified"),
        Page(items: accountSessions).asAnswer("account-session-page"),
        AccountExport(
            exportedAt: moment, profile: alinta, addresses: [shortAddress(id: "adr_01")],
            sessions: [accountSessions[1]], orders: [], rides: [],
            mails: [
                SentMail(kind: "emailVerification", recipient: "alinta@example.com", createdAt: moment, sentAt: moment),
                SentMail(kind: "orderPaid", recipient: "alinta@example.com", createdAt: moment),
            ]
        ).asAnswer("account-export"),
        fullAddress(id: "adr_01").asAnswer("address"),
        Page(items: [shortAddress(id: "adr_01")], nextCursor: "abc.def").asAnswer("address-page"),
        Season(
            id: "71", name: "Summer", startsAt: newYear, endsAt: Date(timeIntervalSince1970: 1_814_392_799.999)
        ).asAnswer("season"),
        Season(id: "72", name: "Winter").asAnswer("season-open"),
        Theme(id: "716", name: "Harbour", seasonId: "71").asAnswer("theme"),
        PouchEntities.Category(id: "cardigans", name: "Cardigans", productCount: 12).asAnswer("category"),
        cardigan.asAnswer("product"),
        giftCard.asAnswer("product-plain"),
        Promotion(product: giftCard, image: ProductImage(url: "/assets/gift.svg", alt: "A gift card"), position: 0)
            .asAnswer("promotion"),
        ProductPage(
            items: [giftCard], nextCursor: "abc.def",
            facets: [
                Facet(
                    name: "category",
                    values: [.init(value: "uncategorised", count: 2), .init(value: "cardigans", count: 1)]),
                Facet(name: "option.Size", values: [.init(value: "M", count: 1)]),
            ]
        ).asAnswer("product-page"),
        ProductPage(items: []).asAnswer("product-page-last"),
        Page(items: [
            Availability(sku: "a", price: euros(12900), available: 4),
            Availability(sku: "b", price: euros(12900), available: 3),
            Availability(sku: "c", price: euros(12900), available: 0),
            Availability(unknown: "d"),
        ]).asAnswer("availability-page"),
        Cart(
            id: "crt_01", version: 7, lines: [cartLine(image: cardiganImage, discount: 2580)],
            discount: CartDiscount(code: "TEN", amount: euros(2580)),
            shipping: Shipping(methodId: "standard", address: shortAddress(), price: euros(500)),
            totals: totals(items: 25800, discount: 2580, shipping: 500, total: 23720),
            changes: [
                .priceChanged(sku: "a", from: euros(12000), to: euros(12900)),
                .quantity(sku: "b", .quantityReduced, from: 5, to: 4),
                .quantity(sku: "c", .removed, from: 1, to: 0),
                .quantity(sku: "d", .merged, from: 1, to: 3),
            ], updatedAt: moment
        ).asAnswer("cart"),
        Cart(id: "crt_02", version: 0, lines: [], totals: totals(), changes: [], updatedAt: moment)
            .asAnswer("cart-empty"),
        CartSummary(id: "crt_01", version: 8, line: cartLine(), totals: totals(items: 25800, total: 25800))
            .asAnswer("cart-summary"),
        CartSummary(id: "crt_01", version: 9, line: nil, totals: totals()).asAnswer("cart-summary-removed"),
        Page(items: [
            standardShipping,
            ShippingMethod(id: "kangaroo", name: "Kangaroo courier", price: euros(1500), estimate: "today"),
        ]).asAnswer("shipping-method-page"),
        order.asAnswer("order"),
        undelivered.asAnswer("order-undelivered"),
        OrderPreview(
            lines: [cartLine()], methods: [standardShipping], totals: totals(items: 25800, shipping: 500, total: 26300)
        ).asAnswer("order-preview"),
        Problem(
            .validationFailed, detail: "The e-mail address has no @.", requestId: "req-1",
            errors: [FieldProblem(field: "address.city", code: "required", detail: "address.city is missing.")]
        ).asAnswer("problem"),
        Problem(.notFound).asAnswer("problem-plain"),
        ProblemDetails(Problem(.paymentDeclined), declineCode: "insufficient_funds")
            .asAnswer("problem-payment-declined"),
        ProblemDetails(
            Problem(.outOfStock),
            lines: [StockShortfall(sku: "a", available: 1), StockShortfall(sku: "b", available: 0)]
        ).asAnswer("problem-out-of-stock"),
        ProblemDetails(
            Problem(.priceChanged, requestId: "req-1"),
            changes: [.priceChanged(sku: "a", from: euros(12000), to: euros(12900))]
        ).asAnswer("problem-price-changed"),
    ]

    private static let rideAnswers: [WireShape] = [
        Page(
            items: [
                NamedLocation(name: "Sydney Opera House", location: operaHouse),
                NamedLocation(name: "Taronga Zoo", location: GeoPoint(latitude: -33.8433, longitude: 151.2411)),
            ], nextCursor: "abc.def"
        ).asAnswer("named-location-page"),
        Page(items: [
            RideOption(
                id: "wallaby", name: "Wallaby", capacity: 1, maxWeightGrams: 25_000,
                images: .init(normal: "/assets/wallaby.svg", selected: "/assets/wallaby-selected.svg"))
        ]).asAnswer("ride-option-page"),
        Page(items: [
            FareQuote(
                id: "quo_01", rideOptionID: "wallaby", fare: euros(1290), distanceMetres: 5_400, etaSeconds: 486,
                expiresAt: moment)
        ]).asAnswer("fare-quote-page"),
        Ride(
            id: "rid_01", status: .accepted, waypoints: trip, rideOptionID: "wallaby", fare: euros(1290),
            driver: skippy, etaSeconds: 240, createdAt: moment, history: Array(rideHistory.prefix(2))
        ).asAnswer("ride"),
        Ride(
            id: "rid_02", status: .requested, waypoints: trip, rideOptionID: "kangaroo", fare: euros(2580), driver: nil,
            etaSeconds: nil, createdAt: moment, history: Array(rideHistory.prefix(1))
        ).asAnswer("ride-requested"),
        RideUpdate(status: .arriving, driver: skippy, etaSeconds: 30, history: rideHistory)
            .asAnswer("ride-update-status"),
        RideUpdate(driver: skippy, etaSeconds: 20).asAnswer("ride-update-position"),
        RideReceipt(
            rideID: "rid_01", fare: euros(1290), distanceMetres: 5_400, driverName: "Skippy",
            pickedUpAt: rideHistory[1].at, completedAt: rideHistory[2].at
        ).asAnswer("ride-receipt"),
    ]

    static func euros(_ amount: Int64) -> Money { Money(amount, .eur) }

    static func fullAddress(id: String? = nil) -> Address {
        Address(
            id: id, name: "Alinta", line1: "1 Harbour Street", line2: "Flat 2", city: "Sydney", region: "NSW",
            postalCode: "2000", country: "AU", phone: "+61 400 000 000",
            location: GeoPoint(latitude: -33.87, longitude: 151.21))
    }

    static func shortAddress(id: String? = nil, location: GeoPoint? = nil) -> Address {
        Address(
            id: id, name: "Alinta", line1: "1 Harbour Street", city: "Sydney", postalCode: "2000", country: "AU",
            location: location)
    }

    /// 2027-01-02T03:04:05.678Z
    static let moment = Date(timeIntervalSince1970: 1_798_859_045.678)
    private static let soon = Date(timeIntervalSince1970: 1_798_859_046.001)

    static let remoteSession = RemoteSession(
        accessToken: "access", accessTokenExpiresAt: moment, refreshToken: "refresh",
        refreshTokenExpiresAt: Date(timeIntervalSince1970: 1_801_451_045))

    static let cardiganImage = ProductImage(url: "/assets/71616-39.svg", alt: "Ribbed cardigan in navy")

    static let cardigan = Product(
        id: "prd_01", handle: "ribbed-cardigan", styleCode: "71616", name: "Ribbed cardigan",
        description: "Warm & light", seasonId: "71", themeId: "716", category: "cardigans", tags: ["wool"],
        price: euros(12900), compareAtPrice: euros(15900), materials: ["100% lambswool"],
        careInstructions: "Wash by hand",
        options: [ProductOption(name: "Colour", values: ["Navy"]), ProductOption(name: "Size", values: ["S", "M"])],
        images: [cardiganImage],
        promoImage: ProductImage(url: "/assets/71616-promo.svg", alt: "Ribbed cardigan"), updatedAt: moment,
        variants: [
            Variant(
                sku: "71616-39-m", options: ["Colour": "Navy", "Size": "M"], price: euros(12900),
                compareAtPrice: euros(15900), available: 4, weightGrams: 380)
        ])

    private static let giftCard: Product = {
        let price = Currency(code: "JPY").map { Money(5000, $0) } ?? euros(0)
        return Product(
            id: "prd_02", handle: "gift-card", name: "Gift card", category: "uncategorised", tags: [], price: price,
            options: [], images: [], updatedAt: moment,
            variants: [Variant(sku: "gift-card", options: [:], price: price, available: 0)])
    }()

    private static let standardShipping = ShippingMethod(
        id: "standard", name: "Standard", price: euros(500), estimate: "3 to 5 days")

    private static func cartLine(image: ProductImage? = nil, discount: Int64 = 0) -> CartLine {
        CartLine(
            sku: "71616-39-m", productHandle: "ribbed-cardigan", name: "Ribbed cardigan", image: image,
            options: ["Colour": "Navy", "Size": "M"], quantity: 2, unitPrice: euros(12900), lineTotal: euros(25800),
            discount: euros(discount), available: 4)
    }

    private static func totals(items: Int64 = 0, discount: Int64 = 0, shipping: Int64 = 0, total: Int64 = 0) -> Totals {
        Totals(
            items: euros(items), discount: euros(discount), shipping: euros(shipping), tax: euros(0),
            total: euros(total))
    }

    static let undelivered = Order(
        id: "ord_02", number: "P-10002", status: .paid, lines: [], totals: totals(shipping: 1500, total: 1500),
        payment: Payment(id: "pay_02", status: .captured, amount: euros(1500), refunded: euros(0)), shipping: nil,
        rideId: "rid_01", deliveryFailure: DeliveryFailure(reason: .noKangaroo, methods: [standardShipping]),
        email: nil, createdAt: moment, history: [.init(status: .paid, at: moment)])

    static let order = Order(
        id: "ord_01", number: "P-10001", status: .partiallyRefunded,
        lines: [
            OrderLine(
                sku: "71616-39-m", name: "Ribbed cardigan", options: ["Colour": "Navy", "Size": "M"], quantity: 2,
                unitPrice: euros(12900), lineTotal: euros(25800), discount: euros(2580), tax: euros(3707),
                refundedQuantity: 1)
        ],
        totals: totals(items: 25800, discount: 2580, shipping: 500, total: 23720),
        payment: Payment(id: "pay_01", status: .partiallyRefunded, amount: euros(23720), refunded: euros(11610)),
        shipping: Shipping(
            methodId: "kangaroo", address: shortAddress(location: GeoPoint(latitude: -33.87, longitude: 151.21)),
            price: euros(500)),
        email: "alinta@example.com", createdAt: moment,
        history: [
            .init(status: .pending, at: moment), .init(status: .paid, at: soon),
            .init(status: .partiallyRefunded, at: twoDaysLater),
        ])

    static let tracked = Order(
        id: "ord_03", number: "P-10003", status: .fulfilled, lines: [], totals: totals(),
        payment: Payment(id: "pay_03", status: .captured, amount: euros(0), refunded: euros(0)), shipping: nil,
        tracking: Tracking(carrier: "DHL", number: "00340434161094015902", url: "https://example.com/p/1"), email: nil,
        createdAt: moment, history: [])

    private static let operaHouse = GeoPoint(latitude: -33.8568, longitude: 151.2153)
    static let trip = RideWaypoints(
        pickupLocation: GeoPoint(latitude: -33.8614, longitude: 151.2108), dropoffLocation: operaHouse)
    private static let skippy = Ride.Driver(
        name: "Skippy", rating: 4.9, location: GeoPoint(latitude: -33.87, longitude: 151.21))
    private static let rideHistory: [Ride.Event] = [
        .init(status: .requested, at: moment), .init(status: .accepted, at: soon),
        .init(status: .arriving, at: twoDaysLater),
    ]
}

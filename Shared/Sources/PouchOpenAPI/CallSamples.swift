/// The calls of the Swift SDK by endpoint name, for `let pouch = Pouch(server: url)`. Endpoints that the SDK calls by
/// itself, or never, have none.
enum CallSamples {
    static let all = [
        system, sessions, account, catalogue, cart, orders, rides, products, admin, figures, webhooks, staff,
    ].reduce(into: [String: String]()) { $0.merge($1) { first, _ in first } }

    private static let system: [String: String] = [
        "healthReady": "for await connection in pouch.connection.connections() { print(connection) }",
        "asset": #"if let image = product.images.first { let data = try await pouch.assets.data(of: image).value }"#,
    ]

    private static let sessions: [String: String] = [
        "signUp": """
        let session = try await pouch.account.signUp(
            name: "Ann Example", email: "ann@example.com", password: password)
        """,
        "signIn": #"let session = try await pouch.account.signIn(email: "ann@example.com", password: password)"#,
        "startGuestSession": "let session = try await pouch.account.sessionOrGuest()",
        "signOut": "try await pouch.account.signOut()",
        "confirmSession": "try await pouch.account.confirm(password: password)",
        "requestPasswordReset": #"try await pouch.account.requestPasswordReset(email: "ann@example.com")"#,
        "resetPassword": "try await pouch.account.resetPassword(token: token, to: newPassword)",
        "acceptInvitation": """
        try await pouch.account.acceptInvitation(token: token, password: password, name: "Ann Example")
        """,
    ]

    private static let account: [String: String] = [
        "profile": "let profile = try await pouch.account.profile()",
        "updateProfile": """
        try await pouch.account.updateProfile(name: "Ann Example", mobileNumber: "+61 400 000 000")
        """,
        "deleteAccount": "try await pouch.account.deleteAccount(password: password)",
        "changePassword": "try await pouch.account.changePassword(from: password, to: newPassword)",
        "changeEmail": #"try await pouch.account.changeEmail(to: "ann@example.org", password: password)"#,
        "requestVerification": "try await pouch.account.requestVerification()",
        "verifyEmail": "try await pouch.account.verifyEmail(token: token)",
        "accountSessions": "let sessions = try await pouch.account.activeSessions()",
        "endSession": "try await pouch.account.endSession(id: session.id)",
        "exportAccount": "let export = try await pouch.account.export()",
        "addresses": "let addresses = try await pouch.account.addresses()",
        "addAddress": """
        let address = try await pouch.account.addAddress(
            Address(name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU"))
        """,
        "updateAddress": "try await pouch.account.updateAddress(id: id, to: address)",
        "deleteAddress": "try await pouch.account.removeAddress(id: id)",
        "secondFactor": "let secondFactor = try await pouch.account.secondFactor()",
        "beginSecondFactor": "let secret = try await pouch.account.beginSecondFactor()",
        "enableSecondFactor": #"let recoveryCodes = try await pouch.account.enableSecondFactor(code: "287082")"#,
        "removeSecondFactor": "try await pouch.account.removeSecondFactor()",
    ]

    private static let catalogue: [String: String] = [
        "shop": "let shop = try await pouch.catalog.shop()",
        "seasons": "let seasons = try await pouch.catalog.seasons()",
        "themes": #"let themes = try await pouch.catalog.themes(season: "71")"#,
        "categories": "let categories = try await pouch.catalog.categories()",
        "promotions": "let promotions = try await pouch.catalog.promotions()",
        "products": #"let page = try await pouch.catalog.products(ProductQuery(search: "cardigan")).value"#,
        "product": #"let product = try await pouch.catalog.product(handle: "samphire-cardigan").value"#,
        "availability": #"let stock = try await pouch.catalog.availability(of: ["71101-69-m"])"#,
    ]

    private static let cart: [String: String] = [
        "cart": "let cart = try await pouch.cart.refresh()",
        "clearCart": "try await pouch.cart.clear()",
        "addCartLine": #"let cart = try await pouch.cart.add(sku: "71101-69-m", quantity: 2)"#,
        "setCartLine": #"let cart = try await pouch.cart.set(sku: "71101-69-m", quantity: 2)"#,
        "removeCartLine": #"let cart = try await pouch.cart.remove(sku: "71101-69-m")"#,
        "setCartDiscount": #"let cart = try await pouch.cart.setDiscount(code: "AUTUMN10")"#,
        "removeCartDiscount": "let cart = try await pouch.cart.removeDiscount()",
        "shippingMethods": """
        let methods = try await pouch.checkout.shippingMethods(country: "AU", postalCode: "2000")
        """,
        "setCartShipping": #"let cart = try await pouch.cart.setShipping(methodId: "standard", to: address)"#,
        "checkout": """
        let order = try await pouch.checkout.pay(
            for: cart, with: .card(token: "tok_ok"), email: "ann@example.com")
        """,
    ]

    private static let orders: [String: String] = [
        "previewOrder": """
        let draft = OrderDraft(lines: [.init(sku: "71101-69-m", quantity: 1)], address: address)
        let preview = try await pouch.checkout.preview(draft)
        """,
        "buyNow": """
        let order = try await pouch.checkout.buy(
            draft, for: preview.totals.total, with: .card(token: "tok_ok"), email: "ann@example.com")
        """,
        "orders": "let page = try await pouch.orders.orders(limit: 20)",
        "order": "let order = try await pouch.orders.order(id: id)",
        "cancelOrder": "let order = try await pouch.orders.cancel(id: id)",
        "changeDelivery": #"let order = try await pouch.orders.changeDelivery(of: id, methodId: "standard")"#,
        "orderEvents": "for try await order in pouch.orders.watch(id) { print(order.status) }",
        "orderByLink": "let order = try await pouch.orders.order(link: link)",
    ]

    private static let rides: [String: String] = [
        "ridePlaces": #"let places = try await pouch.locations.places(matching: "opera", near: nil)"#,
        "rideOptions": """
        let options = try await pouch.rides.options(at: GeoPoint(latitude: -33.87, longitude: 151.21))
        """,
        "quoteRide": "let quotes = try await pouch.rides.quotes(for: waypoints)",
        "requestRide": #"let ride = try await pouch.rides.request(waypoints, option: "wallaby", quote: quotes.first)"#,
        "rides": "let page = try await pouch.rides.rides()",
        "ride": "let ride = try await pouch.rides.ride(id: id)",
        "cancelRide": "let ride = try await pouch.rides.cancel(id)",
        "rideReceipt": "let receipt = try await pouch.rides.receipt(of: id)",
        "rideEvents": "for try await ride in pouch.rides.follow(id) { print(ride.status) }",
    ]
}

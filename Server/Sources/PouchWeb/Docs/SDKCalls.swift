/// The text about an endpoint, and the call of the Swift SDK that uses it.
struct SDKCall: Sendable {
    /// A sentence for people.
    let text: String
    /// Code over `let pouch = Pouch(server: url)`; a comment for an endpoint that the SDK calls by itself or never.
    let code: String

    init(_ text: String, _ code: String) {
        self.text = text
        self.code = code
    }
}

/// The calls of the SDK by the names of endpoints.
enum SDKCalls {
    static let all = [
        system, sessions, account, catalogue, cart, orders, rides, products, admin, figures, webhooks, staff,
    ].reduce(into: [String: SDKCall]()) { $0.merge($1) { first, _ in first } }

    private static let system: [String: SDKCall] = [
        "healthLive": SDKCall(
            "Responds while the process runs. For the liveness probe of a supervisor.",
            "// For supervisors. The SDK does not call it."),
        "healthReady": SDKCall(
            "Succeeds once the server can serve requests: its database responds and the catalogue is loaded.",
            """
            for await connection in pouch.connection.connections() { print(connection) }
            """),
        "openAPI": SDKCall(
            "The OpenAPI 3.1 description of this API, from which these pages are generated.",
            "// The SDK is compiled with the contract and does not need it."),
        "asset": SDKCall(
            "A picture of the catalogue. The url of an image in a response is such a path.",
            """
            if let image = product.images.first { let data = try await pouch.assets.data(of: image).value }
            """),
    ]

    private static let sessions: [String: SDKCall] = [
        "signUp": SDKCall(
            "Creates an account and signs in. With a guest's token the account takes over the guest's cart and orders.",
            """
            let session = try await pouch.account.signUp(
                name: "Ann Example", email: "ann@example.com", password: password)
            """),
        "signIn": SDKCall(
            "Signs in to an account. With a guest's token the account takes over the guest's cart and orders.",
            """
            let session = try await pouch.account.signIn(email: "ann@example.com", password: password)
            """),
        "startGuestSession": SDKCall(
            "Starts a session without an account, which can fill a cart and buy.",
            """
            let session = try await pouch.account.sessionOrGuest()
            """),
        "refreshSession": SDKCall(
            "Exchanges a refresh token for a new pair of tokens. A refresh token works once.",
            "// The SDK refreshes the session by itself, once for all calls that wait for it."),
        "signOut": SDKCall(
            "Ends the session of the token.",
            """
            try await pouch.account.signOut()
            """),
        "confirmSession": SDKCall(
            "Confirms the password of the session, which may then make sensitive calls for ten minutes.",
            """
            try await pouch.account.confirm(password: password)
            """),
        "requestPasswordReset": SDKCall(
            "Sends a mail with a token for a new password. The response is the same for an address without an account.",
            """
            try await pouch.account.requestPasswordReset(email: "ann@example.com")
            """),
        "resetPassword": SDKCall(
            "Sets a new password with the token of the mail, and ends all sessions of the account.",
            """
            try await pouch.account.resetPassword(token: token, to: newPassword)
            """),
        "acceptInvitation": SDKCall(
            "Accepts an invitation to the staff, with a new account or an existing one. It does not sign in.",
            """
            try await pouch.account.acceptInvitation(token: token, password: password, name: "Ann Example")
            """),
    ]

    private static let account: [String: SDKCall] = [
        "profile": SDKCall(
            "The name and addresses of the account.",
            """
            let profile = try await pouch.account.profile()
            """),
        "updateProfile": SDKCall(
            "Changes the fields that the body has; null clears a field.",
            """
            try await pouch.account.updateProfile(name: "Ann Example", mobileNumber: "+61 400 000 000")
            """),
        "deleteAccount": SDKCall(
            "Deletes the account with its personal data and ends its sessions. Its orders stay in the books.",
            """
            try await pouch.account.deleteAccount(password: password)
            """),
        "changePassword": SDKCall(
            "Changes the password and ends all other sessions of the account.",
            """
            try await pouch.account.changePassword(from: password, to: newPassword)
            """),
        "changeEmail": SDKCall(
            "Sends a mail to a new address, which replaces the old one once its token is confirmed.",
            """
            try await pouch.account.changeEmail(to: "ann@example.org", password: password)
            """),
        "requestVerification": SDKCall(
            "Sends the mail that verifies the account's address again.",
            """
            try await pouch.account.requestVerification()
            """),
        "verifyEmail": SDKCall(
            "Verifies the address that the token was sent to.",
            """
            try await pouch.account.verifyEmail(token: token)
            """),
        "accountSessions": SDKCall(
            "The sessions of the account that have not ended, the latest first.",
            """
            let sessions = try await pouch.account.activeSessions()
            """),
        "endSession": SDKCall(
            "Ends one session of the account.",
            """
            try await pouch.account.endSession(id: session.id)
            """),
        "exportAccount": SDKCall(
            "Everything that the shop has about the account's owner.",
            """
            let export = try await pouch.account.export()
            """),
        "addresses": SDKCall(
            "The saved addresses of the account.",
            """
            let addresses = try await pouch.account.addresses()
            """),
        "addAddress": SDKCall(
            "Adds an address and returns it with its id.",
            """
            let address = try await pouch.account.addAddress(
                Address(name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU"))
            """),
        "updateAddress": SDKCall(
            "Changes the fields that the body has; null clears a field.",
            """
            try await pouch.account.updateAddress(id: id, to: address)
            """),
        "deleteAddress": SDKCall(
            "Deletes an address. Orders keep theirs.",
            """
            try await pouch.account.removeAddress(id: id)
            """),
        "secondFactor": SDKCall(
            "Whether the account has a second factor, and how many recovery codes are left.",
            """
            let secondFactor = try await pouch.account.secondFactor()
            """),
        "beginSecondFactor": SDKCall(
            "Creates a secret for an authenticator app. It takes effect once one of its codes is confirmed.",
            """
            let secret = try await pouch.account.beginSecondFactor()
            """),
        "enableSecondFactor": SDKCall(
            "Enables the second factor with a first code. Only this response contains the recovery codes.",
            """
            let recoveryCodes = try await pouch.account.enableSecondFactor(code: "287082")
            """),
        "removeSecondFactor": SDKCall(
            "Removes the second factor.",
            """
            try await pouch.account.removeSecondFactor()
            """),
    ]

    private static let catalogue: [String: SDKCall] = [
        "shop": SDKCall(
            "The country, the currency and the time zone of the shop.",
            """
            let shop = try await pouch.catalog.shop()
            """),
        "seasons": SDKCall(
            "The seasons of the catalogue.",
            """
            let seasons = try await pouch.catalog.seasons()
            """),
        "themes": SDKCall(
            "The themes of a season, or of all.",
            """
            let themes = try await pouch.catalog.themes(season: "71")
            """),
        "categories": SDKCall(
            "The categories with the number of their products.",
            """
            let categories = try await pouch.catalog.categories()
            """),
        "promotions": SDKCall(
            "The products that the shop shows first, in its order.",
            """
            let promotions = try await pouch.catalog.promotions()
            """),
        "products": SDKCall(
            "Products that match all filters, page by page. Options are filters, too: option.Colour=Navy.",
            """
            let page = try await pouch.catalog.products(ProductQuery(search: "cardigan")).value
            """),
        "product": SDKCall(
            "One product with its variants.",
            """
            let product = try await pouch.catalog.product(handle: "samphire-cardigan").value
            """),
        "availability": SDKCall(
            "The current prices and stock of 1 to 100 SKUs. Repeat the parameter for several.",
            """
            let stock = try await pouch.catalog.availability(of: ["71101-69-m"])
            """),
    ]

    private static let cart: [String: SDKCall] = [
        "cart": SDKCall(
            "The cart with current prices and stock. Its changes say what differs from before.",
            """
            let cart = try await pouch.cart.refresh()
            """),
        "clearCart": SDKCall(
            "Removes all lines, the discount and the shipping.",
            """
            try await pouch.cart.clear()
            """),
        "addCartLine": SDKCall(
            "Adds units to the line of the SKU, which is created if there is none.",
            """
            let cart = try await pouch.cart.add(sku: "71101-69-m", quantity: 2)
            """),
        "setCartLine": SDKCall(
            "Sets the quantity of a line; 0 removes it.",
            """
            let cart = try await pouch.cart.set(sku: "71101-69-m", quantity: 2)
            """),
        "removeCartLine": SDKCall(
            "Removes a line.",
            """
            let cart = try await pouch.cart.remove(sku: "71101-69-m")
            """),
        "setCartDiscount": SDKCall(
            "Applies a discount code in place of the previous one.",
            """
            let cart = try await pouch.cart.setDiscount(code: "AUTUMN10")
            """),
        "removeCartDiscount": SDKCall(
            "Removes the discount code.",
            """
            let cart = try await pouch.cart.removeDiscount()
            """),
        "shippingMethods": SDKCall(
            "The shipping methods for the cart and a place, by default the shop's own country.",
            """
            let methods = try await pouch.checkout.shippingMethods(country: "AU", postalCode: "2000")
            """),
        "setCartShipping": SDKCall(
            "Chooses the shipping method and the address.",
            """
            let cart = try await pouch.cart.setShipping(methodId: "standard", to: address)
            """),
        "checkout": SDKCall(
            "Orders the cart and charges its total. If the total differs from the expected one, nothing is charged.",
            """
            let order = try await pouch.checkout.pay(
                for: cart, with: .card(token: "tok_ok"), email: "ann@example.com")
            """),
    ]

    private static let orders: [String: SDKCall] = [
        "previewOrder": SDKCall(
            "The lines, the shipping methods and the totals of an order without a cart. Nothing is reserved.",
            """
            let draft = OrderDraft(lines: [.init(sku: "71101-69-m", quantity: 1)], address: address)
            let preview = try await pouch.checkout.preview(draft)
            """),
        "buyNow": SDKCall(
            "Orders and pays lines at once, without changing the cart.",
            """
            let order = try await pouch.checkout.buy(
                draft, for: preview.totals.total, with: .card(token: "tok_ok"), email: "ann@example.com")
            """),
        "orders": SDKCall(
            "The orders of the session's owner, the latest first.",
            """
            let page = try await pouch.orders.orders(limit: 20)
            """),
        "order": SDKCall(
            "One order, by its id.",
            """
            let order = try await pouch.orders.order(id: id)
            """),
        "cancelOrder": SDKCall(
            "Cancels an order before it is sent, refunds it in full and puts its units back.",
            """
            let order = try await pouch.orders.cancel(id: id)
            """),
        "changeDelivery": SDKCall(
            "Changes the shipping method of an order whose delivery failed, to one of those that it offers.",
            """
            let order = try await pouch.orders.changeDelivery(of: id, methodId: "standard")
            """),
        "orderEvents": SDKCall(
            "The order as it is now, and again after each change, as server-sent events.",
            """
            for try await order in pouch.orders.watch(id) { print(order.status) }
            """),
        "orderByLink": SDKCall(
            "The order that a link in a mail opens. The link allows reading it and nothing else.",
            """
            let order = try await pouch.orders.order(link: link)
            """),
    ]

    private static let rides: [String: SDKCall] = [
        "ridePlaces": SDKCall(
            "Well-known places: those that match a text, or those near a point.",
            """
            let places = try await pouch.locations.places(matching: "opera", near: nil)
            """),
        "rideOptions": SDKCall(
            "The kinds of rides at a pick-up, the smallest first.",
            """
            let options = try await pouch.rides.options(at: GeoPoint(latitude: -33.87, longitude: 151.21))
            """),
        "quoteRide": SDKCall(
            "A fare for each option of a trip, which holds until it expires.",
            """
            let quotes = try await pouch.rides.quotes(for: waypoints)
            """),
        "requestRide": SDKCall(
            "Requests a ride, for a quoted fare or the current one.",
            """
            let ride = try await pouch.rides.request(waypoints, option: "wallaby", quote: quotes.first)
            """),
        "rides": SDKCall(
            "The rides of the account, the latest first.",
            """
            let page = try await pouch.rides.rides()
            """),
        "ride": SDKCall(
            "One ride.",
            """
            let ride = try await pouch.rides.ride(id: id)
            """),
        "cancelRide": SDKCall(
            "Cancels a ride before the pick-up.",
            """
            let ride = try await pouch.rides.cancel(id)
            """),
        "rideReceipt": SDKCall(
            "The receipt of a completed ride.",
            """
            let receipt = try await pouch.rides.receipt(of: id)
            """),
        "rideEvents": SDKCall(
            "The changes of a ride as server-sent events: its statuses, and the driver's location.",
            """
            for try await ride in pouch.rides.follow(id) { print(ride.status) }
            """),
    ]
}

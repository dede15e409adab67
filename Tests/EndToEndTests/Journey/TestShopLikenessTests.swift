import Foundation
import PouchClient
import PouchContract
import PouchEntities
import PouchJSON
import PouchNetwork
import PouchTesting
import PouchWire
import Testing

/// `TestShop`, over which others test their programs, answers as the server does.
@Suite(.timeLimit(.minutes(5)))
struct TestShopLikenessTests {
    @Test func `The test shop refuses and accepts the same requests as the server`() async throws {
        try await withRunningShop { running in
            let pouch = Pouch(server: running.url, transport: running.responder)
            let shop = TestShop(products: try await pouch.catalog.products().items)
            let methods = try await pouch.checkout.shippingMethods()
            let options = try await pouch.rides.options(at: RideWaypoints.sample().pickupLocation)
            shop.change { world in
                world.shippingMethods = methods
                world.rideOptions = options
            }
            var (real, test) = (Visitor(over: running.responder), Visitor(over: shop))
            try await real.visit()
            try await test.visit()
            #expect(real.outcomes.count > 80)
            for (real, test) in zip(real.outcomes, test.outcomes) { #expect(real == test) }
            #expect(real.outcomes.count == test.outcomes.count)
            #expect(shop.unanswered.isEmpty)
        }
    }

    /// Makes the same requests to any shop, and notes the answers.
    private struct Visitor {
        private let transport: any Transport
        private var token: String?
        /// Each with the request, the status and the code of the problem.
        private(set) var outcomes: [String] = []

        init(over transport: any Transport) { self.transport = transport }

        @discardableResult
        private mutating func call(
            _ exchange: any AnyExchange, _ parameter: String? = nil, query: String = "", _ body: String? = nil,
            key: String? = nil, noting note: (NetworkResponse) throws -> String = { _ in "" }
        ) async throws -> NetworkResponse {
            let endpoint = exchange.endpoint
            let names = endpoint.template.parameters
            let path = endpoint.template.path(
                Dictionary(names.map { ($0, parameter ?? "") }, uniquingKeysWith: { first, _ in first }))
            var request = NetworkRequest(
                url: try #require(URL(string: "http://shop.test" + path + query)), method: endpoint.method.rawValue,
                body: body.map { Data($0.utf8) })
            if body != nil { request.headers["Content-Type"] = "application/json" }
            if let token { request.headers[HeaderName.authorization] = "Bearer " + token }
            if let key { request.headers[HeaderName.idempotencyKey] = key }
            let answer = try await transport.send(request).collected()
            let code = try? Problem(json: answer.data).code.rawValue
            let text = [endpoint.name, parameter, query, body, key].compactMap { $0 }.joined(separator: " ")
            outcomes.append("\(text) -> \(answer.status) \(code ?? "") \(answer.status < 300 ? try note(answer) : "")")
            return answer
        }

        private mutating func call(each exchanges: [any AnyExchange], _ parameter: String? = nil) async throws {
            for exchange in exchanges { try await call(exchange, parameter) }
        }

        private mutating func start(_ exchange: any AnyExchange, _ body: String? = nil) async throws -> UserSession {
            let session = try UserSession(json: try await call(exchange, nil, body).data)
            token = session.remoteSession.accessToken
            return session
        }

        private static func cart(_ answer: NetworkResponse) throws -> String {
            let cart = try Cart(json: answer.data)
            return "\(cart.lines.map { "\($0.sku) \($0.quantity) of \($0.available)" }) \(cart.changes)"
        }

        private static func order(_ answer: NetworkResponse) throws -> String {
            let order = try Order(json: answer.data)
            let lines = order.lines.map { "\($0.sku) \($0.quantity)" }
            return "\(order.status) \(order.payment.status) \(order.email ?? "") \(lines) \(order.totals.total)"
        }

        mutating func visit() async throws {
            try await browse()
            try await fillCart()
            try await buy()
            try await signUpAndRide()
            try await keepSafe()
            try await leave()
        }

        private mutating func browse() async throws {
            try await call(each: [Contract.cart, Contract.orders, Contract.profile, Contract.rides, Contract.signOut])
            for query in [
                "", "?limit=0", "?limit=1", "?cursor=nonsense", "?colour=red", "?sort=relevance", "?sort=price",
                "?sort=priceAscending", "?sort=name", "?inStock=true", "?inStock=false", "?q=cardi", "?tag=wool",
                "?option.Size=S", "?category=hats", "?season=none", "?minPrice=4299", "?minPrice=4299&currency=USD",
                "?maxPrice=4299&currency=EUR",
            ] {
                try await call(Contract.products, query: query) { answer in
                    let page = try ProductPage(json: answer.data)
                    let names = page.items.map { "\($0.handle) \($0.variants.map(\.available))" }
                    return "\(query.isEmpty ? names.sorted() : query.contains("limit") ? [] : names)"
                }
            }
            try await call(Contract.product, "none")
            try await call(Contract.availability)
            try await call(Contract.availability, query: "?sku=wool-scarf&sku=none") {
                "\(try Page<Availability>(json: $0.data).items)"
            }
            try await call(Contract.categories, query: "?season=none") {
                "\(try Page<PouchEntities.Category>(json: $0.data).items.count)"
            }
        }

        private mutating func fillCart() async throws {
            _ = try await start(Contract.startGuestSession)
            try await call(each: [Contract.profile, Contract.addresses, Contract.rides, Contract.quoteRide])
            for (sku, quantity) in [
                ("wool-scarf", 0), ("wool-scarf", -1), ("wool-scarf", 1000), ("wool-scarf", 4), ("none", 1),
                ("sun-hat", 1), ("wool-scarf", 2), ("wool-scarf", 2), ("wool-scarf", 1),
            ] { try await call(Contract.addCartLine, nil, line(sku, quantity), noting: Self.cart) }
            for body in ["", "{", "{}", #"{"sku":7,"quantity":1}"#, #"{"sku":"wool-scarf","quantity":1,"size":"S"}"#] {
                try await call(Contract.addCartLine, nil, body)
            }
            for (sku, quantity) in [("wool-scarf", 4), ("wool-scarf", -1), ("none", 1), ("none", 0), ("wool-scarf", 2)]
            { try await call(Contract.setCartLine, sku, "{\"quantity\":\(quantity)}", noting: Self.cart) }
            try await call(Contract.removeCartLine, "none", noting: Self.cart)
            try await call(Contract.setCartDiscount, nil, #"{"code":"TEN"}"#)
        }

        private static let address =
            #"{"name":"Ann","line1":"1 High Street","city":"Sydney","postalCode":"2000","country":"AU"}"#

        private static func purchase(
            _ total: Int64, token: String = "tok_ok", email: String? = nil, _ more: String = ""
        ) -> String {
            let email = email.map { ",\"email\":\"\($0)\"" } ?? ""
            return """
                {"paymentMethod":{"type":"card","token":"\(token)"},\
                "expectedTotal":{"amount":\(total),"currency":"EUR"}\(email)\(more)}
                """
        }

        private mutating func buy() async throws {
            try await call(Contract.checkout, nil, Self.purchase(0), key: "a")
            for (method, country) in [("none", "AU"), ("standard", "au"), ("standard", "AU")] {
                let address = Self.address.replacing("AU", with: country)
                try await call(
                    Contract.setCartShipping, nil, "{\"methodId\":\"\(method)\",\"address\":\(address)}",
                    noting: Self.cart)
            }
            let cart = try Cart(json: try await call(Contract.cart).data)
            let total = cart.totals.total.amount
            let paid = Self.purchase(total, email: "Ann@Example.com")
            try await call(Contract.checkout, nil, paid)
            try await call(Contract.checkout, nil, Self.purchase(total), key: "b")
            try await call(Contract.checkout, nil, Self.purchase(total, email: "example.org"), key: "c")
            try await call(Contract.checkout, nil, Self.purchase(total - 1, email: "a@example.com"), key: "d")
            try await call(
                Contract.checkout, nil, Self.purchase(total, token: "tok_declined", email: "a@example.com"), key: "e")
            try await call(Contract.checkout, nil, paid, key: "e")
            let answer = try await call(Contract.checkout, nil, paid, key: "f", noting: Self.order)
            let order = try Order(json: answer.data)
            try await call(Contract.checkout, nil, paid, key: "f", noting: Self.order)
            try await call(Contract.checkout, nil, paid, key: "g")
            try await call(Contract.cart, noting: Self.cart)
            for lines in [
                "", line("none", 1), line("wool-scarf", 0), line("wool-scarf", 500) + "," + line("wool-scarf", 500),
                line("wool-scarf", 2), line("ribbed-cardigan-m", 1),
            ] {
                try await call(Contract.previewOrder, nil, "{\"lines\":[\(lines)]}") {
                    "\(try OrderPreview(json: $0.data).totals.total)"
                }
                try await call(Contract.buyNow, nil, Self.purchase(1, ",\"lines\":[\(lines)]"), key: "h" + lines)
                let shipped = ",\"lines\":[\(lines)],\"methodId\":\"standard\",\"address\":\(Self.address)"
                try await call(
                    Contract.buyNow, nil, Self.purchase(1, email: "a@example.com", shipped), key: "i" + lines)
            }
            try await cancel(order.id)
        }

        private func line(_ sku: String, _ quantity: Int) -> String { "{\"sku\":\"\(sku)\",\"quantity\":\(quantity)}" }

        /// The ids of orders differ between the shops, so they are not noted.
        private mutating func cancel(_ id: Order.ID) async throws {
            for _ in 1...2 {
                try await call(Contract.cancelOrder, id, noting: Self.order)
                outcomes.append(outcomes.removeLast().replacing(id, with: "the order"))
            }
            try await call(Contract.order, "none")
            try await call(Contract.orderByLink, nil, #"{"token":"none"}"#)
            try await call(Contract.orders, query: "?cursor=nonsense")
            try await call(Contract.availability, query: "?sku=wool-scarf") {
                "\(try Page<Availability>(json: $0.data).items)"
            }
        }

        private mutating func signUpAndRide() async throws {
            try await call(Contract.addCartLine, nil, line("wool-scarf", 2), noting: Self.cart)
            let guest = token
            for (name, email, password) in [
                ("Ann", "ann@example.com", "1234567"), ("Ann", "ann", "8 chars!"), (" ", "ann@example.com", "8 chars!"),
            ] { try await call(Contract.signUp, nil, account(name, email, password)) }
            let session = try await start(Contract.signUp, account("Ann", "ann@example.com", "8 chars!"))
            try await call(Contract.cart, noting: Self.cart)
            try await call(Contract.profile)
            (token, outcomes) = (guest, outcomes + [session.profile?.email ?? ""])
            try await call(Contract.cart)
            token = nil
            try await call(Contract.signUp, nil, account("Ann", "ANN@example.com", "8 chars!"))
            try await call(Contract.signIn, nil, #"{"email":"ann@example.com","password":"wrong words"}"#)
            _ = try await start(Contract.startGuestSession)
            try await call(Contract.addCartLine, nil, line("wool-scarf", 3), noting: Self.cart)
            _ = try await start(Contract.signIn, #"{"email":" Ann@example.com","password":"8 chars!"}"#)
            try await call(Contract.cart, noting: Self.cart)
            try await call(Contract.addAddress, nil, Self.address.replacing("Sydney", with: ""))
            try await call(Contract.updateAddress, "none", #"{"city":"Perth"}"#)
            try await call(Contract.deleteAddress, "none")
            try await call(Contract.updateProfile, nil, #"{"name":""}"#)
            try await call(Contract.changePassword, nil, #"{"currentPassword":"8 chars!","newPassword":"1"}"#)
            try await call(
                Contract.changePassword, nil, #"{"currentPassword":"wrong words","newPassword":"9 chars!!"}"#)
            try await call(Contract.fulfilOrder, "none")
            try await call(
                each: [Contract.ride, Contract.rideEvents, Contract.cancelRide, Contract.rideReceipt], "none")
            let from = #"{"latitude":-33.861,"longitude":151.211}"#
            let to = #"{"latitude":-33.857,"longitude":151.215}"#
            for (pickup, dropoff) in [(from, from), (from, to), (to.replacing("-33", with: "-99"), to)] {
                let trip = "{\"pickupLocation\":\(pickup),\"dropoffLocation\":\(dropoff)}"
                try await call(Contract.quoteRide, nil, "{\"waypoints\":\(trip)}")
                for option in ["none", "wallaby"] {
                    let body = "{\"waypoints\":\(trip),\"rideOptionID\":\"\(option)\"}"
                    try await call(Contract.requestRide, nil, body)
                    try await call(Contract.requestRide, nil, body, key: option + pickup + dropoff)
                    try await call(Contract.requestRide, nil, body, key: "again-" + option)
                }
            }
        }

        private mutating func keepSafe() async throws {
            for email in ["ann", "nobody@example.com"] {
                try await call(Contract.requestPasswordReset, nil, "{\"email\":\"\(email)\"}")
            }
            for (token, password) in [("none", "1"), ("none", "9 chars!!")] {
                try await call(Contract.resetPassword, nil, "{\"token\":\"\(token)\",\"newPassword\":\"\(password)\"}")
            }
            try await call(Contract.verifyEmail, nil, #"{"token":"none"}"#)
            try await call(Contract.verifyEmail, nil, "{}")
            try await call(Contract.requestVerification)
            for (email, password) in [
                ("bea", "8 chars!"), ("bea@example.com", "wrong words"), ("ANN@example.com", "8 chars!"),
                ("bea@example.com", "8 chars!"),
            ] { try await call(Contract.changeEmail, nil, "{\"email\":\"\(email)\",\"password\":\"\(password)\"}") }
            try await call(Contract.profile) { "\(try Profile(json: $0.data).emailVerified ?? true)" }
            try await call(Contract.accountSessions, query: "?limit=1") {
                "\(try Page<AccountSession>(json: $0.data).items.map(\.isCurrent))"
            }
            try await call(Contract.accountSessions, query: "?cursor=nonsense")
            try await call(Contract.endSession, "none")
            try await call(Contract.exportAccount) {
                let export = try AccountExport(json: $0.data)
                return "\(export.profile.email) \(export.addresses.count) \(export.sessions.count) "
                    + "\(export.orders.map(\.status)) \(export.rides.count)"
            }
            let token = token
            self.token = nil
            try await call(each: [Contract.requestVerification, Contract.accountSessions, Contract.exportAccount])
            self.token = token
        }

        private func account(_ name: String, _ email: String, _ password: String) -> String {
            "{\"name\":\"\(name)\",\"email\":\"\(email)\",\"password\":\"\(password)\"}"
        }

        private mutating func leave() async throws {
            let other = token
            let session = try await start(Contract.signIn, #"{"email":"ann@example.com","password":"8 chars!"}"#)
            try await call(Contract.signOut)
            try await call(Contract.profile)
            let refresh = "{\"refreshToken\":\"\(session.remoteSession.refreshToken)\"}"
            #expect(try await call(Contract.refreshSession, nil, refresh).status == 401)
            outcomes.removeLast()
            token = other
            try await call(Contract.profile)
            try await call(Contract.deleteAccount, nil, #"{"password":"wrong words"}"#)
            try await call(Contract.deleteAccount, nil, #"{"password":"8 chars!"}"#)
            try await call(Contract.profile)
            try await call(Contract.signIn, nil, #"{"email":"ann@example.com","password":"8 chars!"}"#)
        }
    }
}

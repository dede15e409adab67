import ShopBenching

/// Measures pages that are the same for all visitors next to constants, and pages of one visitor next to the API.
struct PageLoads {
    private static let (rounds, seconds) = (5, 3)

    let running: RunningShop
    let visitors: Visitors

    private var head: String { "wrk -t1 -c64, \(Self.rounds) alternating rounds of \(Self.seconds) s" }

    func show(next constants: ConstantPages) async throws {
        let pages = [
            (name: "list", path: "/products", interface: "/v1/products?limit=24&facets=true"),
            (name: "product", path: "/product/\(Visitors.product)", interface: "/v1/products/\(Visitors.product)"),
        ]
        var loads: [GetLoad] = []
        for (name, path, interface) in pages {
            // As a visitor with a cart gets it, whose gaps are filled.
            let signedIn = visitors.browser(visitors.member, units: Visitors.units)
            constants.set(name, to: try await ConstantPage(of: running.url + path, headers: signedIn))
            // A server reads the cookies of a request for a constant, too.
            for (visitor, headers) in [("without cookies", Visitors.browser), ("session and cart", signedIn)] {
                let constant = "\(name), constant, \(visitor)"
                loads += [
                    GetLoad(constant, "\(running.url)/bench/constant/\(name)", headers: headers),
                    GetLoad("\(name), \(visitor)", running.url + path, headers: headers, comparedWith: [constant: 0.8]),
                ]
            }
            loads.append(
                GetLoad("\(name), API", running.url + interface, comparedWith: ["\(name), without cookies": nil]))
        }
        say("\nPages that are the same for all visitors; \(head)\n")
        try await GetLoad.measure(loads, rounds: Self.rounds, seconds: Self.seconds)
    }

    func showPrivate() async throws {
        let order = visitors.orderId
        let pages: [(name: String, token: String, path: String, interface: String?)] = [
            ("cart of \(Visitors.units) lines", visitors.shopper, "/cart", "/v1/cart"),
            ("order", visitors.buyer, "/orders/\(order)", "/v1/orders/\(order)"),
            ("administration, today", visitors.owner, "/admin", nil),
            ("administration, orders", visitors.owner, "/admin/orders", "/v1/admin/orders"),
        ]
        var loads: [GetLoad] = []
        for (name, token, path, interface) in pages {
            let api = interface.map { interface in
                GetLoad("\(name), API", running.url + interface, headers: Visitors.program(token))
            }
            loads += [api].compactMap(\.self)
            loads.append(
                GetLoad(
                    name, running.url + path, headers: visitors.browser(token, units: Visitors.units),
                    comparedWith: api.map { [$0.name: nil] } ?? [:]))
        }
        say("\nPages that are made for each visitor, in a shop with \(Visitors.orders) orders; \(head)\n")
        try await GetLoad.measure(loads, rounds: Self.rounds, seconds: Self.seconds)
    }
}

import ServerTesting
import Testing

@testable import PouchDomain

@Suite("Refunds in the administration", .inShop(), .timeLimit(.minutes(5)))
struct AdminRefundPageTests {
    private let shop = TestShop.current
    private let guest: Caller
    private let visitor: WebVisitor

    init() async throws {
        (guest, visitor) = (try await shop.guest(), try await shop.member(.manager))
    }

    private func path(_ order: Order) -> String { "/admin/orders/\(order.id)" }

    private func refunded(_ order: Order) async throws -> Int64 {
        try await guest.order(id: order.id).payment.refunded.amount
    }

    /// The refunded units of each line.
    private func units(_ order: Order) async throws -> [Int] {
        try await guest.order(id: order.id).lines.map(\.refundedQuantity)
    }

    /// Buys a cap and a scarf.
    private func orderOfTwo() async throws -> Order {
        try await guest.add("cap").good()
        return try await guest.order("scarf-s")
    }

    @Test func `Units, an amount and the rest are refunded one after the other`() async throws {
        let order = try await guest.order("cap", 3)
        var page = try await visitor.refund(order, "lines", ["lines.0.quantity": "1"])
        #expect(page.words.contains("€10.00 was refunded.") && page.words.contains("€24.90 can still be refunded"))
        #expect(try await units(order) == [1])
        page = try await visitor.refund(order, "amount", ["amount": "2,50"])
        #expect(try await refunded(order) == 1250)
        page = try await visitor.refund(order, "rest")
        #expect(try await refunded(order) == 3490)
        #expect(try await guest.order(id: order.id).status == .refunded)
        #expect(!page.changes.contains(path(order) + "/refund"))
    }

    @Test func `A refund without units or without an amount refunds nothing, rather than everything`() async throws {
        let order = try await guest.order("cap", 3)
        for units in ["", "0"] {
            #expect(try await visitor.refund(order, "lines", ["lines.0.quantity": units]).status == 422)
        }
        let page = try await visitor.refund(order, "amount", ["amount": ""])
        #expect(page.status == 422 && page.heading == "Order \(order.number)")
        #expect(try await visitor.forge(path(order) + "/refund", [("reason", "x")]).status == 400)
        #expect(try await refunded(order) == 0)
    }

    @Test func `A refused refund comes back in its own form, with what is left at its field`() async throws {
        let order = try await guest.order("cap", 3)
        func reasons(_ page: WebPage) -> [String] {
            ["lines", "amount", "rest"].map { scope in
                page.refund(scope)?.fields.first { $0.name == "reason" }?.value ?? "no form"
            }
        }
        /// Whether the folds of the three forms are open.
        func open(_ page: WebPage) throws -> [Bool] {
            let part = try #require(page.text.firstRange(of: #"id="refund""#))
            return page.text[part.upperBound...].matches(of: #/<details( open)?>/#).prefix(3).map { $0.output.1 != nil }
        }
        let blank = try await visitor.get(path(order))
        #expect(try open(blank) == [true, false, false] && reasons(blank) == ["", "", ""])
        let page = try await visitor.refund(order, "amount", ["amount": "35"])
        #expect(page.status == 409 && page.words.contains("At most €34.90 can still be refunded."))
        #expect(page.links.contains("#amount-amount"))
        #expect(try open(page) == [false, true, false] && reasons(page) == ["", "Moths", ""])
        #expect(page.refund("amount")?.fields.first { $0.name == "amount:money" }?.value == "35")
        let rest = try await visitor.refund(order, "rest", ["reason": ""])
        #expect(rest.links.contains("#rest-reason"))
        #expect(try open(rest) == [false, false, true])
        #expect(try await refunded(order) == 0)
    }

    @Test func `A refused quantity is shown at its product, also after products without units`() async throws {
        let order = try await orderOfTwo()
        let page = try await visitor.refund(order, "lines", ["lines.0.quantity": "0", "lines.1.quantity": "5"])
        #expect(page.status == 422 && page.links.contains("#f-lines-1-quantity"))
        #expect(!page.links.contains("#f-lines-0-quantity") && page.refund("lines")?.units == ["0", "5"])
    }

    @Test func `An old session confirms the password, and the refund goes on as it was filled in`() async throws {
        let order = try await guest.order("cap", 3)
        shop.clock.advance(by: 11 * 60)
        let asked = try await visitor.refund(order, "lines", ["lines.0.quantity": "2"])
        #expect(asked.heading == "Confirm your password")
        let back = try #require(asked.links.first)
        #expect(try await visitor.get(back).location == path(order))
        #expect(try await refunded(order) == 0)
        let action = path(order) + "/refund"
        let wrong = try await visitor.submit(asked, action: action, ["confirm.password": "wrong password"])
        #expect(wrong.status == 401 && wrong.heading == asked.heading && !wrong.text.contains("wrong password\""))
        let page = try await visitor.submit(wrong, action: action, ["confirm.password": .password])
        #expect(page.location == path(order) && page.words.contains("€20.00 was refunded."))
        #expect(try await units(order) == [2])
        let audit = try await shop.rows("SELECT new_value FROM audit WHERE action = 'refundOrder'")
        #expect(try !audit.contains { try $0.text(0).contains(String.password) })
    }

    @Test func `The second of two refunds is refused, and typed units stay at their product`() async throws {
        let order = try await orderOfTwo()
        let seen = try await visitor.get(path(order))
        _ = try await shop.member(.owner).refund(order, "lines", ["lines.0.quantity": "1"])
        let told = try await visitor.refund("lines", on: seen, ["lines.0.quantity": "1"])
        #expect(told.status == 412 && told.words.contains("Staff refunded part of it on"))
        #expect(told.words.contains("Its status is now: Partly refunded.") && told.refund("lines")?.units == ["0"])
        #expect(try await visitor.refund("amount", on: seen, ["amount": "10.00"]).status == 412)
        #expect(try await visitor.refund("rest", on: seen).status == 412)
        #expect(try await units(order) == [1, 0])
        // The page has the version of now.
        _ = try await visitor.refund("lines", on: told, ["lines.1.quantity": "1"])
        #expect(try await units(order) == [1, 1])
    }
}

extension WebForm {
    /// The typed units of each product.
    fileprivate var units: [String] { controls.filter { $0.name.hasSuffix(".quantity:int") }.map(\.value) }
}
